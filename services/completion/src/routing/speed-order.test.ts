import { seededRandom } from '@tollgate/core';
import { exampleCall } from '../testing/vendor-call';
import type { Candidate } from './candidate';
import { ChannelSet, candidatesOfChannel } from './channel-set';
import type { CandidateHealth } from './health';
import { expectedAnswerMsOf, speedOrderOf } from './speed-order';

type Measured = Pick<CandidateHealth, 'firstTokenMs' | 'tokensPerSecond'>;

/** Channels of three models each; a few times only, so that many of them are equal. */
function randomChannelSet(random: () => number, channelCount: number) {
  const { candidate } = exampleCall();
  const healths = new Map<Candidate, CandidateHealth>();
  const below = (bound: number) => Math.floor(random() * bound);
  const channels = Array.from({ length: channelCount }, (_, index) => {
    const channel = { ...candidate.channel, id: `chn_${index}`, firstTokenMs: null };
    const candidates = [16, 64, 4096].map((completionTokensMax, position): Candidate => {
      const model = { ...candidate.model, name: `model-${position}`, completionTokensMax };
      return { ...candidate, channel, model, position };
    });
    for (const each of candidates) {
      const measured: Measured = {
        firstTokenMs: random() < 0.1 ? undefined : 100 * below(20),
        tokensPerSecond: random() < 0.3 ? undefined : 50 * (1 + below(3)),
      };
      healths.set(each, { obstacle: undefined, ...measured });
    }
    return candidatesOfChannel(channel, candidates);
  });
  const healthOf = (each: Candidate) =>
    healths.get(each) ?? { obstacle: undefined, firstTokenMs: undefined };
  return { set: new ChannelSet(channels), healthOf };
}

it.each([1, 20, 22, 30, 100])(
  'has every candidate of %i channels once, equals together and the fastest first',
  (channelCount) => {
    const { healthOf, set } = randomChannelSet(seededRandom(channelCount), channelCount);
    for (const tokens of [1, 32, 1024]) {
      const timeOf = (candidate: Candidate) => {
        const wanted = Math.min(tokens, candidate.model.completionTokensMax);
        return expectedAnswerMsOf(candidate.channel, healthOf(candidate), wanted) ?? Infinity;
      };
      const steps = [...speedOrderOf(set, healthOf, tokens, 0).steps()].map((equals) =>
        equals.channels.flatMap(({ candidates }) => candidates),
      );
      const times = steps.map((step) => [...new Set(step.map(timeOf))]);
      const distinct = [...new Set(set.candidates.map(timeOf))].sort((a, b) => a - b);
      expect(times.filter(({ length }) => length > 0)).toEqual(distinct.map((time) => [time]));
      expect(steps.flat()).toHaveLength(set.candidates.length);
      expect(new Set(steps.flat())).toEqual(new Set(set.candidates));
    }
  },
);

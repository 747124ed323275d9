import type { CallSummary, Clock } from '@tollgate/core';
import {
  OUTRUN,
  type VendorCall,
  VendorFailure,
  type VendorOutcome,
  type VendorPort,
} from '../../domain/vendor';
import { failureDetailOf, notSent } from '../../domain/vendor-failures';
import type { Candidate } from '../../routing/candidate';
import type { CandidateHealth, Obstacle } from '../../routing/health';
import type { Breaker, BreakerBounds, Verdict } from './breaker';
import {
  beginWaiting,
  type ChannelEntry,
  createModelEntries,
  enterChannel,
  followChannels,
  lateFirstTokenMsOf,
  type ModelEntry,
  noteFirstToken,
  noteVerdict,
} from './channel-entries';
import { demoteOutlier, isUnheard, silentStreamMsOf } from './outliers';

/** How many breakers there may be, and when each opens. */
export interface MonitorBounds extends BreakerBounds {
  /** Models of channels that are remembered; the one that was called longest ago is forgotten. */
  readonly breakersMax: number;
}

/** How a call went. */
export interface CallReport {
  readonly outcome: VendorOutcome;
  readonly latencyMs: number;
  readonly firstTokenMs?: number | undefined;
  /** How long the vendor asked to be left alone; only of a call that it limited. */
  readonly cooldownMs?: number | undefined;
  /** Absent of a success, and of a fault of our own. */
  readonly failure?: VendorFailure | undefined;
}

/** A call that its channel's breaker let through, with its place among the calls in flight. */
export interface MonitoredCall {
  /** Its first token is far later than is usual: it speaks against its channel. */
  fallSilent(): void;
  /** Says once how it went: a success is a whole answer or the first event of a stream. */
  report(how: CallReport): void;
  /** The exchange is over: it makes room. Harmless after the first time. */
  leave(): void;
}

/** The channels as this process sees them: breakers, calls in flight, measured latency. */
export interface ChannelMonitor
  extends Pick<
    VendorPort,
    'healthOf' | 'lateFirstTokenMs' | 'noteRejected' | 'noteSpeed' | 'setChannels'
  > {
  /** Whether the channel takes one more call at once; one that is not known refuses it itself. */
  hasPlace(channelId: string): boolean;
  /** Throws a VendorFailure when a call of the account should not be made now. */
  requireRoom(candidate: Candidate, accountId: string): void;
  /**
   * The call is made now, and what follows is its vendor's time; throws as `requireRoom` does. A
   * `stream` that is silent for much longer than is usual speaks against its channel before it ends.
   */
  enter(candidate: Candidate, stream: boolean, accountId: string): MonitoredCall;
  /** Notes what happened after a call was settled, for routing's statistics. */
  note(candidate: Candidate, report: CallReport): void;
  /** The counts since the last call. */
  takeOutcomes(): readonly CallSummary[];
  /** Models of channels that are left alone, or asked last, because they fail. */
  readonly openBreakerCount: number;
}

/** A shorter answer says little about how fast tokens come. */
const SPEED_TOKENS_MIN = 16;
const BUSY_RETRY_MS = 1000;
/** A model at a channel that routing calls unhealthy is tried again after so long without a call. */
const UNTRIED_MS_MAX = 10_000;
/**
 * That time doubles with each answer that timed out there, so often at most: a request whose answer
 * is lost is asked nowhere else, so each trial costs somebody an answer.
 */
const UNTRIED_DOUBLINGS_MAX = 5;
const GONE = { obstacle: { kind: 'gone', retryAfterMs: BUSY_RETRY_MS } } as const;

/** The meaning of an outcome for the vendor's health. */
const VERDICTS: Readonly<Record<VendorOutcome, Verdict>> = {
  success: 'succeeded',
  failure: 'failed',
  timeout: 'failed',
  credential_refused: 'failed',
  rate_limited: 'unknown',
  request_refused: 'unknown',
  aborted: 'unknown',
  not_sent: 'unknown',
};

/** Starts without channels. One model that fails leaves the channel's others alone. */
export function createChannelMonitor(bounds: MonitorBounds, clock: Clock): ChannelMonitor {
  const entries = new Map<string, ChannelEntry>();
  const outcomes = createOutcomeSums();
  const modelEntries = createModelEntries(bounds);
  const monotonicMs = () => clock.monotonicMs();

  const stateOf = (model: ModelEntry | undefined) => ({
    breaker: model?.breaker.stateAt(monotonicMs()) ?? ('closed' as const),
    cooldownMs: Math.round(model?.breaker.cooldownMsAt(monotonicMs()) ?? 0),
  });
  const note = ({ channel, model: { name } }: Candidate, report: CallReport): void => {
    const entry = entries.get(channel.id);
    if (entry === undefined) return;
    const model = entry.models.get(name);
    if (report.firstTokenMs !== undefined) {
      noteFirstToken(entry, model, report.firstTokenMs, monotonicMs());
    }
    outcomes.add([channel.id, name], report, stateOf(model));
  };
  const noteNoRoom = (channelId: string, name: string): void => {
    const entry = entries.get(channelId);
    if (entry === undefined) return;
    const report = { outcome: 'no_room', latencyMs: 0 } as const;
    outcomes.add([channelId, name], report, stateOf(entry.models.get(name)));
  };
  const entryWithRoom = ({ channel, model }: Candidate): ChannelEntry => {
    const entry = entries.get(channel.id);
    if (entry === undefined) throw notSent('the channel is gone');
    if (takesMore(entry)) return entry;
    noteNoRoom(channel.id, model.name);
    throw notSent('the channel answers as many requests as it may');
  };

  return {
    get openBreakerCount() {
      const models = [...entries.values()].flatMap((entry) => [...entry.models.values()]);
      return models.filter(({ breaker }) => breaker.stateAt(monotonicMs()) !== 'closed').length;
    },
    healthOf({ channel, model }, accountId) {
      const entry = entries.get(channel.id);
      if (entry === undefined) return { ...GONE, firstTokenMs: undefined };
      const monotonicNowMs = monotonicMs();
      const known = entry.models.get(model.name);
      if (known === undefined) {
        return {
          obstacle: obstacleOf(entry, undefined, monotonicNowMs, accountId),
          firstTokenMs: entry.firstTokenMs,
        };
      }
      return {
        obstacle: obstacleOf(entry, known.breaker, monotonicNowMs, accountId),
        standing: standingOf(known, monotonicNowMs, () =>
          isUnheard(entries, entry, model.name, { accountId, monotonicNowMs }),
        ),
        firstTokenMs: known.firstToken.value ?? entry.firstTokenMs,
        tokensPerSecond: perSecond(known.msPerToken.value),
        measuredAgoMs: known.firstToken.ageMsAt(monotonicNowMs),
        calls: known.calls,
        successRate: known.succeeded.value,
      };
    },
    hasPlace(channelId) {
      const entry = entries.get(channelId);
      return entry === undefined || takesMore(entry);
    },
    requireRoom(candidate, accountId) {
      const { models } = entryWithRoom(candidate);
      const breaker = models.get(candidate.model.name)?.breaker;
      if (breaker?.isPassable(monotonicMs(), accountId) === false) throw breakerOpen();
    },
    enter(candidate, stream, accountId) {
      const entry = entryWithRoom(candidate);
      const name = candidate.model.name;
      const model = modelEntries.of(entry, name, monotonicMs());
      const breakerCall = model.breaker.pass(monotonicMs, accountId);
      if (breakerCall === undefined) throw breakerOpen();
      model.calledMs = monotonicMs();
      const leaveChannel = enterChannel(entry);
      const answered = stream ? beginWaiting(model, accountId, monotonicMs) : undefined;
      const silenceMs = stream ? silentStreamMsOf(entries, entry, name) : undefined;
      let isSilent = false;
      const fallSilent = () => {
        if (isSilent) return;
        isSilent = true;
        breakerCall.fallSilent();
        demoteOutlier(entries, entry, name, bounds.callsMin, monotonicMs());
      };
      const silence = silenceMs === undefined ? undefined : clock.schedule(silenceMs, fallSilent);
      return {
        fallSilent,
        leave() {
          leaveChannel();
          // Before the next call in the queue takes its turn: this one may still be read then.
          breakerCall.leave();
        },
        report(how) {
          silence?.cancel();
          answered?.(how.outcome === 'success');
          const verdict = VERDICTS[how.outcome];
          if (how.cooldownMs !== undefined) model.breaker.coolDown(how.cooldownMs, monotonicMs());
          breakerCall.report(verdict);
          if (verdict !== 'unknown') noteVerdict(model, verdict === 'succeeded', monotonicMs());
          if (verdict === 'succeeded') model.lostAnswers = 0;
          else if (how.outcome === 'timeout' && !stream) model.lostAnswers += 1;
          if (verdict === 'failed')
            demoteOutlier(entries, entry, name, bounds.callsMin, monotonicMs());
          note(candidate, how);
        },
      };
    },
    note,
    noteRejected(candidates) {
      for (const { channelId, model, reason } of candidates) {
        if (reason === 'busy') noteNoRoom(channelId, model);
      }
    },
    noteSpeed({ channel, model }, tokens, durationMs) {
      if (tokens < SPEED_TOKENS_MIN || durationMs <= 0) return;
      const known = entries.get(channel.id)?.models.get(model.name);
      known?.msPerToken.add(durationMs / tokens, monotonicMs());
    },
    lateFirstTokenMs: ({ channel, model }) =>
      lateFirstTokenMsOf(entries.get(channel.id)?.models.get(model.name)?.firstTokens),
    takeOutcomes: outcomes.take,
    setChannels: (channels) => followChannels(entries, channels, modelEntries.forget),
  };
}

/** What `guarded` hears of a call. */
interface CallWatch {
  readonly onTurn: () => void;
  readonly onOver: () => void;
}

/**
 * Runs a call under the breaker of its model at the channel, up to what shows that it
 * succeeded: a whole answer, or the first event of a stream. A good head proves nothing. Until its turn
 * comes in the queue of its account it holds nothing that others need, and says nothing of its vendor.
 */
export async function guarded<Answer>(
  { clock, monitor }: { readonly clock: Clock; readonly monitor: ChannelMonitor },
  call: VendorCall,
  signal: AbortSignal,
  run: (watch: CallWatch) => Promise<Answer>,
): Promise<Answer> {
  const { accountId, candidate, queueWait, stream } = call;
  monitor.requireRoom(candidate, accountId);
  let monitoredCall: MonitoredCall | undefined;
  let sinceMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - sinceMs;
  const onTurn = () => {
    queueWait.ms += elapsedMs();
    sinceMs = clock.monotonicMs();
    monitoredCall = monitor.enter(candidate, stream, accountId);
    call.onTurn();
  };
  try {
    const answer = await run({ onTurn, onOver: () => monitoredCall?.leave() });
    const latencyMs = elapsedMs();
    const firstTokenMs = stream ? latencyMs : undefined;
    monitoredCall?.report({ outcome: 'success', latencyMs, firstTokenMs });
    return answer;
  } catch (error) {
    if (monitoredCall === undefined) queueWait.ms += elapsedMs();
    monitoredCall?.leave();
    // The second channel of a late stream may be outrun before it could have answered.
    const lateMs = monitor.lateFirstTokenMs(candidate) ?? Number.POSITIVE_INFINITY;
    if (signal.reason === OUTRUN && elapsedMs() > lateMs) monitoredCall?.fallSilent();
    monitoredCall?.report({ ...reportOf(error), latencyMs: elapsedMs() });
    throw error;
  }
}

function breakerOpen(): VendorFailure {
  return notSent('the breaker of the model at the channel is open');
}

/** A fault of our own says nothing about the vendor. */
function reportOf(error: unknown): Pick<CallReport, 'cooldownMs' | 'failure' | 'outcome'> {
  if (!(error instanceof VendorFailure)) return { outcome: 'aborted' };
  const { outcome } = error;
  const told = { outcome, failure: error };
  return outcome === 'rate_limited' ? { ...told, cooldownMs: error.error.retryAfterMs } : told;
}

function takesMore({ concurrencyMax, inFlight }: ChannelEntry): boolean {
  return concurrencyMax === 0 || inFlight < concurrencyMax;
}

function obstacleOf(
  entry: ChannelEntry,
  breaker: Breaker | undefined,
  monotonicNowMs: number,
  accountId: string | undefined,
): Obstacle | undefined {
  const cooldownMs = breaker?.cooldownMsAt(monotonicNowMs) ?? 0;
  if (cooldownMs > 0) return { kind: 'cooling_down', retryAfterMs: cooldownMs };
  const waitMs = breaker?.waitMsAt(monotonicNowMs, accountId) ?? 0;
  if (waitMs > 0) return { kind: 'failing', retryAfterMs: waitMs };
  return takesMore(entry) ? undefined : { kind: 'busy', retryAfterMs: BUSY_RETRY_MS };
}

function perSecond(msEach: number | undefined): number | undefined {
  return msEach === undefined ? undefined : 1000 / msEach;
}

function standingOf(
  model: ModelEntry,
  monotonicNowMs: number,
  isUnheard: () => boolean,
): CandidateHealth['standing'] {
  if (model.breaker.isDemotedAt(monotonicNowMs) || isUnheard()) return 'demoted';
  const doublings = Math.min(model.lostAnswers, UNTRIED_DOUBLINGS_MAX);
  const isDue = monotonicNowMs - model.calledMs >= UNTRIED_MS_MAX * 2 ** doublings;
  return model.hasSucceeded || isDue ? 'trusted' : undefined;
}

type Reported = Omit<CallReport, 'outcome'> & { readonly outcome: VendorOutcome | 'no_room' };

/** Sums what happened until routing is told. */
function createOutcomeSums() {
  interface Sum extends Omit<CallSummary, 'detail'> {
    /** The vendor's words may come after it. */
    readonly failure: VendorFailure | undefined;
  }
  let sums = new Map<string, Sum>();
  return {
    add(
      [channelId, model]: readonly [channelId: string, model: string],
      { outcome: kind, failure, latencyMs, firstTokenMs }: Reported,
      state: Pick<CallSummary, 'breaker' | 'cooldownMs'>,
    ): void {
      if (kind === 'aborted' || kind === 'not_sent') return;
      const isRefused = kind === 'request_refused';
      const key = `${channelId} ${model} ${kind}`;
      const sum = sums.get(key);
      // The newest goes to the end: of several, routing keeps what the last one says.
      sums.delete(key);
      sums.set(key, {
        ...state,
        channelId,
        model,
        // A vendor that finds fault with a request is healthy; how soon says nothing of its answers.
        kind: isRefused ? 'success' : kind,
        count: (sum?.count ?? 0) + 1,
        latencyMs: isRefused ? 0 : Math.round(latencyMs),
        firstTokenMs: Math.round(firstTokenMs ?? sum?.firstTokenMs ?? 0),
        failure: isRefused ? undefined : failure,
      });
    },
    take(): readonly CallSummary[] {
      const taken = [...sums.values()];
      sums = new Map();
      return taken.map(({ failure, ...sum }) => ({
        ...sum,
        detail: failure === undefined ? '' : failureDetailOf(failure),
      }));
    },
  };
}

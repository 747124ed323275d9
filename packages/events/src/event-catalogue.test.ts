import { createFakeClock } from '@tollgate/testkit';
import { createEvent } from './create-event';
import { type EventType, eventCatalogue, topicOf } from './event-catalogue';
import { closeRecord, samples } from './testing/events';
import { TOPIC_NAMES, TOPICS } from './topics';

const clock = createFakeClock();

describe('the event catalogue', () => {
  it.each(eventCatalogue.map((entry) => [entry.type, entry] as const))(
    'documents %s in one sentence and accepts its example',
    (type, entry) => {
      expect(entry.description).toMatch(/^[A-Z].+\.$/);
      expect(entry.topic).toBe(topicOf(type));
      const event = createEvent(type, samples[type], clock);
      expect(entry.schema.parse(event)).toEqual(event);
    },
  );

  it('gives every topic a key rule, a retention and at least one event', () => {
    for (const topic of TOPIC_NAMES) {
      expect(TOPICS[topic].keyRule).toMatch(/\.$/);
      expect(TOPICS[topic].retentionMs).toBeGreaterThan(0);
      expect(eventCatalogue.some((entry) => entry.topic === topic)).toBe(true);
    }
  });

  it('knows the record that ends a lease, which has neither tokens nor prices', () => {
    expect(accepts('usage.recorded', closeRecord)).toBe(true);
    expect(accepts('usage.recorded', { ...closeRecord, kind: 'usage' })).toBe(false);
  });

  it.each([
    ['a negative amount', { ...samples['usage.recorded'], amount: '-1' }],
    ['an amount as a JSON number', { ...samples['usage.recorded'], amount: 27_000 }],
    ['an amount above Int64', { ...samples['usage.recorded'], amount: '9223372036854775808' }],
    ['a fraction of a token', { ...samples['usage.recorded'], prompt_tokens: 0.5 }],
    ['record number 0', { ...samples['usage.recorded'], number: 0 }],
    ['an unknown reason', { ...samples['usage.recorded'], reason: 'bored' }],
    ['a missing member', { ...samples['usage.recorded'], holder: undefined }],
  ])('refuses a usage record with %s', (_label, data) => {
    expect(accepts('usage.recorded', data)).toBe(false);
  });

  it('leaves sense to billing: contradicting counts must settle at 0, not vanish', () => {
    const odd = { ...samples['usage.recorded'], prompt_tokens: 1, cached_tokens: 2 };
    expect(accepts('usage.recorded', odd)).toBe(true);
  });

  it('never accepts the members of a charge on a credit', () => {
    const entry = samples['ledger.entry_posted'];
    expect(accepts('ledger.entry_posted', { ...entry, kind: 'credit' })).toBe(false);
  });
});

function accepts(type: EventType, data: object): boolean {
  const entry = eventCatalogue.find((candidate) => candidate.type === type);
  const envelope = { ...createEvent(type, samples[type], clock), data };
  return entry?.schema.safeParse(envelope).success === true;
}

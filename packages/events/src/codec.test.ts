import { createHash } from 'node:crypto';
import { createFakeClock } from '@tollgate/testkit';
import { decodeEvent, EVENT_BYTES_MAX, encodeEvent } from './codec';
import type { OutgoingEvent } from './event-bus';
import { ACCOUNT, usageOf } from './testing/events';

const outgoing = usageOf(createFakeClock(), ACCOUNT, 1);
const TOPIC = 'tollgate.usage.v1';

describe('reading a message', () => {
  it('gives back what was written', () => {
    const decoded = decodeEvent(TOPIC, encodeEvent(outgoing, true));
    expect(decoded).toEqual({ kind: 'event', event: outgoing.event });
  });

  it('tolerates members that a newer version added, at every depth', () => {
    const newer = { ...outgoing.event, trace: 'x', data: { ...outgoing.event.data, colour: 'y' } };
    expect(decodeEvent(TOPIC, json(newer))).toEqual({ kind: 'event', event: outgoing.event });
  });

  it('skips a type that only a newer version knows', () => {
    const newer = { ...outgoing.event, type: 'usage.corrected' };
    expect(decodeEvent(TOPIC, json(newer))).toEqual({ kind: 'skipped', type: 'usage.corrected' });
  });

  it('skips a known type on a topic that does not carry it', () => {
    const decoded = decodeEvent('tollgate.ledger.v1', json(outgoing.event));
    expect(decoded.kind).toBe('skipped');
  });

  it.each([
    ['bytes that are no JSON', Buffer.from([0xff, 0x00, 0x7b]), 'not_json'],
    ['JSON without a type', json({ prompt: 'hello' }), 'schema_mismatch'],
    ['JSON that is no object', json(null), 'schema_mismatch'],
    ['another schema version', json({ ...outgoing.event, schema_version: 2 }), 'schema_mismatch'],
  ])('calls %s unusable and keeps hash and size only', (_label, payload, cause) => {
    expect(decodeEvent(TOPIC, payload)).toMatchObject({
      kind: 'poison',
      cause,
      payloadSha256: createHash('sha256').update(payload).digest('hex'),
      payloadBytes: payload.length,
    });
  });

  it('names the field at fault and never its value', () => {
    const secret = 'my private prompt';
    const data = { ...outgoing.event.data, amount: secret, model: '' };
    const decoded = decodeEvent(TOPIC, json({ ...outgoing.event, id: 'has spaces', data }));
    expect(JSON.stringify(decoded)).toContain('data.amount');
    expect(JSON.stringify(decoded)).not.toContain(secret);
    expect(JSON.stringify(decoded)).not.toContain('has spaces');
  });
});

describe('writing a message', () => {
  it.each<[string, OutgoingEvent]>([
    ['without a key', { ...outgoing, key: '' }],
    ['for another topic', { ...outgoing, topic: 'tollgate.ledger.v1' }],
    ['above the size limit', withModel('x'.repeat(EVENT_BYTES_MAX))],
  ])('refuses an event %s', (_label, event) => {
    expect(() => encodeEvent(event, false)).toThrow(/event usage\.recorded/);
  });

  it('checks the schema only when asked, because the hot path trusts its own types', () => {
    const wrong = withModel('');
    expect(() => encodeEvent(wrong, true)).toThrow('data.model: too_small');
    expect(() => encodeEvent(wrong, false)).not.toThrow();
  });
});

function withModel(model: string): OutgoingEvent {
  const data = { ...outgoing.event.data, model };
  return { ...outgoing, event: { ...outgoing.event, data } as OutgoingEvent['event'] };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

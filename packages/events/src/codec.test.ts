import { createHash } from 'node:crypto';
import { writeUsageRecordText, writtenRecords } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { type DecodedMessage, decodeMessage, EVENT_BYTES_MAX, encodeEvent } from './codec';
import { createEvent } from './create-event';
import type { OutgoingEvent } from './event-bus';
import { type EventType, eventCatalogue } from './event-catalogue';
import { isExactCharge, isExactRecord } from './exact-form';
import { fromUsageRecordEvent } from './schemas/usage';
import { ACCOUNT, closeRecord, samples, usageOf } from './testing/events';
import type { TopicName } from './topics';
import { writeLedgerEvents, writeUsageEvents } from './write-batches';

const outgoing = usageOf(createFakeClock(), ACCOUNT, 1);
const TOPIC = 'tollgate.usage.v1';

describe('reading a message', () => {
  it('gives back what was written', () => {
    const decoded = decodeOne(TOPIC, encodeEvent(outgoing, true));
    expect(decoded).toEqual({ kind: 'event', event: outgoing.event });
  });

  it('tolerates members that a newer version added, at every depth', () => {
    const newer = { ...outgoing.event, trace: 'x', data: { ...outgoing.event.data, colour: 'y' } };
    expect(decodeOne(TOPIC, json(newer))).toEqual({ kind: 'event', event: outgoing.event });
  });

  it('skips a type that only a newer version knows', () => {
    const newer = { ...outgoing.event, type: 'usage.corrected' };
    expect(decodeOne(TOPIC, json(newer))).toEqual({ kind: 'skipped', type: 'usage.corrected' });
  });

  it('skips denials for a reason that only a newer version knows, and keeps what is wrong besides', () => {
    const event = createEvent('denials.counted', samples['denials.counted'], createFakeClock());
    const denied = (changes: object) =>
      decodeOne('tollgate.denials.v1', json({ ...event, data: { ...event.data, ...changes } }));
    expect(denied({})).toMatchObject({ kind: 'event' });
    expect(denied({ reason: 'country' })).toEqual({ kind: 'skipped', type: 'denials.counted' });
    for (const damaged of [
      { reason: 'country', count: 'x' },
      { reason: '' },
      { reason: 7 },
      { reason: undefined },
    ]) {
      expect(denied(damaged)).toMatchObject({ kind: 'unusable' });
    }
  });

  it('skips a known type on a topic that does not carry it', () => {
    const decoded = decodeOne('tollgate.ledger.v1', json(outgoing.event));
    expect(decoded.kind).toBe('skipped');
  });

  it.each([
    ['bytes that are no JSON', Buffer.from([0xff, 0x00, 0x7b]), 'not_json'],
    ['JSON without a type', json({ prompt: 'hello' }), 'schema_mismatch'],
    ['JSON that is no object', json(null), 'schema_mismatch'],
    ['another schema version', json({ ...outgoing.event, schema_version: 2 }), 'schema_mismatch'],
  ])('calls %s unusable and keeps hash and size only', (_label, payload, cause) => {
    expect(decodeOne(TOPIC, payload)).toMatchObject({
      kind: 'unusable',
      cause,
      payloadSha256: createHash('sha256').update(payload).digest('hex'),
      payloadBytes: payload.length,
    });
  });

  it('names the field at fault and never its value', () => {
    const secret = 'my private prompt';
    const data = { ...outgoing.event.data, amount: secret, model: '' };
    const decoded = decodeOne(TOPIC, json({ ...outgoing.event, id: 'has spaces', data }));
    expect(JSON.stringify(decoded)).toContain('data.amount');
    expect(JSON.stringify(decoded)).not.toContain(secret);
    expect(JSON.stringify(decoded)).not.toContain('has spaces');
  });
});

describe('a batch of usage records', () => {
  const clock = createFakeClock();
  const record = (changes: object) =>
    fromUsageRecordEvent({ ...samples['usage.recorded'], ...changes });
  const numbersOf = (decoded: readonly DecodedMessage[]) =>
    decoded.map((one) =>
      one.kind === 'event' && one.event.type === 'usage.recorded'
        ? `${one.event.data.account_id} ${one.event.data.number}`
        : one.kind,
    );

  it('carries the records of an account in one message, each read as an event of its own', () => {
    const other = 'acc_other';
    const written = writeUsageEvents(
      [
        record({ number: 1 }),
        record({ account_id: other, number: 7, model: 'quo"te\\ – ü' }),
        fromUsageRecordEvent(closeRecord),
      ],
      clock,
    );
    expect(written.map(({ key, type }) => [key, type])).toEqual([
      [ACCOUNT, 'usage.batch_recorded'],
      [other, 'usage.recorded'],
    ]);
    const decoded = written.flatMap((event) => decodeMessage(TOPIC, encodeEvent(event, true)));
    expect(numbersOf(decoded)).toEqual([`${ACCOUNT} 1`, `${ACCOUNT} 2`, `${other} 7`]);
    const [first, , third] = decoded;
    expect(first).toMatchObject({ event: { data: samples['usage.recorded'] } });
    expect(third).toMatchObject({ event: { data: { model: 'quo"te\\ – ü' } } });
    const ids = decoded.map((one) => (one.kind === 'event' ? one.event.id : ''));
    expect(new Set(ids).size).toBe(3);
  });

  it('refuses one record that makes no sense, and no other', () => {
    const [batch] = writeUsageEvents([record({ number: 1 }), record({ number: 2 })], clock);
    const broken = batch?.text.replace('"number":1', '"number":-1') ?? '';
    const decoded = decodeMessage(TOPIC, Buffer.from(broken));
    expect(numbersOf(decoded)).toEqual(['unusable', `${ACCOUNT} 2`]);
    expect(JSON.stringify(decoded[0])).toContain('data.number: ');
  });

  it('is cut where a message would become too long or hold too many', () => {
    const long = Array.from({ length: 250 }, (_, index) => record({ number: index + 1 }));
    const written = writeUsageEvents(long, clock);
    expect(written).toHaveLength(3);
    const decoded = written.flatMap((event) => decodeMessage(TOPIC, encodeEvent(event, false)));
    expect(numbersOf(decoded)).toEqual(long.map(({ number }) => `${ACCOUNT} ${number}`));
    const wide = long.map((one) => ({ ...one, clientRequestId: '–'.repeat(256) }));
    for (const event of writeUsageEvents(wide, clock)) encodeEvent(event, false);
  });
});

describe('a batch of ledger entries', () => {
  const entryOf = (seq: number, accountId = ACCOUNT, at = `2026-01-01T00:00:0${seq}.000Z`) => {
    const posted = { ...samples['ledger.entry_posted'], account_id: accountId, seq, at };
    return { accountId, seq, atMs: Date.parse(at), text: JSON.stringify(posted), posted };
  };

  it('is read as the events that its entries would have been alone, with their ids and times', () => {
    const entries = [entryOf(1), entryOf(4, 'acc_other'), entryOf(2)];
    const written = writeLedgerEvents(entries);
    expect(written.map(({ key, type }) => [key, type])).toEqual([
      [ACCOUNT, 'ledger.batch_posted'],
      ['acc_other', 'ledger.entry_posted'],
    ]);
    const [first, other, second] = entries.map((one) => writeLedgerEvents([one])[0]?.text ?? '');
    const decoded = written.flatMap((event) =>
      decodeMessage('tollgate.ledger.v1', encodeEvent(event, true)),
    );
    const alone = [first, second, other].map((text) => {
      return { kind: 'event', event: JSON.parse(text ?? '') as unknown };
    });
    expect(decoded).toEqual(alone);
  });

  it('sets one entry aside that makes no sense, and no other', () => {
    const broken = { ...entryOf(1), text: 'null' };
    const [batch] = writeLedgerEvents([broken, entryOf(2)]);
    const decoded = decodeMessage('tollgate.ledger.v1', Buffer.from(batch?.text ?? ''));
    expect(decoded.map(({ kind }) => kind)).toEqual(['unusable', 'event']);
  });
});

describe('a batch whose envelope is not as this version writes it', () => {
  const usage = outgoing.event.data;
  const posted = samples['ledger.entry_posted'];
  const batches = [
    [TOPIC, 'usage.batch_recorded', { records: [usage, usage] }],
    ['tollgate.ledger.v1', 'ledger.batch_posted', { entries: [posted, posted] }],
  ] as const;
  const typesOf = (topic: TopicName, value: object) =>
    decodeMessage(topic, json(value)).map((one) =>
      one.kind === 'event' ? one.event.type : one.kind,
    );
  const sample = { id: 'evt_1', schema_version: 1, time: '2028-02-28T12:00:00.000Z' };

  it.each([
    ['of the day before a leap day', {}],
    ['of a leap day', { time: '2028-02-29T12:00:00.000Z' }],
    ['with a member that a newer version added', { trace: 'x' }],
    [
      'with members that a newer version added, on a leap day',
      { trace: 'x', time: '2028-02-29T12:00:00.000Z' },
    ],
  ])('is read in its parts: one %s', (_label, changes) => {
    for (const [topic, type, data] of batches) {
      const single = type === 'usage.batch_recorded' ? 'usage.recorded' : 'ledger.entry_posted';
      expect(typesOf(topic, { ...sample, type, ...changes, data })).toEqual([single, single]);
    }
  });

  it.each([
    ['of no day', { time: '2027-02-29T12:00:00.000Z' }],
    ['of another version', { schema_version: 2 }],
    ['without an id', { id: '' }],
    ['without data', { data: null }],
    ['whose items are none', { data: { records: 'x', entries: {} } }],
  ])('is a dead letter when it can mean nothing: one %s', (_label, changes) => {
    for (const [topic, type, data] of batches) {
      expect(typesOf(topic, { ...sample, type, data, ...changes })).toEqual(['unusable']);
    }
  });
});

describe('the quick check', () => {
  const odd = [
    undefined,
    null,
    '',
    '-1',
    'x y',
    -1,
    0.5,
    2 ** 60,
    true,
    {},
    [],
    '9223372036854775808',
  ];
  const schemaOf = (type: EventType) => eventCatalogue.find((row) => row.type === type)?.schema;
  const event = (type: 'usage.recorded' | 'ledger.entry_posted', data: object) => ({
    ...createEvent(type, samples[type], createFakeClock()),
    data,
  });

  it('passes what this version writes, without the schema', () => {
    expect(isExactRecord(samples['usage.recorded'])).toBe(true);
    expect(isExactRecord(closeRecord)).toBe(true);
    expect(isExactCharge(samples['ledger.entry_posted'])).toBe(true);
  });

  it.each([undefined, 'max_token'])('passes a record as it is written, ignored: %s', (ignored) => {
    const sample = writtenRecords.read('usage', samples['usage.recorded']);
    const record = { ...sample, ignoredMembers: ignored };
    const written: unknown = JSON.parse(writeUsageRecordText(record));
    expect(isExactRecord(written)).toBe(true);
    const posted = samples['ledger.entry_posted'];
    const charge = { ...posted, charge: { ...posted.charge, record: written } };
    expect(isExactCharge(charge)).toBe(true);
    expect(isExactRecord({ ...(written as object), more: 1 })).toBe(false);
  });

  it('passes nothing that the schema refuses, whichever member is odd', () => {
    const times = [
      '2026-02-30T00:00:00.000Z',
      '2026-13-01T00:00:00.000Z',
      '2026-01-01T25:00:00.000Z',
    ];
    for (const [type, isExact] of [
      ['usage.recorded', isExactRecord],
      ['ledger.entry_posted', isExactCharge],
    ] as const) {
      for (const member of Object.keys(samples[type])) {
        for (const value of [...odd, ...times]) {
          const data = { ...samples[type], [member]: value };
          if (isExact(data))
            expect(schemaOf(type)?.safeParse(event(type, data)).success).toBe(true);
        }
      }
    }
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

/** What a message of one event is. */
function decodeOne(topic: TopicName, payload: Buffer): DecodedMessage {
  const [decoded, ...others] = decodeMessage(topic, payload);
  if (decoded === undefined || others.length > 0) throw new Error('not one event');
  return decoded;
}

function withModel(model: string): OutgoingEvent {
  const data = { ...outgoing.event.data, model };
  return { ...outgoing, event: { ...outgoing.event, data } as OutgoingEvent['event'] };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

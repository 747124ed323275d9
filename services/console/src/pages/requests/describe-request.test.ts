import { describeDelivery } from '../webhooks/describe-webhook';
import {
  answeringCall,
  describeEnd,
  describeIgnored,
  describeLimitsLeft,
  describeNoToken,
  describeSwitchedOff,
  groupDeliveries,
  isNothing,
  labelReason,
  nameEnd,
  nameReason,
  toneOfEnd,
} from './describe-request';

test('an answer that was cut is neither good nor a failure', () => {
  expect(toneOfEnd('stop')).toBe('good');
  expect(toneOfEnd('client_gone')).toBe('warn');
  expect(toneOfEnd('vendor_error')).toBe('bad');
});

test('a reason of a later release is shown as it is, and not as success', () => {
  expect(toneOfEnd('something_new')).toBe('bad');
  expect(describeEnd('something_new', null)).toBe('something_new');
  expect(nameEnd('something_new', null)).toBe('Something new');
});

test('a vendor that fell silent did not break off', () => {
  expect(describeEnd('vendor_gone', 'UPSTREAM_TIMEOUT')).toContain('fell silent');
  expect(describeEnd('vendor_gone', 'UPSTREAM_ERROR')).toContain('broke off');
});

test('an ending is called by its error, and a vendor by one word', () => {
  expect(nameEnd('stop', null)).toBe('Succeeded');
  expect(nameEnd('vendor_error', 'UPSTREAM_ERROR')).toBe('Vendor error');
  expect(nameEnd('vendor_error', null)).toBe('Vendor error');
  expect(nameEnd('internal_error', 'DATABASE_ERROR')).toBe('Database error');
});

test('of a request that failed before anything was counted nothing is shown, not a zero', () => {
  const counted = { prompt_tokens: 12, completion_tokens: 0 };
  const none = { prompt_tokens: 0, completion_tokens: 0 };
  expect(isNothing({ status: 'failed', ...none })).toBe(true);
  expect(isNothing({ status: 'failed', ...counted })).toBe(false);
  expect(isNothing({ status: 'succeeded', ...none })).toBe(false);
});

test('a request that failed was not answered, as a whole or otherwise', () => {
  expect(describeNoToken({ status: 'failed', stream: false })).toBe('No answer came');
  expect(describeNoToken({ status: 'succeeded', stream: false })).toBe('Answered as a whole');
  expect(describeNoToken({ status: 'failed', stream: true })).toBe('No token came');
});

test('a refusal has one name, which claims no budget or balance to be used up', () => {
  expect(nameReason('KEY_BUDGET_EXCEEDED')).toBe("key's budget too low");
  expect(labelReason('KEY_BUDGET_EXCEEDED')).toBe("Key's budget too low");
  expect(labelReason('INSUFFICIENT_BALANCE')).toBe('Balance too low');
  expect(labelReason('SOMETHING_NEW')).toBe('Something new');
});

test('what was left of the limits is said, and nothing where there was none', () => {
  const day = { left: 999, limit: 1000 };
  expect(describeLimitsLeft({ minute: { left: 59, limit: 60 }, day })).toBe(
    '59 of 60 this minute, 999 of 1,000 today',
  );
  expect(describeLimitsLeft({ minute: null, day })).toBe('999 of 1,000 today');
  expect(describeLimitsLeft(null)).toBeUndefined();
});

type Attempted = Parameters<typeof answeringCall>[0];

const failure = {
  channel_id: 'ch_east',
  model: 'large',
  outcome: 'failure',
  reason: 'the vendor failed',
  took_ms: 12,
};
/** As the account itself is told. */
const own: Attempted = { attempts: 2, first_token_ms: null, model: 'small', status: 'succeeded' };
const fellBack: Attempted = { ...own, channel_id: 'ch_west', failed_attempts: [failure] };
const helped = { number: 2, model: 'small', channelId: 'ch_west' };

test.each<[string, Partial<Attempted>]>([
  ['a fallback', {}],
  ['a fallback whose answer broke off later', { status: 'failed', first_token_ms: 40 }],
])('after %s it is told who answered', (_, change) => {
  expect(answeringCall({ ...fellBack, ...change })).toEqual(helped);
});

test.each<[string, Partial<Attempted>]>([
  ['the first call answered', { attempts: 1, failed_attempts: [] }],
  ['every call failed', { status: 'failed', failed_attempts: [failure, failure] }],
  ['the client left before the second call answered', { status: 'failed' }],
])('nothing is added where %s', (_, change) => {
  expect(answeringCall({ ...fellBack, ...change })).toBeUndefined();
});

test('who is told of no calls is told of none that answered', () => {
  expect(answeringCall(own)).toBeUndefined();
});

test('webhooks of before a request are none of its, and those that ended alike are one', () => {
  const sent = (id: string, created_at: string, attempts = 1) => ({
    id,
    created_at,
    attempts,
    event_type: 'requests.refused',
    status: 'failed' as const,
    last_error: '500',
  });
  // Grouping reads no other fields.
  const deliveries = [
    sent('a', '2026-11-23T22:33:18Z'),
    sent('b', '2026-11-23T22:33:56Z'),
    sent('c', '2026-11-23T22:34:10Z'),
    sent('d', '2026-11-23T22:35:08Z', 2),
  ] as unknown as Parameters<typeof groupDeliveries>[0];
  const told = groupDeliveries(deliveries, '2026-11-23T22:33:55Z').map(({ first, count, text }) => [
    first.id,
    count,
    text,
  ]);
  expect(told).toEqual([
    ['b', 2, 'Failed after 1 try: 500'],
    ['d', 1, 'Failed after 2 tries: 500'],
  ]);
});

test('a delivery that waits has the colour that the page of webhooks gives it', () => {
  const created_at = '2026-11-23T22:34:00Z';
  const deliveries = [
    { id: 'a', created_at, status: 'pending', attempts: 1, event_type: 'test', last_error: null },
  ] as unknown as Parameters<typeof groupDeliveries>[0];
  const [told] = groupDeliveries(deliveries, '2026-11-23T22:33:55Z');
  expect(told?.tone).toBe('warn');
  expect(told?.tone).toBe(describeDelivery({ status: 'pending', attempts: 1 }, true).tone);
});

test('members that nobody knows are told with what they may have meant', () => {
  const mistyped = { name: 'max_token', did_you_mean: 'max_tokens' };
  expect(describeIgnored([mistyped, { name: '*', did_you_mean: null }])).toBe(
    'max_token (did you mean max_tokens?), a member that is no plain word',
  );
  expect(describeIgnored([])).toBeUndefined();
});

test('of what was switched off it is told who did it, why, and whether it is on again', () => {
  const at = '2026-01-31T12:00:00.000Z';
  const off = { id: 'chn_1', name: 'first', change: 'disabled' as const, reason: null };
  const channel = { ...off, type: 'channel' as const, on_again: null };
  expect(describeSwitchedOff({ ...channel, by: 'ann@acme.example' })).toEqual({
    what: 'The channel “first” was disabled',
    by: ' by ann@acme.example',
    again: '',
  });
  const itself = { ...channel, by: 'system', reason: 'The vendor refused the credential (401).' };
  expect(describeSwitchedOff({ ...itself, on_again: { at, by: 'system' } })).toEqual({
    what: 'The channel “first” was disabled automatically',
    by: ': The vendor refused the credential (401)',
    again: ' by itself',
  });
  const person = { ...channel, type: 'user' as const, name: null, id: 'usr_1', by: null };
  expect(describeSwitchedOff({ ...person, on_again: { at, by: 'bob@acme.example' } })).toEqual({
    what: 'The person “usr_1” was disabled',
    by: ' by nobody known',
    again: ' by bob@acme.example',
  });
});

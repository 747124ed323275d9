import { answeringCall } from './answering-call';

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

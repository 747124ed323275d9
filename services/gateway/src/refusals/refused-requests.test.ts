import { AppError, silentLogger, toIsoTime } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { BearerRefusedError, refusalOfBearer } from '../auth/bearer';
import {
  createRefusedRequests,
  type RefusedRequest,
  type RefusedRequests,
} from './refused-requests';

const LIMITED = new AppError('RATE_LIMIT_EXCEEDED', { publicMessage: 'Please wait 3 s.' });
const clock = createFakeClock();

function setUp(publish?: () => Promise<void>) {
  const published: (readonly RefusedRequest[])[] = [];
  const requests = createRefusedRequests({
    publish: publish ?? (async (refused) => void published.push(refused)),
    clock,
    logger: silentLogger,
  });
  const refuse = (accountId: string, requestId: string, failure = LIMITED) =>
    requests.note(
      { principal: { accountId, keyId: 'key_1' }, requestedModel: 'small', requestId },
      failure,
    );
  return { published, requests, refuse };
}

test('what was refused is published at the end of its window, and not again', async () => {
  const { published, requests, refuse } = setUp();
  refuse('acc_1', 'req_1');
  const at = toIsoTime(clock.now());
  expect(published).toEqual([]);
  await requests.flush();
  await requests.flush();
  const code = 'RATE_LIMIT_EXCEEDED';
  const told = { error_code: code, message: 'Please wait 3 s.', param: null, at };
  const data = { request_id: 'req_1', key_id: 'key_1', requested_model: 'small', ...told };
  const of = { accountId: 'acc_1', keyId: 'key_1', code };
  expect(published).toEqual([[{ ...of, type: 'refusals.sampled', data }]]);
  refuse('acc_1', 'req_2');
  await requests.flush();
  expect(published[1]).toMatchObject([{ data: { request_id: 'req_2' } }]);
});

test('few are published a second after the first of a window, and once', async () => {
  const { published, requests, refuse } = setUp();
  refuse('acc_1', 'req_1');
  await clock.advance(999);
  expect(published).toEqual([]);
  refuse('acc_1', 'req_2');
  await clock.advance(1);
  expect(published).toMatchObject([
    [{ data: { request_id: 'req_1' } }, { data: { request_id: 'req_2' } }],
  ]);
  for (let index = 3; index < 10; index += 1) refuse('acc_1', `req_${index}`);
  await clock.advance(5000);
  expect(published).toHaveLength(1);
  await requests.flush();
  // Five of a window, as without the first ones.
  expect(published[1]?.map(({ data }) => data.request_id)).toEqual(['req_3', 'req_4', 'req_5']);
  for (let account = 0; account < 21; account += 1) refuse(`acc_${account}`, 'req_x');
  await clock.advance(1000);
  expect(published).toHaveLength(2);
  await requests.flush();
  expect(published[2]).toHaveLength(21);
  expect(clock.pendingTimers).toBe(0);
});

test('a window does not end before those are published that were told early', async () => {
  const away = Promise.withResolvers<void>();
  const { requests, refuse } = setUp(() => away.promise);
  refuse('acc_1', 'req_1');
  await clock.advance(1000);
  let isOver = false;
  const over = requests.flush().then(() => {
    isOver = true;
  });
  await clock.advance(1000);
  expect(isOver).toBe(false);
  away.resolve();
  await over;
  expect(isOver).toBe(true);
});

test('a flood leaves five of a key and code and two hundred in all, and room in the next window', async () => {
  const { published, requests, refuse } = setUp();
  for (let index = 0; index < 1000; index += 1) refuse('acc_1', `req_${index}`);
  for (let index = 0; index < 195; index += 1) refuse(`acc_of_${index}`, 'req_x');
  await requests.flush();
  expect(published[0]).toHaveLength(200);
  expect(published[0]?.filter(({ accountId }) => accountId === 'acc_1')).toHaveLength(5);
  refuse('acc_1', 'req_later');
  await requests.flush();
  expect(published[1]).toHaveLength(1);
});

test('accounts with many refused requests leave room for those with one', async () => {
  const { published, requests, refuse } = setUp();
  for (let account = 0; account < 40; account += 1) {
    for (let index = 0; index < 5; index += 1) refuse(`acc_loud_${account}`, `req_${index}`);
  }
  for (let account = 0; account < 300; account += 1) refuse(`acc_${account}`, 'req_x');
  await requests.flush();
  const accounts = new Set(published[0]?.map(({ accountId }) => accountId));
  expect([published[0]?.length, accounts.size]).toEqual([200, 200]);
  expect(accounts.has('acc_loud_0') && accounts.has('acc_0')).toBe(true);
});

test('a loop of one refusal leaves room for the others of its account', async () => {
  const { published, requests, refuse } = setUp();
  for (let index = 0; index < 100; index += 1) refuse('acc_1', `req_${index}`);
  refuse('acc_1', 'req_of_budget', new AppError('KEY_BUDGET_EXCEEDED'));
  await requests.flush();
  expect(published[0]?.map(({ code }) => code)).toEqual([
    ...Array.from({ length: 5 }, () => 'RATE_LIMIT_EXCEEDED'),
    'KEY_BUDGET_EXCEEDED',
  ]);
});

test('what is at fault is kept as the client was told, and words that quote a prompt are not', async () => {
  const { published, requests, refuse } = setUp();
  const told = { param: 'temperature', publicMessage: 'temperature must be at most 2.' };
  refuse('acc_1', 'req_1', new AppError('VALIDATION_ERROR', told));
  const quoting = new AppError('CONTENT_POLICY', { publicMessage: 'my secret is not allowed.' });
  refuse('acc_1', 'req_2', quoting);
  await requests.flush();
  const { param, publicMessage: message } = told;
  expect(published[0]?.[0]).toMatchObject({ data: { param, message, requested_model: 'small' } });
  expect(published[0]?.[1]?.data.message).not.toContain('secret');
});

const NETWORK = '192.0.2.1';
const known = (fault: 'revoked' | 'wrong_secret', accountId: string) =>
  new BearerRefusedError({ fault, presented: 'tg_live_a…', accountId, keyId: 'key_1' });

test('a flood of unknown keys has a small share, and leaves the places of the others', async () => {
  const { published, requests, refuse } = setUp();
  for (let index = 0; index < 1000; index += 1) {
    requests.noteUnauthorized(`req_${index}`, NETWORK, refusalOfBearer('unknown'));
  }
  expect(await publishedBy(requests, published)).toHaveLength(5);
  const next = setUp();
  for (let index = 0; index < 1000; index += 1) {
    next.requests.noteUnauthorized(`req_${index}`, `192.0.2.${index}`, refusalOfBearer('missing'));
  }
  // Whoever knows a public id and no secret is as much a stranger.
  next.requests.noteUnauthorized('req_guess', '192.0.3.1', known('wrong_secret', 'acc_1'));
  for (let index = 0; index < 1000; index += 1) next.refuse(`acc_of_${index}`, 'req_x');
  expect(await publishedBy(next.requests, next.published)).toHaveLength(210);
  refuse('acc_1', 'req_later');
  expect(await publishedBy(requests, published)).toHaveLength(1);
});

test('a revoked key is kept as its own, by whatever flood of strangers', async () => {
  const { published, requests } = setUp();
  for (let index = 0; index < 100; index += 1) {
    requests.noteUnauthorized(`req_${index}`, `192.0.2.${index}`, refusalOfBearer('unknown'));
  }
  for (let index = 0; index < 9; index += 1) {
    requests.noteUnauthorized(`req_r${index}`, NETWORK, known('revoked', 'acc_1'));
  }
  const kept = (await publishedBy(requests, published)).filter((one) => one.accountId === 'acc_1');
  expect(kept).toHaveLength(5);
  expect(kept[0]).toMatchObject({ data: { request_id: 'req_r0', fault: 'revoked' } });
});

test('a session that is refused is told apart from a key', async () => {
  const { published, requests } = setUp();
  requests.noteUnauthorized('req_1', NETWORK, new AppError('UNAUTHORIZED'));
  expect(await publishedBy(requests, published)).toMatchObject([{ data: { fault: 'session' } }]);
});

async function publishedBy(
  requests: Pick<RefusedRequests, 'flush'>,
  published: readonly (readonly RefusedRequest[])[],
): Promise<readonly RefusedRequest[]> {
  await requests.flush();
  return published.at(-1) ?? [];
}

test('why no channel could take a request is kept', async () => {
  const { published, requests, refuse } = setUp();
  const rejected = [{ channelId: 'chn_1', model: 'small', reason: 'failing' }] as const;
  refuse('acc_1', 'req_1', new AppError('SERVICE_UNAVAILABLE', { rejected }));
  const told = { channel_id: 'chn_1', model: 'small', reason: 'failing' };
  expect(await publishedBy(requests, published)).toMatchObject([{ data: { rejected: [told] } }]);
});

test('who is not known, and a bus that is away, hold nobody up', async () => {
  const { requests, refuse } = setUp(() => Promise.reject(new Error('away')));
  requests.note({ principal: undefined, requestedModel: undefined, requestId: 'req_1' }, LIMITED);
  refuse('acc_1', 'req_2');
  await requests.flush();
});

test('what was sent to no path is kept among strangers, with the path and what was meant', async () => {
  const { published, requests } = setUp();
  const path = '/v1/v1/chat/completions';
  const refusal = { code: 'NOT_FOUND', path, message: 'Ask another.', presented: '' };
  for (let index = 0; index < 100; index += 1) {
    requests.noteUnrouted(`req_${index}`, NETWORK, refusal);
  }
  const kept = await publishedBy(requests, published);
  expect(kept).toHaveLength(5);
  const { code, message } = refusal;
  const data = { request_id: 'req_0', path, message, presented: null };
  expect(kept[0]).toMatchObject({ code, type: 'refusals.unrouted', data });
});

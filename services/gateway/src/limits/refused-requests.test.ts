import { AppError, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createRefusedRequests, type RefusedRequest } from './refused-requests';

const LIMITED = new AppError('RATE_LIMIT_EXCEEDED', { publicMessage: 'Please wait 3 s.' });
const clock = createFakeClock();

function setUp(publish?: () => Promise<void>) {
  const published: (readonly RefusedRequest[])[] = [];
  const requests = createRefusedRequests({
    publish: publish ?? (async (refused) => void published.push(refused)),
    ...{ windowMs: 10_000, clock, logger: silentLogger },
  });
  requests.start();
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
  const atMs = clock.now();
  expect(published).toEqual([]);
  await clock.advance(10_000);
  await clock.advance(10_000);
  const known = { accountId: 'acc_1', keyId: 'key_1', requestId: 'req_1', atMs };
  const told = { code: 'RATE_LIMIT_EXCEEDED', message: 'Please wait 3 s.', param: undefined };
  expect(published).toEqual([[{ ...known, ...told, requestedModel: 'small' }]]);
  refuse('acc_1', 'req_2');
  await requests.stop();
  expect(published[1]).toMatchObject([{ requestId: 'req_2' }]);
});

test('a flood leaves five of a key and code and two hundred in all, and room in the next window', async () => {
  const { published, requests, refuse } = setUp();
  for (let index = 0; index < 1000; index += 1) refuse('acc_1', `req_${index}`);
  for (let index = 0; index < 1000; index += 1) refuse(`acc_of_${index}`, 'req_x');
  await clock.advance(10_000);
  expect(published[0]).toHaveLength(200);
  expect(published[0]?.filter(({ accountId }) => accountId === 'acc_1')).toHaveLength(5);
  refuse('acc_1', 'req_later');
  await requests.stop();
  expect(published[1]).toHaveLength(1);
});

test('a loop of one refusal leaves room for the others of its account', async () => {
  const { published, requests, refuse } = setUp();
  for (let index = 0; index < 100; index += 1) refuse('acc_1', `req_${index}`);
  refuse('acc_1', 'req_of_budget', new AppError('KEY_BUDGET_EXCEEDED'));
  await requests.stop();
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
  await requests.stop();
  const { param, publicMessage: message } = told;
  expect(published[0]?.[0]).toMatchObject({ param, message, requestedModel: 'small' });
  expect(published[0]?.[1]?.message).not.toContain('secret');
});

test('who is not known, and a bus that is away, hold nobody up', async () => {
  const { requests, refuse } = setUp(() => Promise.reject(new Error('away')));
  requests.note({ principal: undefined, requestedModel: undefined, requestId: 'req_1' }, LIMITED);
  refuse('acc_1', 'req_2');
  await requests.stop();
});

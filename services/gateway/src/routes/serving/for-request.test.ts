import { createFakeClock } from '@tollgate/testkit';
import { forRequest, type SharedServices } from './for-request';

const REQUEST = { requestId: 'req_1', accountId: 'acc_1', traceparent: '00-1-2-01' };

/** Answers each call with what it was called with. */
function echo<Client extends object>(names: readonly string[]): Client {
  return Object.fromEntries(
    names.map((name) => [name, async (...sent: unknown[]) => sent]),
  ) as Client;
}

const shared: SharedServices = {
  identity: echo(['getUser']),
  billing: echo(['getBalance']),
  routing: echo(['listModels']),
  stats: echo(['queryUsage']),
  webhook: echo(['listEndpoints']),
  completions: {
    ...echo<SharedServices['completions']>([
      'countTokens',
      'defaultTimeouts',
      'explain',
      'listActive',
    ]),
    instances: [],
  },
  clock: createFakeClock(),
  startedAtMs: 0,
  denialWindowMs: 10_000,
  plans: echo(['planOf']),
  signerSecrets: [],
};

test('each call says for which request it is made', async () => {
  const { billing, identity, routing, stats, webhook } = forRequest(shared, REQUEST);
  const calls = [
    identity.getUser({ userId: 'usr_1' }),
    billing.getBalance({}),
    routing.listModels({}),
    stats.queryUsage({}),
    webhook.listEndpoints({}),
  ];
  const sent = await Promise.all<unknown>(calls);
  expect(sent[0]).toEqual([{ userId: 'usr_1' }, REQUEST]);
  for (const each of sent.slice(1)) expect(each).toEqual([{}, REQUEST]);
});

test('what a call says itself is said besides', async () => {
  const services = forRequest(shared, REQUEST);
  const call = { ...REQUEST, deadlineMs: 7 };
  expect(await services.billing.getBalance({}, { deadlineMs: 7 })).toEqual([{}, call]);
  const { completions } = services;
  expect(await completions.defaultTimeouts({ deadlineMs: 7 })).toEqual([call]);
  const sought = { accountId: 'acc_1', name: '' };
  expect(await completions.listActive(sought, { deadlineMs: 7 })).toEqual([sought, call]);
  expect(completions.instances).toBe(shared.completions.instances);
});

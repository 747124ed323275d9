import { AppError } from '@tollgate/core';
import { keyText } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const [customer, operator] = [keyText(1), keyText(2)];
const AT = '2026-02-03T10:00:00.000Z';
const PEOPLE: Readonly<Record<string, { email: string; accountId: string }>> = {
  usr_op: { email: 'op@tollgate.test', accountId: 'acc_op' },
  usr_ann: { email: 'ann@acme.test', accountId: 'acc_1' },
};
let gateway: GatewayUnderTest;

const entry = (kind: string, creditId: string, actorId: string) => ({
  accountId: 'acc_1',
  seq: '1',
  kind,
  amount: '1000000000',
  at: AT,
  creditId,
  actorId,
});

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(customer, { accountId: 'acc_1', scopes: ['billing'] });
  gateway.principals.set(operator, { accountId: 'acc_op', operator: true, scopes: ['admin'] });
  gateway.identity.handlers.getAccount = async () => ({ account: { id: 'acc_1', plan: 'free' } });
  gateway.identity.handlers.getUser = async ({ userId }) => {
    const user = PEOPLE[userId];
    if (user === undefined) throw new AppError('NOT_FOUND');
    return { user: { id: userId, ...user } };
  };
  gateway.billing.handlers.searchLedger = async () => ({
    entries: [
      entry('credit', 'acc_1:one', 'usr_op'),
      entry('adjustment', 'acc_1:adjustment:two', 'usr_gone'),
      entry('credit', 'acc_1:claim:topup:shop:evt_1', ''),
      entry('credit', 'acc_1:claim:code:cod_1', 'usr_ann'),
      entry('credit', 'acc_1:from-before', ''),
      entry('charge', '', ''),
    ],
  });
});
afterEach(() => gateway.stop());

async function readBy(path: string, key: string) {
  const { json } = await gateway.send('GET', path, { key });
  const data = (json.data ?? json) as { readonly items: readonly { readonly by: unknown }[] };
  return data.items.map(({ by }) => by);
}

test('an operator sees who gave and took back, and which payment system paid', async () => {
  expect(await readBy('/v1/admin/accounts/acc_1/ledger', operator)).toEqual([
    'op@tollgate.test',
    'usr_gone',
    'payment system shop',
    'ann@acme.test',
    null,
    null,
  ]);
});

test('an account sees its own people by name, and of nobody else more than what they are', async () => {
  expect(await readBy('/v1/billing/ledger', customer)).toEqual([
    'the operator',
    'the operator',
    'payment system shop',
    'ann@acme.test',
    'the operator',
    null,
  ]);
});

test('codes are found by how they end, and tell who made, redeemed and revoked them', async () => {
  const asked: string[] = [];
  gateway.billing.handlers.listCodes = async ({ preview }) => {
    asked.push(preview);
    const code = { id: 'cod_1', batchId: 'cbt_1', preview: '4Z7K', amount: '5', createdAt: AT };
    return { codes: [{ ...code, createdBy: 'usr_op', endedBy: 'usr_ann', accountId: 'acc_1' }] };
  };
  const path = '/v1/admin/codes?preview=4z7k';
  const { json } = await gateway.send('GET', path, { key: operator });
  expect(json.data).toMatchObject({
    items: [{ created_by: 'op@tollgate.test', ended_by: 'ann@acme.test' }],
  });
  expect(asked).toEqual(['4z7k']);
});

test('who gives, takes back, redeems and revokes is told to billing', async () => {
  const asked: unknown[] = [];
  const keep = async (request: { readonly actorId: string }) => {
    asked.push(request.actorId);
    return { entry: entry('credit', 'acc_1:one', request.actorId) };
  };
  gateway.billing.handlers.addCredits = keep;
  gateway.billing.handlers.adjustBalance = keep;
  gateway.principals.set(operator, { userId: 'usr_op', operator: true, scopes: ['admin'] });
  for (const [path, why] of [
    ['credits', 'note'],
    ['adjustments', 'reason'],
  ] as const) {
    const { json } = await gateway.send('POST', `/v1/admin/accounts/acc_1/${path}`, {
      key: operator,
      body: { amount: '1.00', [why]: 'because' },
      headers: { 'idempotency-key': path },
    });
    expect(json.data).toMatchObject({ by: 'op@tollgate.test' });
  }
  expect(asked).toEqual(['usr_op', 'usr_op']);
});

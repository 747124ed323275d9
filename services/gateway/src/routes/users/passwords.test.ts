import { keyText, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
const AT = '2026-02-03T10:00:00.000Z';
let gateway: GatewayUnderTest;

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
  gateway.identity.handlers.startPasswordReset = async ({ userId }) => ({
    user: {
      id: userId,
      email: 'ann@acme.test',
      accountId: 'acc_1',
      status: 'USER_STATUS_DISABLED',
    },
    code: 'shown once',
    expiresAt: AT,
  });
  gateway.identity.handlers.getAccount = async () => ({
    account: { id: 'acc_1', status: 'ACCOUNT_STATUS_SUSPENDED' },
  });
  const entry = { id: 'aud_1', at: AT, actorUserId: 'usr_op', resourceId: 'usr_1' };
  const disabled = {
    ...entry,
    operation: 'POST /v1/admin/users/{id}/disable',
    outcome: 'AUDIT_OUTCOME_SUCCEEDED' as const,
  };
  gateway.identity.handlers.listAuditEntries = async () => ({ entries: [disabled] });
  gateway.identity.handlers.getAuditEntry = async () => ({ entry: disabled });
  gateway.identity.handlers.getUser = async ({ userId }) => ({
    user: { id: userId, email: 'op@tollgate.test' },
  });
});
afterEach(() => gateway.stop());

async function reset() {
  const path = '/v1/admin/users/usr_1/reset-password';
  return (await gateway.send('POST', path, { key })).json.data;
}

test('who makes a code is told what keeps it from helping: who was disabled by whom, and the account', async () => {
  expect(await reset()).toMatchObject({
    email: 'ann@acme.test',
    user_status: 'disabled',
    switched_off: { at: AT, by: 'op@tollgate.test' },
    account_status: 'suspended',
  });
});

test('a code that was made is told, whatever cannot be read beside it', async () => {
  const away = refusing('SERVICE_UNAVAILABLE');
  gateway.identity.handlers.getAccount = away;
  gateway.identity.handlers.getAuditEntry = away;
  expect(await reset()).toMatchObject({
    code: 'shown once',
    switched_off: null,
    account_status: null,
  });
});

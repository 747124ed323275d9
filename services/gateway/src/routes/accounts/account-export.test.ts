import { AppError, type Logger, silentLogger } from '@tollgate/core';
import { waitFor } from '@tollgate/testkit';
import { keyText } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const PATH = '/v1/admin/accounts/acc_1/export';
/** As many as the export asks for at once: where there are so many it asks again. */
const PAGE = 500;
const AT = '2026-02-03T10:00:00.000Z';

let gateway: GatewayUnderTest;
afterEach(() => gateway.stop());

const page = Array.from({ length: PAGE }, (_, place) => ({
  accountId: 'acc_1',
  seq: String(place + 1),
  kind: 'charge',
  amount: '1000',
  at: AT,
}));

test('an export that breaks off in the middle is logged as a failure of ours', async () => {
  const lines: object[] = [];
  const at = (level: string) => (fields: object, sentence: string) =>
    void lines.push({ ...fields, level, sentence });
  const logger: Logger = {
    ...silentLogger,
    info: at('info'),
    warn: at('warn'),
    child: () => logger,
  };
  gateway = await startGateway({ logger });
  gateway.principals.set(keyText(1), { operator: true, scopes: ['admin'] });
  gateway.identity.handlers.getAccount = async () => ({ account: { id: 'acc_1' } });
  gateway.billing.handlers.listLedger = async ({ afterSeq }) => {
    if (afterSeq === '0') return { entries: page, lastSeq: String(PAGE) };
    throw new AppError('INTERNAL_ERROR');
  };
  const exported = gateway.send('POST', PATH, { key: keyText(1), body: { format: 'csv' } });
  await expect(exported).rejects.toThrow();
  const row = { route: '/v1/admin/accounts/{id}/export', method: 'POST' };
  const line = () => lines.find((each) => 'route' in each && each.route === row.route);
  await waitFor(() => line() !== undefined);
  expect(line()).toMatchObject({
    ...row,
    level: 'warn',
    sentence: 'not answered',
    status: 200,
    whole: false,
    code: 'INTERNAL_ERROR',
  });
});

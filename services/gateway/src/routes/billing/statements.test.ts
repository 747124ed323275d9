import { keyText } from '../../testing/fixtures';
import { sendRequest } from '../../testing/http-client';
import { type GatewayUnderTest, startGateway } from '../../testing/start-gateway';

const key = keyText(1);
let gateway: GatewayUnderTest;

const line = (model: string, amount: string) => ({
  model,
  keyId: 'key_1',
  requests: 1,
  promptTokens: 1204,
  amount,
});

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { accountName: 'Acme <script>' });
  Object.assign(gateway.billing.handlers, {
    getStatement: async () => ({
      statement: {
        month: '2026-01',
        currency: 'USD',
        opening: '0',
        credits: '5000000000',
        adjustments: '-1000000000',
        charges: '3000000000',
        closing: '1000000000',
        lines: [line('cheap', '1000000000'), line('=dear', '2000000000')],
      },
    }),
  });
});
afterAll(() => gateway.stop());

const get = (query: string) =>
  sendRequest(gateway.baseUrl, 'GET', `/v1/billing/statements/2026-01${query}`, { key });

test('has the dearest line first, whose sum is the charges', async () => {
  const { json } = await get('');
  expect(json.data).toMatchObject({
    month: '2026-01',
    closing_balance: '1.00',
    charges: '3.00',
    lines: [{ model: '=dear', amount: '2.00' }, { model: 'cheap' }],
  });
});

test('as a table it is inert in a spreadsheet', async () => {
  const { headers, text } = await get('?format=csv');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const rows = text.trim().split('\r\n');
  expect(rows[1]).toBe('2026-01,opening balance,,,,,,0.00,USD');
  expect(rows[4]).toBe('2026-01,charge,"\'=dear",key_1,1,1204,0,2.00,USD');
  expect(rows.at(-1)).toBe('2026-01,closing balance,,,,,,1.00,USD');
});

test('as a page it runs nothing, whatever the account is called', async () => {
  const { headers, text } = await get('?format=html');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('<h1>Acme &lt;script&gt;: statement of January 2026</h1>');
  expect(text).not.toContain('<script');
});

test('as a page it is written for people', async () => {
  const { text } = await get('?format=html');
  expect(text).toContain('<th scope="row">Opening balance</th><td class="n">0.00 USD</td>');
  expect(text).toContain('<td class="n">−1.00 USD</td>');
  expect(text).toContain('<td class="n">1,204</td>');
  expect(text).toContain('Amount, USD');
});

test.each(['2026-13', '2026', 'x'])('%s is no month', async (month) => {
  const path = `/v1/billing/statements/${month}`;
  const { status, json } = await sendRequest(gateway.baseUrl, 'GET', path, { key });
  expect([status, json.error?.param]).toEqual([400, 'month']);
});

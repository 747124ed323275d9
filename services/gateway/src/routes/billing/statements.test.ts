import { AppError, toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { createFakeClock } from '@tollgate/testkit';
import { keyText } from '../../testing/fixtures';
import {
  type GatewayUnderTest,
  noonAfterTomorrow,
  startGateway,
} from '../../testing/gateway-fixture';

const key = keyText(1);
const BOOKKEEPER = keyText(2);
const NOW_MS = noonAfterTomorrow();
const MONTH_NOW = toIsoTime(NOW_MS).slice(0, 'yyyy-mm'.length);
let gateway: GatewayUnderTest;

const line = (model: string, amount: string, keyId = 'key_1') => ({
  model,
  keyId,
  requests: 1200,
  amount,
});
const listed = (id: string, name: string) => ({ id, name }) as identityV1.ApiKey;

beforeAll(async () => {
  gateway = await startGateway({ clock: createFakeClock(NOW_MS) });
  gateway.principals.set(key, { accountName: 'Acme <script>', scopes: ['billing', 'keys'] });
  gateway.principals.set(BOOKKEEPER, { scopes: ['billing'] });
  Object.assign(gateway.identity.handlers, {
    listApiKeys: async ({ cursor = '' }) =>
      cursor === ''
        ? { apiKeys: [listed('key_9', 'another')], nextCursor: 'more' }
        : { apiKeys: [listed('key_1', '=shop & co')], nextCursor: '' },
  } satisfies Partial<typeof gateway.identity.handlers>);
  Object.assign(gateway.billing.handlers, {
    getStatement: async ({ month = '' }) => ({
      statement: {
        month,
        currency: 'USD',
        opening: '0',
        credits: '5000000000000',
        adjustments: '-1000000000',
        charges: '3000000000',
        closing: '4996000000000',
        lines: [line('cheap', '1000000000', 'key_gone'), line('=dear', '2000000000')],
      },
    }),
  });
});
afterAll(() => gateway.stop());

const get = (query: string, bearer = key, month = '2026-01') =>
  gateway.send('GET', `/v1/billing/statements/${month}${query}`, { key: bearer });

test('has the dearest line first, whose sum is the charges', async () => {
  const { json } = await get('');
  expect(json.data).toMatchObject({
    month: '2026-01',
    closing_balance: '4996.00',
    charges: '3.00',
    lines: [{ model: '=dear', amount: '2.00' }, { model: 'cheap' }],
  });
});

test('as a table it is inert in a spreadsheet', async () => {
  const { headers, text } = await get('?format=csv');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const rows = text.trim().split('\r\n');
  expect(rows[0]).toMatch(/,amount,currency,key_name$/);
  expect(rows[1]).toBe('2026-01,opening balance,,,,,,0.00,USD,');
  expect(rows[4]).toBe('2026-01,charge,"\'=dear",key_1,1200,0,0,2.00,USD,"\'=shop & co"');
  expect(rows[5]).toBe('2026-01,charge,"cheap",key_gone,1200,0,0,1.00,USD,""');
  expect(rows.at(-1)).toBe('2026-01,closing balance,,,,,,4996.00,USD,');
});

test('as a page it runs nothing, whatever the account is called', async () => {
  const { headers, text } = await get('?format=html');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('<h1>Statement of Acme &lt;script&gt;, January 2026</h1>');
  expect(text).not.toContain('<script');
});

/** What a reader of the page sees, cell after cell. */
const cellsOf = (text: string) =>
  text
    .replace(/<style>.*<\/style>/, '')
    .split(/<[^>]*>/)
    .filter((cell) => cell.trim() !== '');

test('as a page it is for a bookkeeper: names, one currency, grouped figures, a total', async () => {
  const cells = cellsOf((await get('?format=html')).text);
  const at = (cell: string, count: number) => {
    const start = cells.indexOf(cell);
    return cells.slice(start, start + count);
  };
  expect(at('Item', 4)).toEqual(['Item', 'Amount (USD)', 'Opening balance', '0.00']);
  expect(at('Credits', 4)).toEqual(['Credits', '5,000.00', 'Adjustments', '−1.00']);
  // The order of the table and of the console: by model, then by key.
  expect(at('Model', 2)).toEqual(['Model', 'API key']);
  const dear = ['=dear', '=shop &amp; co', 'key_1', '1,200', '0', '0', '2.00'];
  expect(at('=dear', 7)).toEqual(dear);
  expect(at('cheap', 3)).toEqual(['cheap', 'key_gone', '1,200']);
  expect(cells.slice(-5)).toEqual(['Charges', '2,400', '0', '0', '3.00']);
});

test('the day of issue tells whether the month was over', async () => {
  const issued = async (month: string) =>
    cellsOf((await get('?format=html', key, month)).text).find((cell) => cell.includes('Issued'));
  const [year] = MONTH_NOW.split('-');
  expect(await issued('2026-01')).toMatch(new RegExp(`^Issued \\d+ [A-Z][a-z]+ ${year}\\. `));
  expect(await issued(MONTH_NOW)).toContain(', before the month was over.');
});

test('who may not list the keys reads their ids, and so does everybody while nobody knows names', async () => {
  expect((await get('?format=csv', BOOKKEEPER)).text).not.toContain('shop');
  const { listApiKeys } = gateway.identity.handlers;
  gateway.identity.handlers.listApiKeys = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
  const { status, text } = await get('?format=html');
  expect([status, cellsOf(text).includes('key_1')]).toEqual([200, true]);
  if (listApiKeys !== undefined) gateway.identity.handlers.listApiKeys = listApiKeys;
});

test.each(['2026-13', '2026', 'x'])('%s is no month', async (month) => {
  const path = `/v1/billing/statements/${month}`;
  const { status, json } = await gateway.send('GET', path, { key });
  expect([status, json.error?.param]).toEqual([400, 'month']);
});

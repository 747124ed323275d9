import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('the member that the first exercise adds has a number that is free', () => {
  const [, asked] = /`int64 last_credit = (\d+);`/.exec(read('docs/first-hour.md')) ?? [];
  const proto = read('protos/tollgate/billing/v1/billing.proto');
  const [, body = ''] = /message GetBalanceResponse \{([^}]*)\}/.exec(proto) ?? [];
  const taken = [...body.matchAll(/= (\d+);/g)].map(([, number]) => number);
  expect(taken).toContain('4');
  expect(taken).not.toContain(asked);
  expect(Number(asked)).toBeGreaterThan(0);
});

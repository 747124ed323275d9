import { readFromRoot } from '../repository';

test('the member that the first exercise adds has a number that is free', () => {
  const [, asked] = /`int64 last_credit = (\d+);`/.exec(readFromRoot('docs/first-hour.md')) ?? [];
  const proto = readFromRoot('protos/tollgate/billing/v1/billing.proto');
  const [, body = ''] = /message GetBalanceResponse \{([^}]*)\}/.exec(proto) ?? [];
  const taken = [...body.matchAll(/= (\d+);/g)].map(([, number]) => number);
  expect(taken).toContain('4');
  expect(taken).not.toContain(asked);
  expect(Number(asked)).toBeGreaterThan(0);
});

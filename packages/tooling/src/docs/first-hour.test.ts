import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, readFromRoot } from '../repository';
import { listFiles } from '../tidy/tidy';

test('the member that the first exercise adds has a number that is free', () => {
  const [, asked] = /`int64 last_credit = (\d+);`/.exec(readFromRoot('docs/first-hour.md')) ?? [];
  const proto = readFromRoot('protos/tollgate/billing/v1/billing.proto');
  const [, body = ''] = /message GetBalanceResponse \{([^}]*)\}/.exec(proto) ?? [];
  const taken = [...body.matchAll(/= (\d+);/g)].map(([, number]) => number);
  expect(taken).toContain('4');
  expect(taken).not.toContain(asked);
  expect(Number(asked)).toBeGreaterThan(0);
});

test('every file and folder that the exercises name exists', () => {
  const names = new Set(listFiles().map((path) => basename(path)));
  const page = readFromRoot('docs/first-hour.md');
  const paths = [
    ...page.matchAll(/`((?:services|packages|protos|test-e2e|deploy|docs)\/[^`\s]+)`/g),
  ];
  const files = [
    ...page.matchAll(/`(?:[\w-]+\/)*([\w-]+(?:\.[\w-]+)*\.(?:tsx?|ya?ml|md|proto))`/g),
  ];
  expect(
    paths.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path))),
  ).toEqual([]);
  expect(files.map(([, name = '']) => name).filter((name) => !names.has(name))).toEqual([]);
  expect(paths.length).toBeGreaterThan(40);
});

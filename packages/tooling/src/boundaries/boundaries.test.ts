import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../repository';
import { cruise } from './cruise';

const { forbidden } = require('../../../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly { readonly name: string }[];
};

jest.setTimeout(60_000);

test('the real graph is not empty and keeps every boundary', () => {
  const report = cruise(ROOT);
  expect(report.modules).toBeGreaterThan(150);
  expect(report.dependencies).toBeGreaterThan(400);
  expect(report.violations).toEqual([]);
});

/** Bad imports, at least one for each rule, as `[rule, file, what it imports]`. */
const plants: readonly (readonly [rule: string, file: string, target: string])[] = [
  ['contract-is-a-leaf', 'protos/src/a.ts', 'packages/core/src/index.ts'],
  ['core-knows-nothing', 'packages/core/src/a.ts', 'protos/src/index.ts'],
  ['core-needs-only-ulid', 'packages/core/src/b.ts', 'zod'],
  ['layer-1-knows-0', 'packages/config/src/a.ts', 'packages/lifecycle/src/index.ts'],
  [
    'layer-1-siblings-are-strangers',
    'packages/config/src/b.ts',
    'packages/observability/src/index.ts',
  ],
  ['layer-2-knows-0-and-1', 'packages/lifecycle/src/a.ts', 'packages/rpc/src/index.ts'],
  ['layer-3-siblings-are-strangers', 'packages/rpc/src/a.ts', 'packages/events/src/index.ts'],
  ['packages-know-no-service', 'packages/events/src/a.ts', 'services/billing/src/index.ts'],
  ['services-are-strangers', 'services/stats/src/a.ts', 'services/billing/src/index.ts'],
  [
    'all-in-one-uses-front-doors',
    'services/all-in-one/src/a.ts',
    'services/billing/src/service.ts',
  ],
  ['workspace-by-front-door', 'services/billing/src/o.ts', 'packages/core/src/clock.ts'],
  ['testkit-is-for-tests', 'services/billing/src/b.ts', 'packages/testkit/src/index.ts'],
  ['nobody-imports-tooling', 'services/billing/src/c.ts', 'packages/tooling/src/tidy/a.ts'],
  ['e2e-is-black-box', 'test-e2e/suites/a.ts', 'packages/core/src/index.ts'],
  ['domain-is-pure', 'services/billing/src/domain/a.ts', 'packages/rpc/src/index.ts'],
  [
    'operations-know-the-domain',
    'services/billing/src/operations/a.ts',
    'services/billing/src/storage/store.ts',
  ],
  ['jobs-drive-operations', 'services/billing/src/jobs/a.ts', 'services/billing/src/events/bus.ts'],
  [
    'edges-are-strangers',
    'services/billing/src/grpc/a.ts',
    'services/billing/src/storage/store.ts',
  ],
  [
    'edges-are-strangers',
    'services/gateway/src/http/a.ts',
    'services/gateway/src/clients/client.ts',
  ],
  [
    'credit-spool-and-usage-know-no-edge',
    'services/completion/src/credit/a.ts',
    'services/completion/src/clients/client.ts',
  ],
  [
    'credit-spool-and-usage-know-no-edge',
    'services/completion/src/spool/a.ts',
    'services/completion/src/operations/run.ts',
  ],
  [
    'credit-spool-and-usage-know-no-edge',
    'services/completion/src/usage/a.ts',
    'services/completion/src/service.ts',
  ],
  ['spool-disk-is-given', 'services/completion/src/usage/b.ts', 'node:fs'],
  ['spool-disk-is-given', 'services/completion/src/spool/b.ts', 'node:fs/promises'],
  [
    'completion-threads-know-nobody',
    'services/completion/src/threads/a.ts',
    'services/completion/src/service.ts',
  ],
  [
    'gateway-bounds-and-money-know-nobody',
    'services/gateway/src/bounds/a.ts',
    'services/gateway/src/metrics.ts',
  ],
  [
    'gateway-bounds-and-money-know-nobody',
    'services/gateway/src/money/a.ts',
    'services/gateway/src/http/errors.ts',
  ],
  [
    'gateway-http-knows-no-operation',
    'services/gateway/src/http/b.ts',
    'services/gateway/src/auth/authorize.ts',
  ],
  [
    'gateway-clients-know-no-operation',
    'services/gateway/src/clients/a.ts',
    'services/gateway/src/http/errors.ts',
  ],
  [
    'gateway-rules-know-no-operation',
    'services/gateway/src/auth/a.ts',
    'services/gateway/src/routes/table.ts',
  ],
  [
    'gateway-rules-know-no-operation',
    'services/gateway/src/limits/a.ts',
    'services/gateway/src/chat/format.ts',
  ],
  [
    'gateway-rules-know-no-operation',
    'services/gateway/src/refusals/a.ts',
    'services/gateway/src/pages/pages.ts',
  ],
  ['owner-grpc', 'services/billing/src/d.ts', '@grpc/grpc-js'],
  ['owner-kafka', 'services/billing/src/e.ts', 'kafkajs'],
  ['owner-mongoose', 'services/billing/src/f.ts', 'mongoose'],
  ['owner-undici', 'services/billing/src/g.ts', 'undici'],
  ['owner-opossum', 'services/billing/src/h.ts', 'opossum'],
  ['owner-prom-client', 'services/billing/src/i.ts', 'prom-client'],
  ['owner-pino', 'services/billing/src/j.ts', 'pino'],
  ['owner-express', 'services/billing/src/k.ts', 'express'],
  ['owner-jsonwebtoken', 'services/billing/src/l.ts', 'jsonwebtoken'],
  ['declared-dependencies', 'services/billing/src/m.ts', 'undeclared'],
  ['resolvable', 'services/billing/src/n.ts', 'not-there'],
];

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'boundaries-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const libraries = new Set<string>();
  for (const [, file, target] of plants) {
    if (target.endsWith('.ts')) {
      write(target, 'export const there = 1;\n');
      const up = '../'.repeat(file.split('/').length - 1);
      write(
        file,
        `import { there } from '${up}${target.replace(/\.ts$/, '')}';\nexport const a = there;\n`,
      );
    } else {
      if (target !== 'not-there' && !target.startsWith('node:')) libraries.add(target);
      write(file, `import { there } from '${target}';\nexport const a = there;\n`);
    }
  }
  for (const library of libraries) {
    const folder = `node_modules/${library}`;
    write(`${folder}/package.json`, JSON.stringify({ name: library, main: 'index.js' }));
    write(`${folder}/index.js`, 'exports.there = 1;\n');
  }
  libraries.delete('undeclared');
  const dependencies = Object.fromEntries([...libraries].map((name) => [name, '1.0.0']));
  write('package.json', JSON.stringify({ name: 'planted', dependencies }));
  write(
    'services/billing/src/cycle-a.ts',
    "import { b } from './cycle-b';\nexport const a = () => b;\n",
  );
  write(
    'services/billing/src/cycle-b.ts',
    "import { a } from './cycle-a';\nexport const b = () => a;\n",
  );
  copyFileSync(join(ROOT, 'tsconfig.base.json'), join(root, 'tsconfig.base.json'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('every rule has a planted bad import', () => {
  const planted = new Set([...plants.map(([rule]) => rule), 'no-cycles']);
  expect([...planted].sort()).toEqual(forbidden.map(({ name }) => name).sort());
});

test('every planted bad import is caught by its rule, and the cycle too', () => {
  const { violations } = cruise(root);
  const caught = (rule: string, file: string) =>
    violations.some((violation) => violation.rule === rule && violation.from === file);
  expect(plants.filter(([rule, file]) => !caught(rule, file))).toEqual([]);
  expect(violations.map((violation) => violation.rule)).toContain('no-cycles');
});

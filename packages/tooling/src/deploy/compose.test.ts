import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { collectReaders } from '../reference/collect-configuration';
import { mergeReaders } from '../reference/read-settings';
import { ROOT, readFromRoot } from '../repository';
import { problemsOf, SECRET_VALUES } from './container-environment';

interface ComposeService {
  readonly build?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

const { services } = parse(readFromRoot('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);
/** What a person fills in, by name. */
const asked = readFromRoot('deploy/compose/env.example')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => line.split('=')[0] ?? '');

test('every service that the product has apart is composed', () => {
  expect(ours.map(([name]) => name).sort()).toEqual([
    'billing',
    'completion',
    'console',
    'gateway',
    'identity',
    'routing',
    'stats',
    'webhook',
  ]);
});

test.each(ours)('the product accepts the settings of %s', (_name, { environment, env_file }) => {
  const filled = Object.fromEntries(asked.map((name) => [name, SECRET_VALUES[name] ?? '']));
  expect(problemsOf({ ...(env_file === undefined ? {} : filled), ...environment })).toEqual([]);
});

test('what is left empty is told by name', () => {
  const { environment = {} } = services.identity ?? {};
  const problems = problemsOf(environment).join('\n');
  for (const name of ['TOLLGATE_SERVICE_SECRET', 'TOLLGATE_SEALING_KEYS', 'TOLLGATE_KEY_PEPPERS']) {
    expect(problems).toContain(name);
  }
});

test('nobody starts before those that it needs are healthy', () => {
  for (const [name, { depends_on = {} }] of Object.entries(services)) {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      expect([name, needed, condition]).toEqual([name, needed, 'service_healthy']);
      // Our image asks for its own health; the engines' have to be asked here.
      const { build, healthcheck } = services[needed] ?? {};
      expect([needed, build ?? healthcheck]).toEqual([needed, expect.anything()]);
    }
  }
});

/** Variables of other programs, and one of the chart's own. */
const FOREIGN = /^(KAFKA_(?!BROKERS)|POD_NAME$|NODE_ENV$)/;

test('every variable that deploy names is in the configuration reference', () => {
  const known = new Set(mergeReaders(collectReaders()).map(({ name }) => name));
  const chart = 'deploy/helm/tollgate';
  const templates = readdirSync(join(ROOT, chart, 'templates')).map(
    (n) => `${chart}/templates/${n}`,
  );
  const values = readdirSync(join(ROOT, chart)).flatMap((name) =>
    name.endsWith('.yaml') ? [`${chart}/${name}`] : [],
  );
  const files = [...templates, ...values, 'docker-compose.yml', 'deploy/docker/Dockerfile'];
  const named = files.flatMap((file) =>
    [
      ...readFromRoot(file).matchAll(/\b(?:TOLLGATE|OTEL|MONGODB|KAFKA|REDIS|LOG)_[A-Z0-9_]+\b/g),
    ].map(([name]) => [file, name] as const),
  );
  expect(named.length).toBeGreaterThan(50);
  const unknown = named.filter(([, name]) => !known.has(name) && !FOREIGN.test(name));
  expect(unknown).toEqual([]);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Environment } from '@tollgate/config';
import { parseAllDocuments } from 'yaml';
import { collectConfiguration, loadInside } from '../reference/collect-configuration';
import { collectMetrics } from '../reference/metrics-page';
import { problemsOf, SECRET_VALUES } from './container-environment';

const CHART = join(__dirname, '../../../../deploy/helm/tollgate');
const KUBERNETES = '1.33.0';
const MODES = ['distributed', 'all-in-one'] as const;

jest.setTimeout(60_000);

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly key: string; readonly optional?: true };
  };
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly startupProbe?: object;
  readonly resources?: {
    readonly requests: object;
    readonly limits: { readonly memory?: string };
  };
}
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly securityContext: object;
    readonly enableServiceLinks: boolean;
    readonly automountServiceAccountToken: boolean;
  };
}
interface Peer {
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}
interface Rule {
  readonly ports: readonly { readonly port: number }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly spec: {
    readonly template?: Pod;
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
    readonly metrics?: readonly object[];
  };
}

const COMPONENT = 'app.kubernetes.io/component';
const helm = findTool('helm');
const kubeconform = findTool('kubeconform');
const schemas = process.env.TOLLGATE_TEST_KUBERNETES_SCHEMAS;

if (helm === undefined) {
  test.skip('needs helm: TOLLGATE_TEST_HELM names none, and none is on the PATH', () => undefined);
} else {
  describe.each(MODES)('the chart with values-%s.yaml', (mode) => {
    const manifests = () => rendered(mode);

    test('has no fault that helm lint knows', () => {
      const run = runTool(helm, ['lint', '--strict', CHART, '-f', valuesOf(mode)]);
      expect(run).toMatchObject({ exitCode: 0 });
    });

    test('starts every container with settings that the product accepts', () => {
      for (const optional of [true, false]) {
        for (const { name, args, env } of manifests().flatMap(containersOf)) {
          if (args !== undefined) continue;
          expect([name, problemsOf(toEnvironment(env, optional))]).toEqual([name, []]);
        }
      }
    });

    test('lets no container be root, write its program or learn of other services', () => {
      const pods = manifests().flatMap(({ spec }) => spec.template ?? []);
      expect(pods.length).toBeGreaterThan(0);
      for (const { spec } of pods) {
        expect(spec).toMatchObject({
          enableServiceLinks: false,
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        });
        expect(spec.containers[0].securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    });

    test('asks every service whether it lives and is ready, and bounds it', () => {
      for (const { kind, spec } of manifests()) {
        if (kind !== 'Deployment' && kind !== 'StatefulSet') continue;
        const container = spec.template?.spec.containers[0];
        expect(Object.keys(container?.resources?.requests ?? {})).toContain('cpu');
        expect(Object.keys(container?.resources?.limits ?? {})).toContain('memory');
        expect(container).toMatchObject({
          startupProbe: { httpGet: { path: '/livez', port: 'admin' } },
          livenessProbe: { httpGet: { path: '/livez', port: 'admin' } },
          readinessProbe: { httpGet: { path: '/readyz', port: 'admin' } },
        });
      }
    });

    test('holds no more bodies than fit into the memory of a gateway, unless it is told to', () => {
      const name = 'TOLLGATE_GATEWAY_BODY_BYTES_MAX';
      const gateway = (flags: readonly string[] = []) =>
        render(mode, flags)
          .flatMap(containersOf)
          .find(({ env }) => env.some((one) => one.name === name));
      const { env = [], resources } = gateway() ?? {};
      const limit = Number(/^(\d+)Mi$/.exec(resources?.limits.memory ?? '')?.[1]) * 1024 ** 2;
      const slowReadersBytes = 256 * 1024 ** 2;
      const bodiesBytes = 3 * Number(toEnvironment(env, true)[name]);
      expect(bodiesBytes + slowReadersBytes).toBeLessThan(limit);
      const told = gateway(['--set-string', `env.${name}=1048576`]);
      expect(toEnvironment(told?.env ?? [], true)).toMatchObject({ [name]: '1048576' });
    });

    test('gives every variable once, so that none hides another', () => {
      for (const { name, env } of manifests().flatMap(containersOf)) {
        const names = env.map((variable) => variable.name);
        expect([name, names.filter((one, index) => names.indexOf(one) !== index)]).toEqual([
          name,
          [],
        ]);
      }
    });

    const conform = kubeconform === undefined || schemas === undefined ? test.skip : test;
    conform('is what Kubernetes understands (needs kubeconform and schemas)', () => {
      const directory = mkdtempSync(join(tmpdir(), 'chart-'));
      try {
        const file = join(directory, 'rendered.yaml');
        writeFileSync(file, renderText(mode));
        expect(checkSchemas(file)).toMatchObject({ exitCode: 0 });
        writeFileSync(file, renderText(mode).replace('serviceName:', 'serviceNam:'));
        expect(checkSchemas(file).exitCode).not.toBe(0);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    });
  });

  test('a variable with a typing error is told by the product', () => {
    const manifests = render('distributed', ['--set', 'services.billing.env.TOLLGATE_BILING=1']);
    const billing = manifests.flatMap(containersOf).find(({ name }) => name === 'billing');
    expect(problemsOf(toEnvironment(billing?.env ?? [], true))).toEqual([
      expect.stringContaining('TOLLGATE_BILING is not a known name'),
    ]);
  });

  test.each([
    ['sentinels', 'REDIS_SENTINELS'],
    ['cluster', 'REDIS_CLUSTER'],
  ])('whoever counts limits, and nobody else, is told of redis.%s', (value, variable) => {
    const flags = ['--set', `redis.${value}={redis-0.redis:26379,redis-1.redis:26379}`];
    const told = render('distributed', flags)
      .flatMap(containersOf)
      .filter(({ env }) => toEnvironment(env, true)[variable] !== undefined);
    expect(told.map(({ name }) => name)).toEqual(['gateway']);
    expect(told.flatMap(({ env }) => problemsOf(toEnvironment(env, true)))).toEqual([]);
  });

  test.each([
    ['no Secret', ['--set', 'secrets.existingSecret='], 'secrets.existingSecret is needed'],
    ['no brokers', ['--set', 'kafka.brokers=null'], 'kafka.brokers is needed'],
    ['no certificates', ['--set', 'rpc.tlsSecretPrefix='], 'rpc.tlsSecretPrefix is needed'],
    ['a name that is no value', ['--set', 'replicas=3'], "additional properties 'replicas'"],
    ['a wrong mode', ['--set', 'mode=cluster'], "at '/mode'"],
  ])('%s is refused before anything is installed', (_title, flags, sentence) => {
    const args = ['template', 'tollgate', CHART, '--kube-version', KUBERNETES];
    const run = runTool(helm, [...args, '-f', valuesOf('distributed'), ...flags]);
    expect(run.exitCode).not.toBe(0);
    expect(run.output).toContain(sentence);
  });

  test('a service scales on what saturates it where a metrics adapter serves that', () => {
    const values = readFileSync(join(CHART, 'values.yaml'), 'utf8');
    const named = [...values.matchAll(/\btollgate_[a-z_]+/g)].map(([name]) => name);
    const known = [...collectMetrics().values()].flat().map(({ name }) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    const [metric = ''] = named;
    const scaling = 'services.completion.autoscaling';
    const flags = ['--set', `${scaling}.enabled=true,${scaling}.perPod.${metric}=200`];
    const scaler = render('distributed', flags).find(
      ({ kind, metadata }) =>
        kind === 'HorizontalPodAutoscaler' && /completion/.test(metadata.name),
    );
    expect(scaler?.spec.metrics).toMatchObject([
      { type: 'Resource', resource: { name: 'cpu' } },
      { type: 'Pods', pods: { metric: { name: metric }, target: { averageValue: '200' } } },
    ]);
  });

  test('the migrations can be read with what their job is given', () => {
    const [job] = rendered('distributed').filter(({ metadata }) => /-migrate$/.test(metadata.name));
    expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const [container] = job === undefined ? [] : containersOf(job);
    const environment = toEnvironment(container?.env ?? [], false);
    expect(Object.keys(environment)).toContain('KAFKA_BROKERS');
    const { selectTargets } = loadInside<Targets>('@tollgate/all-in-one', 'start/targets');
    const stores = selectTargets(['all']).filter(({ engines }) => engines.includes('mongodb'));
    expect(stores.length).toBeGreaterThan(3);
    for (const target of stores) {
      expect(target.load().migrations(environment).length).toBeGreaterThan(0);
    }
  });

  test('every call that a policy lets out is let in where it goes', () => {
    const policies = rendered('distributed').filter(({ kind }) => kind === 'NetworkPolicy');
    const calls = policies.flatMap((from) =>
      (from.spec.egress ?? []).flatMap(({ to = [], ports }) =>
        to.map((peer) => [componentOf(from.spec), componentOf(peer), ports[0]?.port] as const),
      ),
    );
    expect(calls.length).toBeGreaterThan(10);
    for (const [caller, called, port] of calls) {
      const policy = policies.find(({ spec }) => componentOf(spec) === called);
      const admitting = (policy?.spec.ingress ?? []).filter((rule) => rule.ports[0]?.port === port);
      const admitted = admitting.flatMap(({ from = [] }) => from.map(componentOf));
      expect([caller, called, admitted]).toEqual([
        caller,
        called,
        expect.arrayContaining([caller]),
      ]);
    }
  });

  test('a policy lets out to the ports of all addresses that the values name', () => {
    const flags = [
      '--set',
      'kafka.brokers={kafka-0:9093},redis.sentinels={s-0:26379},redis.cluster={c-0:7000}',
    ];
    const policies = render('distributed', flags).filter(({ kind }) => kind === 'NetworkPolicy');
    for (const { spec } of policies.filter((one) => componentOf(one.spec) !== 'console')) {
      const ports = (spec.egress ?? []).flatMap((rule) => rule.ports.map(({ port }) => port));
      expect(ports).toEqual(expect.arrayContaining([27_017, 9_093, 26_379, 7_000]));
    }
  });

  test('a service can be given every secret that it reads', () => {
    const { variables } = collectConfiguration();
    const given = rendered('distributed').flatMap(containersOf);
    for (const { name, env } of given.filter(({ args }) => args === undefined)) {
      const read = variables.filter(({ secret, readers }) => secret && readers.includes(name));
      const names = env.flatMap((one) => (one.valueFrom?.secretKeyRef ? [one.name] : []));
      expect([name, names]).toEqual([name, expect.arrayContaining(read.map((one) => one.name))]);
    }
  });

  test.each(['MONGODB_URI', 'TOLLGATE_SERVICE_SECRET_PREVIOUS'])(
    'one pod is given a secret that secrets.from alone names, and must have it: %s',
    (key) => {
      const flags = ['--set', `secrets.from.${key}.name=other`];
      const [pod] = render('all-in-one', flags).flatMap(containersOf);
      const secrets = pod?.env.flatMap((one) => one.valueFrom?.secretKeyRef ?? []);
      expect(secrets).toEqual([{ name: 'other', key }]);
    },
  );

  test.each(MODES)('with mode %s a name in secrets.from that nothing reads is refused', (mode) => {
    const flags = ['--set', 'secrets.from.MONGO_URI.name=mongo'];
    expect(() => render(mode, flags)).toThrow('secrets.from.MONGO_URI is no secret');
  });

  test('a number of a file is given as it is written', () => {
    const flags = ['--set-json', 'env={"LARGE":536870912,"PART":1.5}'];
    const [pod] = render('all-in-one', flags).flatMap(containersOf);
    expect(toEnvironment(pod?.env ?? [], true)).toMatchObject({ LARGE: '536870912', PART: '1.5' });
  });

  test('one service after another is replaced: each may keep a version of its own', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const values = [
      'image.tag=new,services.gateway.image.tag=old,services.completion.image.tag=old',
      `services.billing.image.digest=${digest},drainClaims={spool-3}`,
    ];
    const flags = ['--set', values.join(',')];
    const found = Object.fromEntries(
      render('distributed', flags)
        .flatMap(containersOf)
        .map(({ name, image }) => [name, image.replace('registry.example.com/tollgate', '')]),
    );
    const olds = { gateway: ':old', completion: ':old', drain: ':old', billing: `@${digest}` };
    expect(found).toMatchObject({ ...olds, stats: ':new', identity: ':new', migrate: ':new' });
  });

  test("a service's own tag counts where all others have a digest", () => {
    const digest = `sha256:${'b'.repeat(64)}`;
    const flags = ['--set', `image.digest=${digest},services.gateway.image.tag=old`];
    const images = render('distributed', flags).flatMap(containersOf);
    expect(images.find(({ name }) => name === 'gateway')?.image).toMatch(/tollgate:old$/);
    expect(images.find(({ name }) => name === 'billing')?.image).toMatch(`tollgate@${digest}`);
  });

  const drainsOf = (claims: readonly string[], flags: readonly string[] = []) =>
    render('distributed', ['--set', `drainClaims={${claims.join(',')}}`, ...flags]).filter(
      ({ metadata }) => metadata.name.startsWith('drain-'),
    );

  test('long claims that differ at their end get a job each', () => {
    const jobs = drainsOf([1, 2].map((pod) => `spool-${'long-'.repeat(10)}completion-${pod}`));
    const names = jobs.map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(2);
    expect(names.filter((name) => name.length > 63)).toEqual([]);
  });

  test('a claim that stays named stops no upgrade: another template is another job', () => {
    const nameOf = (...flags: string[]) => drainsOf(['spool-3'], flags)[0]?.metadata.name;
    expect(nameOf()).toBe(nameOf());
    expect(nameOf('--set', 'image.tag=next')).not.toBe(nameOf());
  });

  test('a claim that is given up gets a job that settles its spool', () => {
    const jobs = drainsOf(['spool-tollgate-completion-3']);
    expect(jobs.flatMap(containersOf)).toMatchObject([
      { args: ['spool', 'drain', '/var/lib/tollgate/spool', '--timeout-seconds', '300'] },
    ]);
    const [{ env } = { env: [] }] = jobs.flatMap(containersOf);
    const asCompletion = {
      ...toEnvironment(env, false),
      TARGET: 'completion',
      KAFKA_BROKERS: 'k:1',
    };
    expect(problemsOf(asCompletion)).toEqual([]);
  });

  test.each([
    ['TOLLGATE_COMPLETION_SPOOL_DIR', '/var/lib/tollgate/kept', '/var/lib/tollgate/kept'],
    ['TOLLGATE_DATA_DIR', '/var/lib/tollgate/data', '/var/lib/tollgate/data/spool'],
  ])('a spool is settled where completion was told to keep it: %s', (name, value, directory) => {
    const flags = ['--set', `services.completion.env.${name}=${value}`];
    const [job] = drainsOf(['spool-3'], flags).flatMap(containersOf);
    expect(job?.args).toContain(directory);
    expect(toEnvironment(job?.env ?? [], false)).toMatchObject({ [name]: value });
  });
}

interface Targets {
  selectTargets(names: readonly string[]): readonly {
    readonly engines: readonly string[];
    load(): { migrations(environment: Environment): readonly unknown[] };
  }[];
}

/** A program by the variable that names it, or on the PATH. */
function findTool(name: string): string | undefined {
  const named = process.env[`TOLLGATE_TEST_${name.toUpperCase()}`];
  if (named !== undefined && named !== '') return named;
  const directories = (process.env.PATH ?? '').split(delimiter);
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

function runTool(program: string, args: readonly string[]) {
  const run = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  if (run.error !== undefined) throw run.error;
  return { exitCode: run.status ?? 1, output: `${run.stdout}${run.stderr}` };
}

function checkSchemas(file: string) {
  const location = join(schemas ?? '', '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  // What operators of Prometheus define is no part of Kubernetes.
  const args = ['-strict', '-skip', 'ServiceMonitor', '-schema-location', location, file];
  return runTool(kubeconform ?? '', args);
}

function valuesOf(mode: string): string {
  return join(CHART, `values-${mode}.yaml`);
}

function renderText(mode: string, flags: readonly string[] = []): string {
  const args = ['template', 'tollgate', CHART, '--kube-version', KUBERNETES, '-f', valuesOf(mode)];
  const run = runTool(helm ?? '', [...args, ...flags]);
  if (run.exitCode !== 0) throw new Error(run.output);
  return run.output;
}

function render(mode: string, flags: readonly string[] = []): readonly Manifest[] {
  const documents = parseAllDocuments(renderText(mode, flags));
  return documents.flatMap((one) => (one.toJS() as Manifest | null) ?? []);
}

const known = new Map<string, readonly Manifest[]>();

function rendered(mode: string): readonly Manifest[] {
  const manifests = known.get(mode) ?? render(mode);
  known.set(mode, manifests);
  return manifests;
}

function containersOf({ spec }: Manifest): readonly Container[] {
  return spec.template?.spec.containers ?? [];
}

function componentOf({ podSelector }: Peer): string {
  return podSelector?.matchLabels[COMPONENT] ?? '';
}

/** The variables as the container has them, with or without what a Secret may leave out. */
function toEnvironment(variables: readonly Variable[], optional: boolean): Environment {
  const environment: Record<string, string> = {};
  for (const { name, value, valueFrom } of variables) {
    const secret = valueFrom?.secretKeyRef;
    if (value !== undefined) environment[name] = value;
    if (secret === undefined || (secret.optional && !optional)) continue;
    environment[name] = SECRET_VALUES[name] ?? '';
  }
  return environment;
}

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@tollgate/observability';
import { parse } from 'yaml';
import { collectMetrics } from '../reference/metrics-page';
import { ROOT } from '../repository';

const FOLDER = join(ROOT, 'deploy/observability');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
}

const { groups } = parse(readFileSync(join(FOLDER, 'rules.yaml'), 'utf8')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
const dashboards = readdirSync(join(FOLDER, 'dashboards')).map(
  (name) => JSON.parse(readFileSync(join(FOLDER, 'dashboards', name), 'utf8')) as Dashboard,
);
const shown = dashboards.flatMap(({ uid, panels }) =>
  panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`${uid}: ${title}`, expr] as const),
  ),
);
const asked = [...shown, ...alerts.map(({ alert, expr }) => [alert, expr] as const)];

/** What a scrape adds to every metric, and how Prometheus cuts a histogram. */
const SCRAPED = ['job', 'instance', 'service'];
const HISTOGRAM_PARTS = ['_bucket', '_sum', '_count'];

/** Every series that a process exposes, with the labels it may have. */
async function exposed(): Promise<ReadonlyMap<string, readonly string[]>> {
  const series = new Map<string, readonly string[]>([['up', SCRAPED]]);
  for (const { name, kind, labels } of [...collectMetrics().values()].flat()) {
    const names = kind === 'histogram' ? HISTOGRAM_PARTS.map((part) => name + part) : [name];
    for (const one of names) series.set(one, [...labels, ...SCRAPED, 'le']);
  }
  const text = await createMetrics({ processMetrics: true }).expose();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) series.set(name, SCRAPED);
  return series;
}

const METRIC = /\b(?:up|(?:tollgate|process|nodejs)_[a-z0-9_]+)\b(?!=)/g;

function metricsIn(expr: string): readonly string[] {
  return [...expr.matchAll(METRIC)].map(([name]) => name);
}

/** Names and labels of a query that are not what a process exposes. */
function unknownIn(
  expr: string,
  series: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const names = metricsIn(expr);
  const labels = [
    ...[...expr.matchAll(/[{,]\s*([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  ];
  const allowed = new Set(names.flatMap((name) => series.get(name) ?? []));
  return [
    ...(names.length === 0 ? ['no metric at all'] : []),
    ...names.filter((name) => !series.has(name)),
    ...labels.filter((label) => !allowed.has(label)),
  ];
}

test('every metric and label of dashboards and alerts is exposed', async () => {
  const series = await exposed();
  expect(dashboards).toHaveLength(5);
  expect(asked.length).toBeGreaterThan(70);
  const wrong = asked.flatMap(([where, expr]) =>
    unknownIn(expr, series).map((name) => `${where}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test.each([
  [
    'a metric that is gone',
    'sum(rate(tollgate_gateway_answers_total[5m]))',
    'tollgate_gateway_answers_total',
  ],
  ['a label that it has not', 'sum by (account) (tollgate_gateway_denials_total)', 'account'],
  ['a matcher that it has not', 'tollgate_gateway_requests_total{code="500"}', 'code'],
  ['a query of nothing', 'vector(1)', 'no metric at all'],
])('planted %s is caught', async (_title, expr, name) => {
  expect(unknownIn(expr, await exposed())).toEqual([name]);
});

test('every alert says who shall look, what is wrong and what to do', () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const { alert, labels, annotations } of alerts) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
    expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/.{10}/)]);
    const isThere = existsSync(join(ROOT, annotations.runbook));
    expect([alert, annotations.runbook, isThere]).toEqual([alert, annotations.runbook, true]);
  }
});

test('the page names the alerts of each dashboard', () => {
  const page = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const rows = page.matchAll(/`dashboards\/(\w+)\.json`\s*\|(.*)\|/g);
  const told = [...rows].map(([, dashboard = '', list = '']) => ({
    name: `tollgate-${dashboard}`,
    alerts: list.trim().split(', ').sort(),
  }));
  const ruled = groups.map(({ name, rules }) => ({
    name,
    alerts: rules.map(({ alert }) => alert).sort(),
  }));
  expect(told).toEqual(ruled);
});

test('the dashboard of an alert has its figures', () => {
  for (const { name, rules } of groups) {
    const { panels } = dashboards.find(({ uid }) => uid === name) ?? { panels: [] };
    const figures = panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => metricsIn(expr)),
    );
    for (const { alert, expr } of rules) {
      const missing = metricsIn(expr).filter((metric) => !figures.includes(metric));
      expect([alert, missing]).toEqual([alert, []]);
    }
  }
});

test('every panel of a dashboard has an id of its own', () => {
  for (const { uid, panels } of dashboards) {
    expect([uid, new Set(panels.map(({ id }) => id)).size]).toEqual([uid, panels.length]);
  }
});

const promtool = process.env.TOLLGATE_TEST_PROMTOOL;
const withPromtool = promtool === undefined ? test.skip : test;

withPromtool('alerts tell and are silent as their tests say (needs promtool)', () => {
  for (const args of [
    ['check', 'rules', 'rules.yaml'],
    ['test', 'rules', 'rules.test.yaml'],
  ]) {
    const run = spawnSync(promtool ?? '', args, { cwd: FOLDER, encoding: 'utf8' });
    expect([args, run.status, run.stdout + run.stderr]).toEqual([args, 0, expect.any(String)]);
  }
});

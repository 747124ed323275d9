import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { PRODUCT_MAIN, REPOSITORY } from '../../support/repository';
import { type RunningProcess, startProcess } from '../../support/running-process';
import { makeDirectory } from '../../support/temporary-directory';
import { cpuMicroseconds, stop } from '../processes';
import { formatTable, formatTargets, median, type Target } from '../report/table';
import { CHAT_PATH } from '../systems/system';
import { benchVendor } from '../systems/tollgate-in-one';
import { type Scenario, type TestBed, WHOLE } from '../test-bed';

const TIMEOUT_MS = 600_000;

/** How long it takes from a command to the first answer. */
export const start: Scenario = {
  about: 'from the start of the built product to its first 200; with --clone from a clean clone',
  async run(testBed) {
    const found = { fresh: [] as Start[], again: [] as Start[] };
    for (let round = 0; round < testBed.options.rounds; round += 1) {
      const { fresh, again } = await startTwice(testBed);
      found.fresh.push(fresh);
      found.again.push(again);
      testBed.progress(`built: ${seconds(fresh.ms)} s at first, ${seconds(again.ms)} s again`);
    }
    const targets: Target[] = [
      ...targetsOf('no data', found.fresh),
      ...targetsOf('with data', found.again),
    ];
    const clone = testBed.options.clone ? await startClone(testBed) : undefined;
    if (clone !== undefined) {
      targets.push(
        target('clean clone with a warm package cache to the first 200, s', [clone.ms], 15),
      );
    }
    const how =
      `Medians of ${testBed.options.rounds} starts, both cores. CPU time is that of all threads of the ` +
      'process; on cores that are shared with other work it says more than the time that passed.';
    const rest = clone === undefined ? [] : [clone.report];
    return { title: 'Start', markdown: [how, formatTargets(targets), ...rest].join('\n\n') };
  },
};

/** One start of the built product until its first 200, milliseconds. */
interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

function targetsOf(data: string, starts: readonly Start[]): readonly Target[] {
  const passed = starts.map(({ ms }) => ms);
  const worked = starts.map(({ cpuMs }) => cpuMs);
  return [
    target(`built start to first 200, ${data}, s`, passed, 1),
    target(`the same, CPU time, s`, worked, 1),
  ];
}

function target(what: string, timesMs: readonly number[], atMost: number): Target {
  return { what, about: 'start', value: median(timesMs) / 1000, atMost };
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);

async function startTwice({ vendorUrl }: TestBed) {
  const directory = makeDirectory();
  const environment = environmentIn(directory.path, vendorUrl);
  let key = '';
  const once = async () => {
    const beganMs = performance.now();
    const running = startProcess(process.execPath, [PRODUCT_MAIN], {
      directory: REPOSITORY,
      environment,
    });
    key = await firstAnswer(running, key);
    const found: Start = {
      ms: performance.now() - beganMs,
      cpuMs: cpuMicroseconds(running.pid) / 1000,
    };
    await stop(running);
    return found;
  };
  try {
    return { fresh: await once(), again: await once() };
  } finally {
    directory.remove();
  }
}

/** Completes once as soon as the card is there; the key is on the card of a first start only. */
async function firstAnswer(running: RunningProcess, knownKey: string): Promise<string> {
  const [, baseUrl = ''] = await running.waitForOutput(/API +(http\S+)\/v1/, TIMEOUT_MS);
  const [, key = ''] =
    knownKey === ''
      ? await running.waitForOutput(/API key +(tg_live_\S+)/, TIMEOUT_MS)
      : ['', knownKey];
  const answer = await fetch(`${baseUrl}${CHAT_PATH}`, {
    method: 'POST',
    body: WHOLE,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the first answer is ${answer.status}: ${text}`);
  return key;
}

function environmentIn(directory: string, vendorUrl: string): Readonly<Record<string, string>> {
  return {
    TOLLGATE_HTTP_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_SIMULATOR_PORT: '0',
    TOLLGATE_DATA_DIR: join(directory, 'data'),
    LOG_LEVEL: 'warn',
    ...benchVendor(vendorUrl),
  };
}

/** `npm start` in a clone of what is committed; packages come from the caches of npm and pnpm. */
async function startClone({ progress, vendorUrl }: TestBed) {
  const directory = makeDirectory();
  try {
    const clone = join(directory.path, 'clone');
    execFileSync('git', ['clone', '--quiet', REPOSITORY, clone]);
    mkdirSync(join(directory.path, 'state'));
    const beganMs = performance.now();
    const running = startProcess('npm', ['start', '--silent'], {
      directory: clone,
      environment: {
        ...newcomersEnvironment(),
        ...environmentIn(join(directory.path, 'state'), vendorUrl),
      },
    });
    await firstAnswer(running, '');
    const ms = performance.now() - beganMs;
    await stop(running);
    const steps = [...running.output().matchAll(/^tollgate: (.*) \.\.\. ([\d.]+) s$/gm)];
    progress(`clean clone: ${seconds(ms)} s`);
    const rows = steps.map(([, step = '', took = '']) => [step, took]);
    const report = [
      formatTable(['step of a clean start', 's'], rows),
      formatTable(['on disk afterwards', 'MB'], sizesIn(clone)),
    ];
    return { ms, report: report.join('\n\n') };
  } finally {
    directory.remove();
  }
}

const LARGEST = 5;

/** All of it, and what is largest: a package, a tool, or a folder of the clone. */
function sizesIn(clone: string): readonly (readonly string[])[] {
  const inside = (...folders: string[]) =>
    readdirSync(join(clone, ...folders)).map((name) => join(clone, ...folders, name));
  const parts = [
    ...inside('node_modules/.pnpm'),
    ...inside('.toolchain/node_modules'),
    ...inside().filter((path) => !/node_modules|toolchain/.test(basename(path))),
  ];
  const largest = megabytesOf(parts)
    .sort((a, b) => b.megabytes - a.megabytes)
    .slice(0, LARGEST);
  const rows = [...megabytesOf([clone]).map((all) => ({ ...all, path: 'all' })), ...largest];
  return rows.map(({ path, megabytes }) => [
    basename(path).split('_')[0]?.replace('+', '/') ?? '',
    String(megabytes),
  ]);
}

function megabytesOf(paths: readonly string[]) {
  const printed = execFileSync('du', ['-sm', ...paths]).toString();
  return printed
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([megabytes = '', path = '']) => ({ path, megabytes: Number(megabytes) }));
}

/** As a shell outside of this repository has it: registries and proxies may be named there. */
function newcomersEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_lifecycle'));
  const environment = Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
  const path = (environment.PATH ?? '').split(delimiter);
  environment.PATH = path.filter((entry) => !entry.startsWith(REPOSITORY)).join(delimiter);
  return environment;
}

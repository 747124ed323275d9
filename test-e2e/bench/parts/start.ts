import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { REPOSITORY } from '../../support/repository';
import { startProcess } from '../../support/running-process';
import { makeDirectory } from '../../support/temporary-directory';
import { stop } from '../processes';
import { formatTable, median } from '../report/table';
import { formatTargets, type Target } from '../report/targets';
import { type Part, type Stand, WHOLE } from '../stand';
import { benchVendor, TOLLGATE_MAIN } from '../systems/embedded';
import { CHAT_PATH } from '../systems/system';

const TIMEOUT_MS = 600_000;

/** How long it takes from a command to the first answer. */
export const start: Part = {
  about: 'from the start of the built product to its first 200; with --clone from a clean clone',
  async run(stand) {
    const times = { fresh: [] as number[], again: [] as number[] };
    for (let round = 0; round < stand.options.rounds; round += 1) {
      const { fresh, again } = await startTwice(stand);
      times.fresh.push(fresh);
      times.again.push(again);
      stand.progress(`built: ${seconds(fresh)} s at first, ${seconds(again)} s again`);
    }
    const targets: Target[] = [
      ...[target('built start to first 200, no data, s', times.fresh, 1)],
      ...[target('built start to first 200, with data, s', times.again, 1)],
    ];
    const clone = stand.options.clone ? await startClone(stand) : undefined;
    if (clone !== undefined) {
      targets.push(target('clean clone with a warm package cache to the card, s', [clone.ms], 15));
    }
    const how = `Medians of ${stand.options.rounds} starts, both cores.`;
    const rest = clone === undefined ? [] : [clone.report];
    return { title: 'Start', markdown: [how, formatTargets(targets), ...rest].join('\n\n') };
  },
};

function target(what: string, timesMs: readonly number[], atMost: number): Target {
  return { what, value: median(timesMs) / 1000, atMost };
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);

async function startTwice({ vendorUrl }: Stand) {
  const directory = makeDirectory();
  const environment = environmentIn(directory.path, vendorUrl);
  let key = '';
  const once = async () => {
    const beganMs = performance.now();
    const running = startProcess(process.execPath, [TOLLGATE_MAIN], {
      directory: REPOSITORY,
      environment,
    });
    const [, baseUrl = ''] = await running.waitForOutput(/API +(http\S+)\/v1/, TIMEOUT_MS);
    if (key === '')
      [, key = ''] = await running.waitForOutput(/API key +(tg_live_\S+)/, TIMEOUT_MS);
    const answer = await fetch(`${baseUrl}${CHAT_PATH}`, {
      ...{ method: 'POST', body: WHOLE },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const ms = performance.now() - beganMs;
    const text = await answer.text();
    await stop(running);
    if (answer.status !== 200) throw new Error(`the first answer is ${answer.status}: ${text}`);
    return ms;
  };
  try {
    return { fresh: await once(), again: await once() };
  } finally {
    directory.remove();
  }
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
async function startClone({ progress, vendorUrl }: Stand) {
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
    await running.waitForOutput(/API key +tg_live_/, TIMEOUT_MS);
    const ms = performance.now() - beganMs;
    await stop(running);
    const steps = [...running.output().matchAll(/^tollgate: (.*) \.\.\. ([\d.]+) s$/gm)];
    progress(`clean clone: ${seconds(ms)} s`);
    const rows = steps.map(([, step = '', took = '']) => [step, took]);
    const sizes = ['node_modules', '.toolchain', '.git', '.'].map((name) => [
      `${name === '.' ? 'all' : name}`,
      execFileSync('du', ['-sm', join(clone, name)])
        .toString()
        .split('\t')[0] ?? '',
    ]);
    const report = [
      formatTable(['step of a clean start', 's'], rows),
      formatTable(['on disk afterwards', 'MB'], sizes),
    ];
    return { ms, report: report.join('\n\n') };
  } finally {
    directory.remove();
  }
}

/** As a shell outside of this repository has it: registries and proxies may be named there. */
function newcomersEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_lifecycle'));
  const environment = Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
  const path = (environment.PATH ?? '').split(delimiter);
  environment.PATH = path.filter((entry) => !entry.startsWith(REPOSITORY)).join(delimiter);
  return environment;
}

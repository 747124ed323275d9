import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DESK, launchBrowser } from '../../support/console/browser';
import { type RunningTollgate, startTollgate } from '../../topologies/start-tollgate';
import { formatTable, formatTargets, median } from '../report/table';
import type { Scenario } from '../test-bed';

const PAINT_MS_MAX = 1_000;
const FIRST_LOAD_BYTES_MAX = 200_000;

/** How soon somebody sees the console, and what it fetches for that. */
export const consolePaint: Scenario = {
  about: "the console's first paint in a browser without and with a cache, and its bytes",
  async run({ options, progress }) {
    const tollgate = await startTollgate();
    const browser = await launchBrowser();
    const opened: Record<Case, Opening[]> = { fresh: [], again: [], signedIn: [] };
    try {
      for (let round = 0; round < options.rounds; round += 1) {
        const one = await openThrice(browser, tollgate);
        for (const name of CASES) opened[name].push(one[name]);
        progress(`painted after ${one.fresh.paintMs.toFixed(0)} ms`);
      }
    } finally {
      await browser.close();
      await tollgate.stop();
    }
    const medianOf = (name: Case, read: (opening: Opening) => number) =>
      median(opened[name].map(read));
    const rows = CASES.map((name) => [
      CASE_NAMES[name],
      medianOf(name, ({ paintMs }) => paintMs).toFixed(0),
      (medianOf(name, ({ bytes }) => bytes) / 1000).toFixed(1),
      String(medianOf(name, ({ requests }) => requests)),
    ]);
    const targets = formatTargets([
      {
        about: 'console',
        what: 'first paint without a cache, ms',
        atMost: PAINT_MS_MAX,
        value: medianOf('fresh', ({ paintMs }) => paintMs),
      },
      {
        what: 'first load over the network, bytes',
        about: 'console',
        atMost: FIRST_LOAD_BYTES_MAX,
        value: medianOf('fresh', ({ bytes }) => bytes),
      },
    ]);
    const how = `Medians of ${options.rounds} openings; the product and the browser share the cores.`;
    const table = formatTable(['opening', 'first paint, ms', 'kB fetched', 'requests'], rows);
    return { title: 'The console', markdown: [how, table, targets].join('\n\n') };
  },
};

const CASES = ['fresh', 'again', 'signedIn'] as const;
type Case = (typeof CASES)[number];
const CASE_NAMES: Readonly<Record<Case, string>> = {
  fresh: 'sign-in page, empty cache',
  again: 'sign-in page, again',
  signedIn: 'overview with its charts, signed in, again',
};

interface Opening {
  /** From the navigation to the first text or picture. */
  readonly paintMs: number;
  /** Bodies as they came over the network; nothing for what was in the cache. */
  readonly bytes: number;
  readonly requests: number;
}

/** One browser profile: new, then known, then signed in. */
async function openThrice(
  browser: Browser,
  tollgate: RunningTollgate,
): Promise<Readonly<Record<Case, Opening>>> {
  const context = await browser.newContext({ viewport: DESK });
  try {
    const fresh = await open(context, tollgate, 'Sign in to Tollgate');
    const again = await open(context, tollgate, 'Sign in to Tollgate');
    const page = await context.newPage();
    await page.goto(`${tollgate.baseUrl}/console/`);
    await page.getByLabel('Email').fill(tollgate.operatorEmail);
    await page.getByRole('textbox', { name: 'Password' }).fill(tollgate.operatorPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await waitForHeading(page, 'Health');
    await page.close();
    return { fresh, again, signedIn: await open(context, tollgate, 'Overview') };
  } finally {
    await context.close();
  }
}

async function open(
  context: BrowserContext,
  tollgate: RunningTollgate,
  heading: string,
): Promise<Opening> {
  const page = await context.newPage();
  await page.goto(`${tollgate.baseUrl}/console/`);
  await waitForHeading(page, heading);
  const opening = (await page.evaluate(READ_OPENING)) as Opening;
  await page.close();
  return opening;
}

function waitForHeading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Runs in the page. */
const READ_OPENING = `(() => {
  const fetched = performance.getEntriesByType('resource')
    .concat(performance.getEntriesByType('navigation'))
    .filter(({ transferSize }) => transferSize > 0);
  return {
    paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    bytes: fetched.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    requests: fetched.length,
  };
})()`;

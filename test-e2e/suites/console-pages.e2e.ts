import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openOperatorTab, PHONE, testInBrowser } from '../support/console-tab';
import { eventually } from '../support/eventually';
import { type EmbeddedTollgate, startEmbedded } from '../topologies/embedded';

jest.setTimeout(300_000);

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let tollgate: EmbeddedTollgate;
let browser: Browser | undefined;
let paths: readonly string[];

beforeAll(async () => {
  tollgate = await startEmbedded();
  paths = await fillAndList();
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

/** Something on every page, and the address of every page and of a drawer of each kind. */
async function fillAndList(): Promise<readonly string[]> {
  const { api } = tollgate;
  for (const model of ['auto', 'sim-large']) {
    await api.request('POST', '/v1/llm/chat/completions', {
      body: { model, messages: [{ role: 'user', content: 'Hello' }] },
    });
  }
  const requests = await eventually(
    () => itemsOf('/v1/requests'),
    (items) => items.length === 2,
  );
  const [key] = await itemsOf('/v1/keys');
  const [channel] = await itemsOf('/v1/admin/channels');
  const [account] = await itemsOf('/v1/admin/accounts');
  return [
    '/',
    '/requests',
    `/requests?open=${requests[0]?.id}`,
    '/requests?status=failed',
    '/keys',
    '/keys?open=new',
    `/keys?open=${key?.id}`,
    '/usage?range=24h&by=key&show=requests',
    '/billing?kind=charge',
    '/webhooks',
    '/webhooks?open=new',
    '/models',
    '/playground',
    '/team',
    '/team?open=new',
    '/settings',
    '/operator/health',
    '/operator/channels?open=new',
    `/operator/channels?open=${channel?.id}`,
    '/operator/models',
    '/operator/models?open=sim-small',
    '/operator/accounts',
    `/operator/accounts?open=${account?.id}`,
    '/operator/users?open=new',
    '/operator/requests',
  ];
}

async function itemsOf(path: string) {
  const { items } = await tollgate.api.get(path);
  return items as readonly { readonly id: string }[];
}

/** Waits until nothing is loading any more. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor({ state: 'attached' });
  await page.locator('[role="status"][aria-busy="true"]').first().waitFor({ state: 'detached' });
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What people with assistive technology stumble over, seriously or worse. */
async function findBarriers(page: Page): Promise<readonly string[]> {
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

testInBrowser('every page opens by its address, light and dark, without barriers', async () => {
  browser ??= await launchBrowser();
  const tab = await openOperatorTab(browser, tollgate);
  const { page } = tab;
  const barriers: string[] = [];
  for (const path of paths) {
    await tab.open(path);
    await settle(page);
    await page.evaluate(AXE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      const found = await findBarriers(page);
      barriers.push(...found.map((barrier) => `${path} ${colorScheme} ${barrier}`));
    }
  }
  expect(barriers).toEqual([]);
  expect(tab.complaints).toEqual([]);
  await tab.close();
});

testInBrowser('every page fits a phone', async () => {
  browser ??= await launchBrowser();
  const tab = await openOperatorTab(browser, tollgate, { viewport: PHONE });
  const tooWide: string[] = [];
  for (const path of paths) {
    await tab.open(path);
    await settle(tab.page);
    const { scrollWidth, clientWidth } = await tab.page
      .locator('html')
      .evaluate((html: { readonly scrollWidth: number; readonly clientWidth: number }) => ({
        scrollWidth: html.scrollWidth,
        clientWidth: html.clientWidth,
      }));
    if (scrollWidth > clientWidth) tooWide.push(path);
  }
  expect(tooWide).toEqual([]);
  expect(tab.complaints).toEqual([]);
  await tab.close();
});

testInBrowser('a page that does not exist leads to the overview', async () => {
  browser ??= await launchBrowser();
  const tab = await openOperatorTab(browser, tollgate);
  await tab.open('/no/such/page');
  await tab.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await tab.close();
});

import type { Browser, Page } from 'playwright-core';
import {
  type ConsoleTab,
  launchBrowser,
  openOperatorTab,
  openTab,
  PHONE,
  testInBrowser,
} from '../support/console-tab';
import { fetchDocumented } from '../support/documented-answers';
import { type EmbeddedTollgate, startEmbedded } from '../topologies/embedded';

jest.setTimeout(120_000);

let tollgate: EmbeddedTollgate;
let browser: Browser | undefined;

beforeAll(async () => {
  tollgate = await startEmbedded();
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

async function signIn(options = {}): Promise<ConsoleTab> {
  browser ??= await launchBrowser();
  return openOperatorTab(browser, tollgate, options);
}

interface StoredSession {
  readonly access_token: string;
  readonly refresh_token: string;
}

const STORED = 'tollgate.session';

function readSession(page: Page): Promise<StoredSession | undefined> {
  return page.evaluate((key) => {
    const text = globalThis.sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as StoredSession);
  }, STORED);
}

/** Starts the console anew with a session that has been tampered with. */
async function reloadWith(page: Page, changes: Record<string, unknown>): Promise<void> {
  await page.evaluate(
    ([key, more]) => {
      const stored = JSON.parse(globalThis.sessionStorage.getItem(key) ?? '{}') as object;
      globalThis.sessionStorage.setItem(key, JSON.stringify({ ...stored, ...more }));
    },
    [STORED, changes] as const,
  );
  await page.reload();
}

testInBrowser('a wrong password is answered in words, and nothing is shown', async () => {
  browser ??= await launchBrowser();
  const tab = await openTab(browser, tollgate);
  await tab.logIn(tollgate.operatorEmail, 'not-the-password');
  await tab.page.getByText('The email or password is wrong.').waitFor();
  expect(await tab.page.getByText('Overview').count()).toBe(0);
  await tab.close();
});

testInBrowser('who was sent an address signs in and arrives there', async () => {
  browser ??= await launchBrowser();
  const tab = await openTab(browser, tollgate);
  await tab.open('/keys?open=new');
  await tab.logIn(tollgate.operatorEmail, tollgate.operatorPassword);
  await tab.page.getByRole('dialog', { name: 'Create API key' }).waitFor();
  expect(tab.complaints).toEqual([]);
  await tab.close();
});

testInBrowser('logging out ends both tokens on the server and leaves nothing here', async () => {
  const tab = await signIn();
  const session = await readSession(tab.page);
  await tab.page.getByRole('button', { name: tollgate.operatorEmail }).click();
  await tab.page.getByRole('menuitem', { name: 'Log out' }).click();
  await tab.page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await readSession(tab.page)).toBeUndefined();
  const refreshed = await fetchDocumented(`${tollgate.baseUrl}/v1/users/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: session?.refresh_token }),
  });
  expect(refreshed.status).toBe(401);
  const asked = await fetchDocumented(`${tollgate.baseUrl}/v1/users/me`, {
    headers: { authorization: `Bearer ${session?.access_token}` },
  });
  expect(asked.status).toBe(401);
  expect(tab.complaints).toEqual([]);
  await tab.close();
});

testInBrowser('a session is renewed before it expires, and once when it is refused', async () => {
  const { page, close } = await signIn();
  const refreshes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/users/refresh')) refreshes.push(request.url());
  });
  const first = await readSession(page);
  await reloadWith(page, { expires_at_ms: 1 });
  await page.getByText('Available').waitFor();
  expect(refreshes).toHaveLength(1);
  const second = await readSession(page);
  expect(second?.refresh_token).not.toBe(first?.refresh_token);

  await reloadWith(page, { access_token: 'is-not-valid-any-more' });
  await page.getByText('Available').waitFor();
  expect(refreshes).toHaveLength(2);

  await reloadWith(page, { access_token: 'is-not-valid', refresh_token: 'is-not-valid-either' });
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(refreshes).toHaveLength(3);
  await close();
});

testInBrowser('light or dark is as the system says until somebody chooses', async () => {
  const { page, close } = await signIn({ colorScheme: 'dark' });
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  expect(await scheme()).toBe('dark');
  await page.getByRole('button', { name: tollgate.operatorEmail }).click();
  await page.getByRole('menuitem', { name: 'Light' }).click();
  expect(await scheme()).toBe('light');
  await page.reload();
  await page.getByText('Available').waitFor();
  expect(await scheme()).toBe('light');
  await close();
});

testInBrowser('while the product is away the console says so, and then goes on', async () => {
  const tab = await signIn();
  const { page } = tab;
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('half written');
  await page.context().setOffline(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'Tollgate does not answer' }).waitFor();
  await page.context().setOffline(false);
  await page
    .getByRole('heading', { name: 'Tollgate does not answer' })
    .waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Name').inputValue()).toBe('half written');
  await tab.close();
});

testInBrowser('on a phone nothing covers the content, and a bar leads to the pages', async () => {
  const { page, close } = await signIn({ viewport: PHONE });
  // A trial click fails when something else lies on top.
  await page.getByText('Available').click({ trial: true });
  await page.getByRole('navigation', { name: 'Main pages' }).getByText('API keys').click();
  await page.getByRole('button', { name: 'Create key' }).click({ trial: true });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog', { name: 'All pages' }).getByText('Overview').click();
  await page.getByText('Available').waitFor();
  const width = await page
    .locator('html')
    .evaluate(({ scrollWidth }: { readonly scrollWidth: number }) => scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
  await close();
});

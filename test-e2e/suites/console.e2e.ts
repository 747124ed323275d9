import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { fetchDocumented } from '../support/documented-answers';
import { type EmbeddedTollgate, startEmbedded } from '../topologies/embedded';

jest.setTimeout(120_000);

/** Debian's browser; where there is none, the console is not looked at, and that is counted. */
const BROWSER = '/usr/bin/chromium';
const withBrowser = existsSync(BROWSER) ? test : test.skip;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let tollgate: EmbeddedTollgate;
let browser: Browser | undefined;

beforeAll(async () => {
  tollgate = await startEmbedded();
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

async function openConsole(viewport = DESK): Promise<{ page: Page; complaints: string[] }> {
  browser ??= await chromium.launch({ executablePath: BROWSER, args: FLAGS });
  const page = await browser.newPage({ viewport });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(tollgate.baseUrl)) complaints.push(`foreign ${request.url()}`);
  });
  await page.goto(tollgate.baseUrl);
  return { page, complaints };
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill(tollgate.operatorEmail);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

withBrowser(
  'an operator logs in, sees the balance, makes a key that works, and checks a channel',
  async () => {
    const { page, complaints } = await openConsole();
    await logIn(page, tollgate.operatorPassword);
    await page.getByText('Available').waitFor();
    await page.getByText('10.00 USD').first().waitFor();

    await page.getByText('API keys').first().click();
    await page.getByLabel('Name of a new key').fill('from the console');
    await page.getByRole('button', { name: 'Create' }).click();
    const key = await page.locator('pre', { hasText: /^tg_live_/ }).textContent();
    const answer = await fetchDocumented(`${tollgate.baseUrl}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);

    await page.getByText('Channels').first().click();
    await page.getByRole('button', { name: 'Check simulator' }).click();
    await page.getByText(/\d+ ms/).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  },
);

withBrowser('a wrong password is answered in words, and nothing is shown', async () => {
  const { page } = await openConsole();
  await logIn(page, 'not-the-password');
  await page.getByText('The email or password is wrong.').waitFor();
  expect(await page.getByText('Overview').count()).toBe(0);
  await page.close();
});

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

withBrowser(
  'logging out ends the session on the server and leaves nothing in the tab',
  async () => {
    const { page } = await openConsole();
    await logIn(page, tollgate.operatorPassword);
    await page.getByText('Available').waitFor();
    const session = await readSession(page);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await readSession(page)).toBeUndefined();
    const refreshed = await fetchDocumented(`${tollgate.baseUrl}/v1/users/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: session?.refresh_token }),
    });
    expect(refreshed.status).toBe(401);
    await page.close();
  },
);

withBrowser('a session is renewed before it expires, and once when it is refused', async () => {
  const { page } = await openConsole();
  const refreshes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/users/refresh')) refreshes.push(request.url());
  });
  await logIn(page, tollgate.operatorPassword);
  await page.getByText('Available').waitFor();
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
  await page.close();
});

withBrowser('on a phone nothing covers the content, and a menu leads to the pages', async () => {
  const { page } = await openConsole(PHONE);
  await logIn(page, tollgate.operatorPassword);
  // A trial click fails when something else lies on top.
  await page.getByText('Available').click({ trial: true });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByText('API keys').first().click();
  await page.getByRole('button', { name: 'Create' }).click({ trial: true });
  const width = await page
    .locator('html')
    .evaluate(({ scrollWidth }: { readonly scrollWidth: number }) => scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
  await page.close();
});

import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { fetchDocumented } from '../support/fetch-documented';
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

async function openConsole(): Promise<{ page: Page; complaints: string[] }> {
  browser ??= await chromium.launch({ executablePath: BROWSER, args: FLAGS });
  const page = await browser.newPage();
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

import type { Browser, Page } from 'playwright-core';
import { openAccount } from '../support/accounts';
import { launchBrowser } from '../support/browser';
import {
  type ConsoleTab,
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

/** The access token that the page shows with its next request. */
async function readAccessToken(page: Page): Promise<string> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.headers().authorization !== undefined),
    page.getByRole('link', { name: 'API keys' }).click(),
  ]);
  return (request.headers().authorization ?? '').replace('Bearer ', '');
}

/** The cookie that renews the session. */
async function readCookie(page: Page) {
  const cookies = await page.context().cookies(`${tollgate.baseUrl}/v1/users/refresh`);
  return cookies.find(({ name }) => name === 'tollgate_session');
}

function refresh(refreshToken: string | undefined): Promise<Response> {
  return fetchDocumented(`${tollgate.baseUrl}/v1/users/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  });
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
  const { page } = tab;
  const accessToken = await readAccessToken(page);
  const cookie = await readCookie(page);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/v1/users' });
  expect(await readStorage(page)).not.toContain('tg_');

  await page.getByRole('button', { name: tollgate.operatorEmail }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.context().cookies(`${tollgate.baseUrl}/v1/users/refresh`)).toEqual([]);
  expect((await refresh(cookie?.value)).status).toBe(401);
  const asked = await fetchDocumented(`${tollgate.baseUrl}/v1/users/me`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(asked.status).toBe(401);
  expect(tab.complaints).toEqual([]);
  await tab.close();
});

/** Everything that scripts of the page could read later. */
function readStorage(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { localStorage, sessionStorage, document } = globalThis as unknown as {
      readonly localStorage: object;
      readonly sessionStorage: object;
      readonly document: { readonly cookie: string };
    };
    return JSON.stringify([localStorage, sessionStorage, document.cookie]);
  });
}

testInBrowser('a session outlives its page, serves every tab, and is renewed once', async () => {
  const { page, close } = await signIn();
  const refreshes: string[] = [];
  page.context().on('request', (request) => {
    if (request.url().endsWith('/v1/users/refresh')) refreshes.push(request.url());
  });
  const first = await readCookie(page);
  await page.reload();
  await page.getByText('Available').waitFor();
  expect(refreshes).toHaveLength(1);
  expect((await readCookie(page))?.value).not.toBe(first?.value);

  const tabs = await Promise.all([page.context().newPage(), page.context().newPage()]);
  await Promise.all(tabs.map((tab) => tab.goto(`${tollgate.baseUrl}/console/`)));
  await Promise.all(tabs.map((tab) => tab.getByText('Available').waitFor()));
  expect(refreshes).toHaveLength(3);

  // The first answer is a refusal, as after a change of what the user may do.
  await page.route('**/v1/keys?*', (route) => route.fulfill({ status: 401 }), { times: 1 });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('cell', { name: 'Active' }).first().waitFor();
  expect(refreshes).toHaveLength(4);
  await close();
});

testInBrowser(
  'who is signed out elsewhere is asked to sign in, and stays where they were',
  async () => {
    const { owner } = await openAccount(tollgate.api);
    browser ??= await launchBrowser();
    const tab = await openTab(browser, tollgate);
    await tab.logIn(owner.email, owner.password);
    await tab.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await tollgate.api.post(`/v1/admin/users/${owner.userId}/end-sessions`, undefined);
    await tab.page.getByRole('link', { name: 'API keys' }).click();
    await tab.page.getByRole('button', { name: 'Log in' }).waitFor();
    await tab.logIn(owner.email, owner.password);
    await tab.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await tab.close();
  },
);

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

testInBrowser('a first password has to be changed before anything else', async () => {
  const { owner } = await openAccount(tollgate.api);
  const person = { email: 'first@accounts.test', password: 'a-first-password' };
  await owner.api.post('/v1/account/members', {
    ...{ ...person, role: 'admin', must_change_password: true },
  });
  browser ??= await launchBrowser();
  const { page, logIn, complaints, close } = await openTab(browser, tollgate);
  await logIn(person.email, person.password);
  await page.getByText('Choose a password of your own to go on.').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByLabel('Current password').fill(person.password);
  await page.getByLabel('New password').fill('a-password-of-their-own');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The password is changed.').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

testInBrowser('a page whose service is away says so, and comes back by itself', async () => {
  const { page, close } = await signIn();
  const body = { error: { code: 'SERVICE_UNAVAILABLE', message: 'Try again in a moment.' } };
  await page.route('**/v1/keys?*', (route) => route.fulfill({ status: 503, json: body }));
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('This page asks again by itself.').waitFor();
  await page.unroute('**/v1/keys?*');
  await page.getByRole('cell', { name: 'Active' }).first().waitFor();
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
  await page.getByText('nothing that you wrote is lost').waitFor();
  // Beside the page, not over it: what somebody reads or writes goes on.
  await page.getByLabel('Name').fill('half written meanwhile');
  await page.getByRole('button', { name: 'Cancel' }).click({ trial: true });
  await page.context().setOffline(false);
  await page.getByText('nothing that you wrote is lost').waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Name').inputValue()).toBe('half written meanwhile');
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

import type { Browser, Page } from 'playwright-core';
import { grantCredit, type OpenedAccount, openAccount } from '../support/accounts';
import { DESK, launchBrowser } from '../support/console/browser';
import {
  type ConsoleTab,
  chooseIn,
  openTab,
  PHONE,
  testInBrowser,
} from '../support/console/console-tab';
import { focusOn, skipToContent, walk } from '../support/console/keyboard';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

let tollgate: RunningTollgate;
let browser: Browser | undefined;
let desk: ConsoleTab | undefined;
let customer: OpenedAccount;

beforeAll(async () => {
  tollgate = await startTollgate({ TOLLGATE_GATEWAY_DENIAL_WINDOW_MS: '1000' });
  customer = await openAccount(tollgate.api);
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

/** One tab for the walks of this file, in which the first test signs the operator in. */
async function openDesk(path: string): Promise<ConsoleTab> {
  browser ??= await launchBrowser();
  desk ??= await openTab(browser, tollgate);
  await desk.open(path);
  return desk;
}

const openKeys = () => openDesk('/keys');

testInBrowser('a wrong password is answered in words, and nothing is shown', async () => {
  const { page, logIn, freshComplaints } = await openDesk('/');
  await logIn(tollgate.operatorEmail, 'not-the-password');
  await page.getByText('The email or password is wrong.').waitFor();
  expect(await page.getByText('Overview').count()).toBe(0);
  expect(freshComplaints()).toEqual([expect.stringContaining('401')]);
});

testInBrowser('who was sent an address signs in and arrives there', async () => {
  const { page, logIn, freshComplaints } = await openDesk('/keys?open=-new');
  await logIn(tollgate.operatorEmail, tollgate.operatorPassword);
  await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
  expect(freshComplaints()).toEqual([]);
});

async function statusWith(key: string): Promise<number> {
  const { status } = await fetchDocumented(`${tollgate.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return status;
}

/** Every gateway answers a request with this key so; a change reaches each within a second. */
async function becomes(key: string, status: number): Promise<void> {
  await eventually(
    () => statusWith(key),
    (answered) => answered === status,
  );
}

async function readSecret(page: Page): Promise<string> {
  const secret = page.locator('pre', { hasText: /^tg_live_/ });
  return (await secret.textContent()) ?? '';
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  const drawer = page.getByRole('dialog', { name: /^(Create|New) API key$/ });
  await drawer.getByLabel('Name').fill(name);
  await drawer.getByRole('button', { name: 'Create key' }).click();
  const secret = await readSecret(page);
  await drawer.getByRole('button', { name: 'Done' }).click();
  return secret;
}

testInBrowser('a key that was made works, and its use and cost appear', async () => {
  const { page, freshComplaints } = await openKeys();
  const key = await createKey(page, 'from the console');
  expect(await page.getByText(key).count()).toBe(0);
  const row = page.getByRole('row').filter({ hasText: 'from the console' });
  await row.getByText('Never').waitFor();
  expect(await statusWith(key)).toBe(200);
  await row.getByText('just now').first().waitFor();
  await row.getByText(/\$0\.0*[1-9]/).waitFor();
  expect(freshComplaints()).toEqual([]);
});

testInBrowser('a disabled key is refused until it is enabled', async () => {
  const { page, freshComplaints } = await openKeys();
  const key = await createKey(page, 'to disable');
  await page.getByRole('link', { name: 'to disable' }).click();
  await page.getByRole('button', { name: 'Disable' }).click();
  const question = page.getByRole('dialog', { name: 'Disable the API key “to disable”' });
  await question.getByText('It was not used yet.').waitFor();
  expect(await statusWith(key)).toBe(200);
  await question.getByRole('button', { name: 'Disable key' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('dialog').getByText('Disabled', { exact: true }).waitFor();
  await becomes(key, 401);
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog').getByText('Active', { exact: true }).waitFor();
  await becomes(key, 200);
  expect(freshComplaints()).toEqual([]);
});

testInBrowser('rotating shows a new secret once; without grace the old one ends', async () => {
  const { page, freshComplaints } = await openKeys();
  const before = await createKey(page, 'to rotate');
  await page.getByRole('link', { name: 'to rotate' }).click();
  await page.getByRole('button', { name: 'Rotate' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate the API key “to rotate”' });
  await question.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Not at all' }).click();
  await question.getByRole('button', { name: 'Rotate key' }).click();
  const after = await readSecret(page);
  expect(after).not.toBe(before);
  await becomes(after, 200);
  await becomes(before, 401);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Rotate' }).waitFor();
  expect(freshComplaints()).toEqual([]);
});

testInBrowser(
  'revoking says what it breaks, wants the name, and ends the key at once',
  async () => {
    const { page, freshComplaints } = await openKeys();
    const key = await createKey(page, 'to revoke');
    expect(await statusWith(key)).toBe(200);
    await page.getByRole('link', { name: 'to revoke' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke the API key “to revoke”' });
    await question.getByText('It was used 1 time in the last 24 hours').waitFor();
    expect(await question.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true);
    await question.getByLabel('Type to revoke to confirm').fill('to revoke');
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('link', { name: 'to revoke' }).waitFor({ state: 'detached' });
    await becomes(key, 401);
    expect(freshComplaints()).toEqual([]);
  },
);

testInBrowser('what the API would refuse is said beside the field before it is sent', async () => {
  const { page, freshComplaints } = await openKeys();
  await page.getByRole('button', { name: 'Create key' }).click();
  const drawer = page.getByRole('dialog', { name: /^(Create|New) API key$/ });
  await drawer.getByText('More settings').click();
  await drawer.getByLabel('Budget', { exact: true }).fill('a lot');
  await drawer.getByRole('button', { name: 'Create key' }).click();
  await drawer.getByText('Give it a name').waitFor();
  await drawer.getByText('An amount such as 25.00').waitFor();
  await focusOn(page, 'Name');
  await drawer.getByLabel('Name').fill('with limits');
  // A wrong field that is folded away is shown again.
  await drawer.getByText('More settings').click();
  await drawer.getByRole('button', { name: 'Create key' }).click();
  await focusOn(page, 'Budget');
  await drawer.getByLabel('Budget', { exact: true }).fill('2.50');
  await drawer.getByLabel('Requests a minute').fill('7');
  await drawer.getByRole('button', { name: 'Create key' }).click();
  await drawer.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'with limits' }).click();
  await page.getByText('of $2.50').first().waitFor();
  expect(freshComplaints()).toEqual([]);
});

testInBrowser('a key is made, seen and left by the keyboard alone', async () => {
  const { page, freshComplaints } = await openKeys();
  const { keyboard } = page;
  await page.getByRole('link', { name: 'from the console' }).waitFor();
  const stops = await walk(page, 'Create key');
  // First the way past the rail, then the rail from its top.
  expect(stops.slice(0, 2).map(({ name }) => name)).toEqual(['Skip to content', 'Overview']);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);

  await keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: /^(Create|New) API key$/ });
  await drawer.getByLabel('Name').waitFor();
  await keyboard.type('by keyboard');
  await keyboard.press('Enter');
  await drawer.locator('pre', { hasText: /^tg_live_/ }).waitFor();
  const inDrawer = await walk(page, 'Done');
  expect(inDrawer.filter(({ isSeen }) => !isSeen)).toEqual([]);
  await keyboard.press('Enter');
  await drawer.waitFor({ state: 'hidden' });
  await focusOn(page, 'Create key');

  await walk(page, 'by keyboard');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'by keyboard' }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'by keyboard' }).waitFor({ state: 'hidden' });
  await focusOn(page, 'by keyboard');
  expect(freshComplaints()).toEqual([]);
});

testInBrowser('the playground is asked by the keyboard alone', async () => {
  const { page, open, freshComplaints } = await openKeys();
  await open('/playground');
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  const { keyboard } = page;
  await skipToContent(page);
  await walk(page, 'Prompt');
  await keyboard.type('Say something short');
  const stops = await walk(page, 'Send');
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  await keyboard.press('Enter');
  await page.getByRole('link', { name: 'Its story' }).waitFor();
  await walk(page, 'Its story');
  await keyboard.press('Enter');
  const story = page.getByRole('dialog', { name: 'Request' });
  await story.getByText('Streamed').waitFor();
  await keyboard.press('Escape');
  await story.waitFor({ state: 'hidden' });
  // What was written is there again for whoever comes back.
  await page.getByRole('link', { name: 'Playground' }).click();
  expect(await page.getByLabel('Prompt').inputValue()).toBe('Say something short');
  expect(freshComplaints()).toEqual([]);
});

testInBrowser('an answer that is stopped is not asked for again, and one key serves', async () => {
  const { page, open, freshComplaints } = await openKeys();
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/chat/completions')) asked += 1;
  });
  const prompt = '[[simulate {"tokens": 400, "token_interval_ms": 50}]]';
  const press = [
    (name: string) => page.getByRole('button', { name }).click(),
    (name: string) => page.getByRole('button', { name }).press('Enter'),
  ];
  for (const [index, pressed] of press.entries()) {
    await open('/playground');
    await page.getByText('The first question makes an API key').waitFor();
    await page.getByLabel('Prompt').fill(prompt);
    await pressed('Send');
    await page.getByText('This is a simulated answer').first().waitFor();
    await pressed('Stop');
    await page.getByText('Stopped; what was delivered is charged.').waitFor();
    await focusOn(page, 'Send');
    expect(asked).toBe(index + 1);
    expect(await page.getByText('The first question makes an API key').count()).toBe(0);
  }
  const { items } = (await tollgate.api.get('/v1/keys?limit=200')) as {
    readonly items: readonly { readonly name: string }[];
  };
  expect(items.filter(({ name }) => name === 'Playground')).toHaveLength(1);
  expect(freshComplaints()).toEqual([]);
});

testInBrowser(
  'a connection that is cut keeps what it brought, and leads to its story',
  async () => {
    const { page, open, freshComplaints } = await openKeys();
    await open('/playground');
    await page.route('**/v1/chat/completions', (route) =>
      route.fulfill({
        headers: { 'content-type': 'text/event-stream', 'x-request-id': 'req_cut' },
        body: 'data: {"choices":[{"delta":{"content":"Half of"}}]}\n\n',
      }),
    );
    await page.getByLabel('Prompt').fill('Whole?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('The connection to Tollgate broke off.').waitFor();
    await page.getByText('Half of').waitFor();
    const story = page.getByRole('link', { name: 'Its story' });
    expect(await story.getAttribute('href')).toContain('open=req_cut');
    await page.unroute('**/v1/chat/completions');
    expect(freshComplaints()).toEqual([]);
  },
);

testInBrowser('a secret and a form with something in it stay until they are left', async () => {
  const { page, freshComplaints } = await openKeys();
  const leaveByMistake = async () => {
    await page.mouse.click(20, 400);
    await page.keyboard.press('Escape');
  };
  await page.getByRole('button', { name: 'Create key' }).click();
  const drawer = page.getByRole('dialog', { name: /^(Create|New) API key$/ });
  await drawer.getByLabel('Name').fill('kept');
  await leaveByMistake();
  expect(await drawer.getByLabel('Name').inputValue()).toBe('kept');
  await drawer.getByRole('button', { name: 'Create key' }).click();
  const secret = await readSecret(page);
  await leaveByMistake();
  await page.getByLabel('New API key').getByText('Copy the API key first').waitFor();
  expect(await readSecret(page)).toBe(secret);
  await drawer.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: 'kept' }).click();
  const details = page.getByRole('dialog', { name: 'kept' });
  await details.getByText('Change settings').click();
  await page.mouse.click(20, 400);
  await details.waitFor({ state: 'hidden' });
  expect(freshComplaints()).toEqual([]);
});

testInBrowser(
  'an operator finds why a request was refused, and what would decide now',
  async () => {
    const ask = (model: string) =>
      tollgate.api.request('POST', '/v1/chat/completions', {
        body: { model, messages: [{ role: 'user', content: 'Hello' }] },
      });
    const ids: string[] = [];
    const told: string[] = [];
    for (const model of ['no-such-model', 'sim-small']) {
      const { body, headers } = await ask(model);
      const id = headers.get('x-request-id') ?? '';
      told.push(body?.error?.message ?? '');
      await eventually(
        () => tollgate.api.request('GET', `/v1/admin/requests/${id}`),
        ({ status }) => status === 200,
      );
      ids.push(id);
    }
    const { page, open, freshComplaints } = await openKeys();
    await open(`/operator/requests?open=${ids[0]}`);
    const story = page.getByRole('dialog', { name: 'Request' });
    await story.getByText('Asked for no-such-model.').waitFor();
    await story
      .getByText(told[0] ?? '')
      .first()
      .waitFor();
    await open(`/operator/requests?open=${ids[1]}`);
    await story.getByRole('list', { name: 'Candidates' }).getByText('sim-small at').waitFor();

    // Whoever has no id finds it in a list, of all accounts and of their own.
    for (const path of ['/operator/requests', '/requests']) {
      await open(path);
      await page.getByRole('link', { name: 'See the refused' }).click();
      await chooseIn(page, 'Reason', 'No such model or path');
      const row = page.getByRole('row').filter({ hasText: 'no-such-model' });
      await row.getByText('No such model or path').waitFor();
      await row.getByRole('link').first().click();
      await story.getByText('Asked for no-such-model.').waitFor();
    }
    expect(freshComplaints()).toEqual([]);
  },
);

testInBrowser('codes whose answer was lost are said to be lost', async () => {
  const { page, open, freshComplaints } = await openKeys();
  const codes = tollgate.api.post('/v1/admin/codes', { amount: '1.00' });
  const { id } = (await codes) as { readonly id: string };
  await open('/operator/codes?open=-new');
  // As the API answers a repetition: codes are told once.
  const json = { data: { id, codes: [{}] } };
  await page.route('**/v1/admin/codes', (route) => route.fulfill({ status: 201, json }));
  await page.getByLabel('Amount').fill('1.00');
  await page.getByRole('dialog').getByRole('button', { name: 'Create codes' }).click();
  await page.getByText('These codes cannot be shown any more').waitFor();
  await page.unroute('**/v1/admin/codes');
  await page.getByRole('button', { name: 'Show the batch' }).click();
  await page.getByRole('cell', { name: 'Unused' }).waitFor();
  expect(freshComplaints()).toEqual([]);
});

testInBrowser('nobody is offered to end the account that they are signed in to', async () => {
  const { page, open, freshComplaints } = await openKeys();
  const other = customer.id;
  const { items } = (await tollgate.api.get('/v1/admin/accounts')) as {
    readonly items: readonly { readonly id: string; readonly name: string }[];
  };
  const own = items.find(({ name }) => name === 'Operator')?.id ?? '';
  await open(`/operator/accounts?open=${own}`);
  await page.getByText('This is your own account.').waitFor();
  expect(await page.getByRole('button', { name: /^(Suspend|Erase)/ }).count()).toBe(0);
  await open(`/operator/accounts?open=${other}`);
  await page.getByRole('button', { name: 'Erase account' }).waitFor();
  await page.getByRole('button', { name: 'Suspend' }).waitFor();
  expect(freshComplaints()).toEqual([]);
});

testInBrowser(
  'a long ledger, old figures and calls that fail are told as what they are',
  async () => {
    const { page, open, freshComplaints } = await openKeys();
    const { id } = await openAccount(tollgate.api);
    for (let index = 0; index < 11; index += 1) {
      await grantCredit(tollgate.api, { id, amount: '1.00', idempotencyKey: `long-${index}` });
    }
    await open(`/operator/accounts?open=${id}`);
    await page.getByText('The newest 10').waitFor();
    await open('/usage');
    await page.getByText('Last activity').waitFor();
    await open('/operator/health');
    const channels = page.getByRole('region', { name: 'Health of channels' });
    await channels.getByText('Calls and checks lately').first().waitFor();
    expect(freshComplaints()).toEqual([]);
  },
);

testInBrowser('a page whose service is away says so, and comes back by itself', async () => {
  const { page, freshComplaints } = await openDesk('/');
  const body = { error: { code: 'SERVICE_UNAVAILABLE', message: 'Try again in a moment.' } };
  await page.route('**/v1/keys?*', (route) => route.fulfill({ status: 503, json: body }));
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('This page asks again by itself.').waitFor();
  await page.unroute('**/v1/keys?*');
  await page.getByRole('cell', { name: 'Active' }).first().waitFor();
  expect(new Set(freshComplaints().map((one) => /50\d/.exec(one)?.[0]))).toEqual(new Set(['503']));
});

testInBrowser('while the product is away the console says so, and then goes on', async () => {
  const { page, freshComplaints } = await openDesk('/');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('half written');
  await page.context().setOffline(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const away = page.getByText('nothing you wrote is lost');
  await away.waitFor();
  // Beside the page, not over it: what somebody reads or writes goes on.
  const drawer = await page.getByRole('dialog').boundingBox();
  expect((drawer?.y ?? 0) + (drawer?.height ?? 0)).toBeLessThan((await away.boundingBox())?.y ?? 0);
  await page.getByLabel('Name').fill('half written meanwhile');
  await page.getByRole('button', { name: 'Cancel' }).click({ trial: true });
  await page.context().setOffline(false);
  await away.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Name').inputValue()).toBe('half written meanwhile');
  expect(freshComplaints().filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
});

testInBrowser('on a phone nothing covers the content, and a bar leads to the pages', async () => {
  const { page } = await openDesk('/');
  await page.setViewportSize(PHONE);
  await page.getByText('Available').waitFor();
  // A trial click fails when something else lies on top.
  await page.getByText('Available').click({ trial: true });
  await page.getByRole('navigation', { name: 'Main pages' }).getByText('Channels').click();
  await page.getByRole('button', { name: 'Add channel' }).click({ trial: true });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog', { name: 'All pages' }).getByText('Overview').click();
  await page.getByText('Available').waitFor();
  const width = await page
    .locator('html')
    .evaluate(({ scrollWidth }: { readonly scrollWidth: number }) => scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
  await page.setViewportSize(DESK);
});

testInBrowser('light or dark is as the system says until somebody chooses', async () => {
  const { page } = await openDesk('/');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.getByText('Available').waitFor();
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  expect(await scheme()).toBe('dark');
  await page.getByRole('button', { name: tollgate.operatorEmail }).click();
  await page.getByRole('menuitem', { name: 'Light' }).click();
  expect(await scheme()).toBe('light');
  await page.reload();
  await page.getByText('Available').waitFor();
  expect(await scheme()).toBe('light');
});

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

/** Everything that scripts of the page could read later; nothing else types what a page has. */
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
  const { page, freshComplaints } = await openDesk('/');
  await page.getByText('Available').waitFor();
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
  await Promise.all(tabs.map((tab) => tab.close()));

  // The first answer is a refusal, as after a change of what the user may do.
  await page.route('**/v1/keys?*', (route) => route.fulfill({ status: 401 }), { times: 1 });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('cell', { name: 'Active' }).first().waitFor();
  expect(refreshes).toHaveLength(4);
  expect(freshComplaints()).toEqual([expect.stringContaining('401')]);
});

testInBrowser('logging out ends both tokens on the server and leaves nothing here', async () => {
  const { page, freshComplaints } = await openDesk('/');
  const accessToken = await readAccessToken(page);
  const cookie = await readCookie(page);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/v1/users' });
  expect(await readStorage(page)).not.toContain('tg_');

  // What the page still asks for is refused, and the browser says so.
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: tollgate.operatorEmail }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.context().cookies(`${tollgate.baseUrl}/v1/users/refresh`)).toEqual([]);
  expect((await refresh(cookie?.value)).status).toBe(401);
  const headers = { authorization: `Bearer ${accessToken}` };
  const me = () => fetchDocumented(`${tollgate.baseUrl}/v1/users/me`, { headers });
  // The gateway that did not end it hears of it within a second.
  await eventually(me, ({ status }) => status === 401);
  expect(freshComplaints().filter((complaint) => !complaint.includes('401'))).toEqual([]);
});

testInBrowser('a first password is changed before anything else is asked for', async () => {
  const { owner } = customer;
  const person = { email: 'first@accounts.test', password: 'a-first-password' };
  await owner.api.post('/v1/account/members', {
    ...person,
    role: 'admin',
    must_change_password: true,
  });
  browser ??= await launchBrowser();
  const { page, open, logIn, complaints, close } = await openTab(browser, tollgate);
  // An address that is not there, and one that is not theirs.
  for (const path of ['/nowhere', '/operator/health', '/keys']) {
    await open(path);
    if (path === '/nowhere') await logIn(person.email, person.password);
    await page.getByRole('heading', { name: 'Choose a password of your own' }).waitFor();
  }
  await focusOn(page, 'Current password');
  expect(await page.getByRole('navigation').count()).toBe(0);
  await page.getByText('At least 8 characters').waitFor();
  await page.getByLabel('Current password').fill(person.password);
  await page.getByLabel('New password').fill('a-password-of-their-own');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

testInBrowser(
  'who is signed out elsewhere is asked to sign in, and stays where they were',
  async () => {
    const { owner } = customer;
    browser ??= await launchBrowser();
    const tab = await openTab(browser, tollgate);
    await tab.logIn(owner.email, owner.password);
    await tab.page.getByRole('link', { name: 'API keys' }).click();
    await tab.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await tollgate.api.post(`/v1/admin/users/${owner.userId}/end-sessions`, undefined);
    // The page learns it by itself when it asks for its figures again.
    await tab.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await tab.logIn(owner.email, owner.password);
    await tab.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await tab.close();
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openAccount } from '../support/accounts';
import { DESK, launchBrowser } from '../support/console/browser';
import {
  type ConsoleTab,
  openOperatorTab,
  openTab,
  PHONE,
  TABLET,
  testInBrowser,
  WITHOUT_TRANSITIONS,
} from '../support/console/console-tab';
import { eventually } from '../support/eventually';
import { refuseOne } from '../support/openapi/openapi-fixture';
import { simulatorUrl } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';
import { CONSOLE_STATES, failSome, nameAtLength } from './console-pages/console-states';

jest.setTimeout(300_000);

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Where pictures of every page go, for people to look at; without it none are taken. */
const PICTURES = process.env.CONSOLE_PICTURES;
/** Pages that are looked at at once, each in a tab of its own. */
const TABS = 2;

let tollgate: RunningTollgate;
let browser: Browser | undefined;
let desk: Promise<ConsoleTab> | undefined;
let looks: ReadonlyMap<string, Promise<void>> | undefined;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  tollgate = await startTollgate({
    TOLLGATE_GATEWAY_DENIAL_WINDOW_MS: '1000',
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  });
  ids = await fill();
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

/** Every page, and a drawer of each kind; names in braces are ids of what `fill` made. */
const PATHS = [
  '/',
  '/requests',
  '/requests?open={request}',
  '/requests?status=failed',
  '/requests?status=refused',
  '/keys',
  '/keys?open=-new',
  '/keys?open={key}',
  '/usage?range=24h&by=key&show=requests',
  '/billing?kind=charge',
  '/billing?open={month}',
  '/webhooks',
  '/webhooks?open=-new',
  '/webhooks?open={webhook}',
  '/models',
  '/playground',
  '/team',
  '/team?open=-new',
  '/settings',
  '/operator/health',
  '/operator/alerts',
  '/operator/alerts?severity=critical',
  '/operator/channels',
  '/operator/channels?open=-new',
  '/operator/channels?open={channel}',
  '/operator/models',
  '/operator/models?open=-new',
  '/operator/models?open=sim-small',
  '/operator/models?open=-import',
  '/operator/plans',
  '/operator/plans?open=-new',
  '/operator/plans?open=free',
  '/operator/accounts',
  '/operator/accounts?open=-new',
  '/operator/accounts?open={account}',
  '/operator/accounts?open={own}',
  '/operator/codes',
  '/operator/codes?open=-new',
  '/operator/codes?open={code}',
  '/operator/users',
  '/operator/users?open=-new',
  '/operator/users?open={user}',
  '/operator/requests',
  '/operator/audit-log',
] as const;

/** Something on every page; answers the ids by name. */
async function fill(): Promise<Readonly<Record<string, string>>> {
  const { api } = tollgate;
  for (const model of ['auto', 'sim-large']) {
    await api.request('POST', '/v1/llm/chat/completions', {
      body: { model, messages: [{ role: 'user', content: 'Hello' }] },
    });
  }
  await api.post('/v1/admin/codes', { amount: '1.00' });
  const customer = await openAccount(api, { name: 'bridge-works', credit: '25.00' });
  const webhook = await tellNobody();
  const refused = await refuseOne(api);
  await breakSomething();
  await nameAtLength(tollgate);
  await eventually(
    () => itemsOf('/v1/requests'),
    (items) => items.length === 4,
  );
  const more = PICTURES === undefined ? {} : await failSome(tollgate);
  const firstOf = async (path: string) => (await itemsOf(path))[0]?.id ?? '';
  return {
    ...more,
    refused,
    webhook,
    account: customer.id,
    own: (await itemsOf('/v1/admin/accounts')).at(-1)?.id ?? '',
    month: String((await itemsOf('/v1/billing/statements'))[0]?.month),
    request: await firstOf('/v1/requests'),
    key: await firstOf('/v1/keys'),
    channel: await firstOf('/v1/admin/channels'),
    user: await firstOf('/v1/admin/users'),
    person: (await itemsOf(`/v1/admin/users?account_id=${customer.id}`))[0]?.id ?? '',
    code: await firstOf('/v1/admin/codes'),
  };
}

/** Something for the alerts: a model that nobody serves, and one that nobody can serve now. */
async function breakSomething(): Promise<void> {
  const { api } = tollgate;
  const pricing = { prompt: '0.50', completion: '1.50' };
  const sizes = { context_length: 8192, max_completion_tokens: 1024 };
  for (const name of ['of-nobody', 'out-of-service']) {
    await api.post('/v1/admin/models', { name, ...sizes, pricing });
  }
  await api.post('/v1/admin/channels', {
    name: 'being mended',
    type: 'simulator',
    base_url: await simulatorUrl(api),
    models: [{ name: 'out-of-service' }],
    status: 'disabled',
  });
}

/** A webhook where nothing listens, with an event that goes on being tried. */
async function tellNobody(): Promise<string> {
  const url = 'http://127.0.0.1:1/events';
  const { id } = await tollgate.api.post('/v1/webhooks', { url, events: ['balance.low'] });
  await tollgate.api.post(`/v1/webhooks/${id}/test`, undefined);
  return String(id);
}

function fillIn(path: string): string {
  return path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '');
}

/** The operator's first tab, signed in once. */
function signIn(): Promise<ConsoleTab> {
  desk ??= (async () => {
    browser ??= await launchBrowser();
    return openOperatorTab(browser, tollgate);
  })();
  return desk;
}

async function itemsOf(path: string) {
  const { items } = await tollgate.api.get(path);
  return items as readonly { readonly id: string; readonly month?: string }[];
}

/** Waits until nothing is loading any more. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor({ state: 'attached' });
  await page.locator('[role="status"][aria-busy="true"]').first().waitFor({ state: 'detached' });
}

const LOOKS = [
  ['light', DESK],
  ['dark', DESK],
  ['light', PHONE],
] as const;

/** Cells that are printed over their neighbours, and tables that do not fit where they stand. */
const OVERPRINTED = `[...document.querySelectorAll('td, section:has(> table)')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.ariaLabel ?? one.textContent)`;

/** Figures of a table of which a part lies outside the table's frame. */
const CUT_FIGURES = `[...document.querySelectorAll('[data-numeric="true"]')].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const { left, right } = range.getBoundingClientRect();
  const frame = cell.closest('section').getBoundingClientRect();
  return left < frame.left || right > frame.right;
}).map((cell) => cell.textContent)`;

/** Amounts that go on in a second line. */
const BROKEN_AMOUNTS = `[...document.querySelectorAll('span[title$=" USD"]')]
  .filter((one) => one.getClientRects().length > 1)
  .map((one) => one.textContent)`;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious barriers for people with assistive technology, by all rules or by those named. */
async function findBarriers(page: Page, ...rules: readonly string[]): Promise<readonly string[]> {
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules.length === 0 ? {} : { runOnly: { type: 'rule', values: rules } }),
  };
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

testInBrowser.each(PATHS)(
  '%s opens by its address, light and dark, without barriers, and fits a tablet and a phone',
  async (path) => {
    looks ??= lookAtAll();
    await looks.get(path);
  },
);

/** Every path in its turn, in some tabs at once; each test waits for its own. */
function lookAtAll(): ReadonlyMap<string, Promise<void>> {
  const looked = PATHS.map((path) => ({ path, ...Promise.withResolvers<void>() }));
  const waiting = [...looked];
  const work = async (tab: Promise<ConsoleTab>) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { path, resolve, reject } = next;
      await tab.then((one) => lookAt(one, path)).then(resolve, reject);
    }
  };
  const first = signIn();
  void work(first);
  for (let more = 1; more < TABS; more += 1) void work(first.then((tab) => tab.another()));
  for (const { promise } of looked) promise.catch(() => undefined);
  return new Map(looked.map(({ path, promise }) => [path, promise]));
}

async function lookAt({ page, open, freshComplaints }: ConsoleTab, path: string): Promise<void> {
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light' });
  await open(fillIn(path));
  await settle(page);
  await page.evaluate(AXE);
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(OVERPRINTED)).toEqual([]);
  await takePicture(page, `${path}-light`);
  // The same page in other colours: only they can be a barrier now, and not while they change.
  await page.evaluate(WITHOUT_TRANSITIONS);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  expect(await findBarriers(page, 'color-contrast')).toEqual([]);
  await takePicture(page, `${path}-dark`);
  await page.setViewportSize(TABLET);
  await settle(page);
  await eventually(
    () => widthOf(page),
    (width) => width <= TABLET.width,
  );
  // A table that turns out not to fit is another one a moment later.
  await eventually(
    () => page.evaluate<readonly string[]>(`[...${OVERPRINTED}, ...${CUT_FIGURES}]`),
    (found) => found.length === 0,
  );
  await takePicture(page, `${path}-tablet`);
  await page.setViewportSize(PHONE);
  await settle(page);
  // A chart is drawn anew a moment after the width of its page has changed.
  await eventually(
    () => widthOf(page),
    (width) => width <= PHONE.width,
  );
  expect(await page.evaluate(BROKEN_AMOUNTS)).toEqual([]);
  await takePicture(page, `${path}-phone`);
  expect(freshComplaints()).toEqual([]);
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  const file = `page${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`;
  await page.screenshot({ path: join(PICTURES, file) });
}

/** Of what can be scrolled to, in pixels. */
async function widthOf(page: Page): Promise<number> {
  return page
    .locator('html')
    .evaluate(({ scrollWidth }: { readonly scrollWidth: number }) => scrollWidth);
}

testInBrowser('signing in and a first password have no barriers either', async () => {
  const { owner } = await openAccount(tollgate.api);
  const person = { email: 'first@pages.test', password: 'a-first-password' };
  const member = { ...person, role: 'member', must_change_password: true };
  await owner.api.post('/v1/account/members', member);
  browser ??= await launchBrowser();
  const tab = await openTab(browser, tollgate);
  await tab.page.getByText('Forgotten your password?').click();
  await lookWithoutShell(tab, '/sign-in');
  await tab.open('/');
  await tab.logIn(person.email, person.password);
  await tab.page.getByRole('heading', { name: 'Choose a password' }).waitFor();
  await lookWithoutShell(tab, '/first-password');
  expect(tab.complaints).toEqual([]);
  await tab.close();
});

testInBrowser('how long money lasts is told by the pace that its owner is warned by', async () => {
  const tab = await (await signIn()).another();
  await tab.page.route('**/v1/billing/thresholds', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { readonly data: object };
    await route.fulfill({ response, json: { data: Object.assign(data, { daily_spend: '0.00' }) } });
  });
  for (const path of ['/', '/billing']) {
    await tab.open(path);
    await tab.page.getByText('Nothing was spent in the last two days').first().waitFor();
  }
  expect(tab.complaints).toEqual([]);
  await tab.page.close();
});

testInBrowser('health tells nothing of usage and money that it cannot read', async () => {
  const tab = await (await signIn()).another();
  const error = { code: 'INTERNAL_ERROR', message: 'The service failed.' };
  const refuse = /\/v1\/(stats|admin\/audit)(\?|$)/;
  await tab.page.route(refuse, (route) => route.fulfill({ status: 500, json: { error } }));
  await tab.open('/operator/health');
  await tab.page.getByText('The service failed.').first().waitFor();
  const channels = tab.page.getByRole('region', { name: 'Health of channels' });
  const ended = channels.getByRole('row').nth(1).getByRole('cell').nth(3);
  await eventually(
    () => ended.textContent(),
    (text) => text === '–',
  );
  const page = await tab.page.getByRole('main').textContent();
  expect(page).toContain('Failed, all accounts–');
  expect(page).not.toContain('requests;');
  expect(page).not.toContain('Audited');
  await tab.page.close();
});

testInBrowser('the drawer of a key says why it was refused last', async () => {
  const tab = await (await signIn()).another();
  await tab.page.route(/\/v1\/refusals(\?|$)/, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { readonly data: { readonly items: object[] } };
    const of = { key_id: ids.key, error_code: 'KEY_BUDGET_EXCEEDED' };
    const items = data.items.map((one) => Object.assign(one, of));
    await route.fulfill({ response, json: { data: Object.assign(data, { items }) } });
  });
  await tab.open(fillIn('/keys?open={key}'));
  const drawer = tab.page.getByRole('dialog');
  await drawer.getByText(/^Last refused .+: key's budget too low\.$/).waitFor();
  expect(tab.complaints).toEqual([]);
  await tab.page.close();
});

testInBrowser(
  'on a phone a price and its period, and what is said of a form, do not break',
  async () => {
    const { page, open } = await (await signIn()).another();
    await page.setViewportSize(PHONE);
    await open('/billing');
    const form = page.locator('form', { has: page.getByText('Stop spending below') });
    await form.getByRole('textbox', { name: 'Stop spending below' }).fill('0.25');
    await form.getByRole('button', { name: 'Save' }).click();
    const saved = await form.getByText('Saved').boundingBox();
    const save = await form.getByRole('button', { name: 'Save' }).boundingBox();
    expect((saved?.y ?? 0) + (saved?.height ?? 0)).toBeLessThanOrEqual(save?.y ?? 0);
    const prices = page.getByRole('list', { name: 'Plans' }).getByText(/^\$.+ a month$/);
    await prices.first().waitFor();
    const boxes = await Promise.all((await prices.all()).map((price) => price.boundingBox()));
    const heights = boxes.map((box) => box?.height ?? Number.NaN);
    // A second line would double it.
    expect(Math.max(...heights)).toBeLessThan(30);
    await form.getByRole('button', { name: 'Go back to the plan’s' }).click();
    await page.close();
  },
);

testInBrowser('what fails for one reason is said once, and tried again together', async () => {
  const { page, open } = await (await signIn()).another();
  let isAway = true;
  await page.route(/\/v1\/(stats|refusals|admin)/, (route) => {
    const error = { code: 'INTERNAL_ERROR', message: 'Not this time.', type: 'internal_error' };
    return isAway ? route.fulfill({ status: 500, json: { error } }) : route.continue();
  });
  await open('/operator/health');
  const main = page.getByRole('main');
  await main.getByText('This could not be loaded either.').nth(3).waitFor();
  expect(await main.getByText('Not this time.').count()).toBe(1);
  isAway = false;
  await main.getByRole('button', { name: 'Retry' }).click();
  await main.getByText('This could not be loaded').first().waitFor({ state: 'detached' });
  await page.close();
});

async function lookWithoutShell({ page }: ConsoleTab, name: string): Promise<void> {
  await page.setViewportSize(DESK);
  await page.evaluate(AXE);
  await page.evaluate(WITHOUT_TRANSITIONS);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, `${name}-${colorScheme}`);
  }
  await page.setViewportSize(PHONE);
  await takePicture(page, `${name}-phone`);
}

testInBrowser('people of a suspended account are told so once, and whom to ask', async () => {
  const { id, owner } = await openAccount(tollgate.api);
  browser ??= await launchBrowser();
  const tab = await openTab(browser, tollgate);
  await tab.logIn(owner.email, owner.password);
  await tab.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await tollgate.api.request('PATCH', `/v1/admin/accounts/${id}`, {
    body: { status: 'suspended' },
  });
  await eventually(
    () => owner.api.request('GET', '/v1/users/me'),
    ({ status }) => status === 403,
  );
  for (const path of ['/', '/keys']) {
    await tab.open(path);
    await tab.page.getByRole('alert').getByText('Ask whoever runs this service').waitFor();
    expect(await tab.page.getByRole('alert').count()).toBe(1);
    expect(await tab.page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await takePicture(tab.page, `/suspended${path}`);
  }
  await tab.close();
});

testInBrowser('an address without a page says so, and stays to be mended', async () => {
  const { page, open } = await signIn();
  await page.setViewportSize(DESK);
  await open('/no/such/page');
  await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
  expect(page.url()).toContain('/no/such/page');
  await page.getByRole('link', { name: 'Go to Health' }).click();
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
});

testInBrowser.each(['/keys', '/webhooks', '/team', '/operator/codes', '/operator/accounts'])(
  'of %s an id that is not there offers no other try',
  async (path) => {
    const { page, open } = await (await signIn()).another();
    await open(`${path}?open=00000000`);
    const drawer = page.getByRole('dialog');
    await drawer.getByText('There is nothing here').waitFor();
    expect(await drawer.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.close();
  },
);

testInBrowser('the audit log is narrowed by what people call a thing, or by an id', async () => {
  const { page, open } = await (await signIn()).another();
  await open('/operator/audit-log?resource=being%20mended');
  const rows = page.getByRole('region', { name: 'Audit log' }).getByRole('row');
  await rows.filter({ hasText: 'being mended' }).first().waitFor();
  expect(await rows.filter({ hasText: 'bridge-works' }).count()).toBe(0);
  const what = page.getByRole('combobox', { name: 'What changed' });
  await what.fill('bridge-w');
  await page.getByText('No write fits').waitFor();
  await page.getByRole('option', { name: 'bridge-works', exact: true }).click();
  await rows.filter({ hasText: 'bridge-works' }).first().waitFor();
  await what.fill('nothing-of-this-name');
  await page.getByText('No write fits').waitFor();
  await what.fill(ids.account ?? '');
  await rows.filter({ hasText: 'bridge-works' }).first().waitFor();
  await page.close();
});

testInBrowser('a request is found by what its client called it', async () => {
  const headers = { 'x-request-id': 'job-77' };
  const body = { model: 'auto', messages: [{ role: 'user', content: 'Hello' }] };
  await tollgate.api.request('POST', '/v1/llm/chat/completions', { headers, body });
  await eventually(
    () => itemsOf('/v1/admin/requests?client_request_id=job-77'),
    (items) => items.length === 1,
  );
  const { freshComplaints, open, page } = await signIn();
  await open('/operator/requests?open=job-77');
  await page.getByText("Client's own id").waitFor();
  // It is looked for as an id of ours first.
  expect(freshComplaints()).toEqual([expect.stringContaining('404')]);
});

testInBrowser('the address of a request opens its story', async () => {
  const { page, open } = await (await signIn()).another();
  for (const path of ['/requests/{request}', '/operator/requests/{request}']) {
    await open(fillIn(path));
    await page.getByRole('dialog', { name: 'Request' }).getByText('What happened').waitFor();
    await page.waitForURL(`**${fillIn('/operator/requests?open={request}')}`);
  }
  await page.close();
});

testInBrowser('what a list cuts is told under the pointer, and opens its row', async () => {
  const { page, open } = await (await signIn()).another();
  await open('/requests');
  const amount = page.locator('td [title$=" USD"]').first();
  // Neither arrives where something else lies above.
  await amount.hover();
  await amount.click();
  await page.getByRole('dialog', { name: 'Request' }).waitFor();
  await page.close();
});

/** What locks somebody out or breaks a receiver, where it is pressed, and what asks. */
const ASKED = [
  ['/operator/users?open={person}', 'Disable', /^Disable .*@/],
  ['/operator/users?open={person}', 'End sessions', /^End the sessions of /],
  ['/webhooks?open={webhook}', 'Disable', 'Disable this webhook'],
  ['/webhooks?open={webhook}', 'Rotate secret', 'Rotate the signing secret'],
  ['/settings', 'Sign out everywhere', 'Sign out everywhere'],
] as const;

testInBrowser.each(ASKED)(
  'of %s the button %s asks before it does it',
  async (path, name, title) => {
    const { page, open } = await (await signIn()).another();
    let written = 0;
    page.on('request', (request) => {
      if (request.method() !== 'GET' && !request.url().endsWith('/refresh')) written += 1;
    });
    await open(fillIn(path));
    await page.getByRole('button', { name, exact: true }).click();
    const question = page.getByRole('dialog', { name: title });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(written).toBe(0);
    await page.close();
  },
);

testInBrowser('beside the secret of a webhook stands how its receiver checks with it', async () => {
  const { page, open } = await (await signIn()).another();
  await open('/webhooks?open=-new');
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Address').fill('http://127.0.0.1:9/events');
  await drawer.getByRole('button', { name: 'Create webhook' }).click();
  await drawer.getByRole('button', { name: 'Copy JavaScript example' }).waitFor();
  await drawer.getByRole('tab', { name: 'Python' }).click();
  await drawer.getByText('def is_from_tollgate').waitFor();
  await page.close();
});

/** States that no address leads to: only for pictures, which only people judge. */
if (PICTURES !== undefined) {
  testInBrowser.each(CONSOLE_STATES)('a picture of $name', async ({ name, path, reach }) => {
    for (const [scheme, viewport] of LOOKS) {
      const { page, open } = await (await signIn()).another();
      try {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: scheme });
        await open(fillIn(path));
        await settle(page);
        await reach(page, tollgate);
        await takePicture(page, `/state-${name}-${viewport === PHONE ? 'phone' : scheme}`);
      } finally {
        await page.context().setOffline(false);
        await page.close();
      }
    }
  });
}

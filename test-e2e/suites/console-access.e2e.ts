import type { Browser, Page } from 'playwright-core';
import { addMember, createKey, openAccount } from '../support/accounts';
import { launchBrowser } from '../support/console/browser';
import {
  type ConsoleTab,
  openOperatorTab,
  openTab,
  PHONE,
  testInBrowser,
  WITHOUT_TRANSITIONS,
} from '../support/console/console-tab';
import { focusOn, walk } from '../support/console/keyboard';
import { eventually } from '../support/eventually';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(300_000);

let tollgate: RunningTollgate;
let browser: Browser | undefined;
let desk: Promise<ConsoleTab> | undefined;
let customerId: string;

beforeAll(async () => {
  tollgate = await startTollgate();
  const { api } = tollgate;
  const { key } = await api.post('/v1/keys', { name: 'Shop assistant' });
  const body = { model: 'sim-large', messages: [{ role: 'user', content: 'Hello' }] };
  const headers = { authorization: `Bearer ${String(key)}` };
  await api.request('POST', '/v1/chat/completions', { body, headers });
  customerId = (await openAccount(api, { name: 'bridge-works', credit: '25.00' })).id;
  const { id } = await openAccount(api, { name: 'tunnel-works' });
  await api.request('PATCH', `/v1/admin/accounts/${id}`, { body: { status: 'suspended' } });
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

/** The operator's first tab, signed in once. */
function signIn(): Promise<ConsoleTab> {
  desk ??= (async () => {
    browser ??= await launchBrowser();
    return openOperatorTab(browser, tollgate);
  })();
  return desk;
}

/** How light a colour is, as WCAG computes it. */
const LIGHT = `
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const weigh = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (color) => {
    const [red, green, blue] = parts(color).map((part) => weigh(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
`;

/** Of the edge of each field, and of what stands in a button, with its ground, as WCAG computes it. */
const CONTRASTS = `(() => {
  ${LIGHT}
  const groundOf = (one) => {
    const { backgroundColor } = getComputedStyle(one);
    return parts(backgroundColor)[3] === 0 ? groundOf(one.parentElement) : backgroundColor;
  };
  const compare = (color, ground) =>
    Math.max(light(color), light(ground)) / Math.min(light(color), light(ground));
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    edges: all('.mantine-Input-input').map((one) =>
      compare(getComputedStyle(one).borderTopColor, groundOf(one.parentElement))),
    words: all('.mantine-Button-root').map((one) =>
      compare(getComputedStyle(one).color, groundOf(one))),
  };
})()`;

interface Contrasts {
  readonly edges: readonly number[];
  readonly words: readonly number[];
}

testInBrowser.each(['light', 'dark'] as const)(
  'the edge of a field is seen, and a button that is off is read, %s',
  async (scheme) => {
    const { page, open } = await (await signIn()).another();
    await page.emulateMedia({ colorScheme: scheme });
    for (const path of ['/keys?open=-new', '/settings']) {
      await open(path);
      await page.locator('.mantine-Input-input').nth(1).waitFor();
      await page.evaluate(WITHOUT_TRANSITIONS);
      const { edges, words } = await page.evaluate<Contrasts>(CONTRASTS);
      expect(Math.min(...edges)).toBeGreaterThanOrEqual(3);
      expect(Math.min(...words)).toBeGreaterThanOrEqual(4.5);
    }
    await page.close();
  },
);

/**
 * What is wrong where the focus is, and whether it is where it was first: its ring is drawn around
 * itself, its row, its field, or the label of a choice.
 */
const READ_FOCUS = `(() => {
  const it = document.activeElement;
  if (it === null || it === document.body) return { isOver: true, faults: [] };
  window.firstFocus ??= new WeakSet();
  if (window.firstFocus.has(it)) return { isOver: true, faults: [] };
  window.firstFocus.add(it);
  const isDrawn = (one, part) => getComputedStyle(one, part).outlineStyle !== 'none';
  const label = it.labels?.[0];
  const shown = [it, it.closest('.mantine-Input-input'), it.nextElementSibling].filter(Boolean);
  const isSeen = shown.some((one) => isDrawn(one)) || isDrawn(it, '::after');
  // A choice among several is a label, with a field of no size in front of it.
  const box = it.offsetWidth > 2 || label === undefined ? it : label;
  const { top, bottom, left, right, width, height } = box.getBoundingClientRect();
  const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const x = left + Math.min(width / 2, 40);
  const above = document.elementFromPoint(x, Math.min(Math.max(top + height / 2, 1), innerHeight - 1));
  const field = it.closest('.mantine-Input-wrapper') ?? box;
  const isFree = above === null || box.contains(above) || above.contains(box) || field.contains(above);
  const name = (it.ariaLabel ?? label?.textContent ?? it.textContent ?? '').trim();
  const faults = [
    [isSeen, 'is not seen'],
    [isInView, 'is out of view'],
    [isFree, 'is covered'],
    [name !== '' || it.hasAttribute('aria-labelledby'), 'has no name'],
    [document.querySelector('[role="dialog"]') === null || it.closest('[role="dialog"]') !== null,
      'is behind the dialog'],
  ].filter(([holds]) => !holds).map(([, fault]) => it.tagName + ' ' + name + ' ' + fault);
  return { isOver: false, faults };
})()`;

const STOPS_MAX = 200;

async function findFaultsOfFocus(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab');
    const read = await page.evaluate<{ readonly isOver: boolean; readonly faults: string[] }>(
      READ_FOCUS,
    );
    if (read.isOver) return stop < 2 ? ['nothing has the focus'] : faults;
    faults.push(...read.faults);
  }
  return [...faults, 'the focus never came round'];
}

const WALKED = [
  '/',
  '/requests',
  '/keys',
  '/keys?open=-new',
  '/usage',
  '/billing',
  '/webhooks?open=-new',
  '/models',
  '/playground',
  '/team?open=-new',
  '/settings',
  '/operator/health',
  '/operator/alerts',
  '/operator/channels',
  '/operator/channels?open=-new',
  '/operator/models',
  '/operator/plans?open=-new',
  '/operator/codes?open=-new',
  '/operator/accounts',
  '/operator/accounts?open={customer}',
  '/operator/users',
  '/operator/requests',
  '/operator/audit-log',
];

/** By path; nothing of those on which whoever goes through them sees where they are. */
async function walkThrough({ page, open }: ConsoleTab, paths: readonly string[]) {
  const faults: Record<string, readonly string[]> = {};
  for (const path of paths) {
    await open(path.replace('{customer}', customerId));
    await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
    const busy = page.locator('[role="status"][aria-busy="true"]');
    await busy.first().waitFor({ state: 'detached' });
    await page.evaluate(WITHOUT_TRANSITIONS);
    const found = await findFaultsOfFocus(page);
    if (found.length > 0) faults[path] = found;
  }
  return faults;
}

testInBrowser('whoever goes through a page by Tab sees where they are, each time', async () => {
  const tab = await (await signIn()).another();
  expect(await walkThrough(tab, WALKED)).toEqual({});
  await tab.page.close();
});

/** What asks over a drawer, and where it is pressed. */
const ASKED = [
  ['/keys', 'Shop assistant', 'Revoke', /^Revoke /],
  ['/keys', 'Shop assistant', 'Rotate', /^Rotate /],
  ['/operator/accounts', 'bridge-works', 'Grant credit', /^Grant credit /],
] as const;

testInBrowser.each(ASKED)(
  'on %s, of %s, Escape leaves what %s asks, and then the drawer',
  async (path, thing, verb, title) => {
    const { page, open } = await (await signIn()).another();
    const { keyboard } = page;
    await open(path);
    await page.getByRole('link', { name: thing }).click();
    const drawer = page.getByRole('dialog', { name: thing, exact: true });
    await drawer.getByRole('button', { name: verb, exact: true }).waitFor();
    await walk(page, verb);
    await keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: title });
    await question.getByRole('button', { name: 'Close' }).waitFor();
    await keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await focusOn(page, verb);
    expect(await drawer.isVisible()).toBe(true);
    await keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await focusOn(page, thing);
    await page.close();
  },
);

testInBrowser('who used what is gone then goes on nearby, and not behind a dialog', async () => {
  const { page, open } = await (await signIn()).another();
  const { keyboard } = page;
  await tollgate.api.post('/v1/keys', { name: 'of last year' });
  await open('/keys');
  await page.getByRole('link', { name: 'of last year' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: /^(of last year|New API key)$/ });
  await drawer.getByRole('button', { name: 'Rotate' }).press('Enter');
  await page.getByRole('button', { name: 'Rotate key' }).press('Enter');
  await drawer.getByRole('button', { name: 'Done' }).press('Enter');
  await drawer.getByRole('button', { name: 'Revoke' }).waitFor();
  await focusOn(page, '');
  await keyboard.press('Tab');
  await focusOn(page, 'Close');
  await drawer.getByRole('button', { name: 'Revoke' }).press('Enter');
  const question = page.getByRole('dialog', { name: /^Revoke / });
  await question.getByRole('textbox').fill('of last year');
  await keyboard.press('Enter');
  await page.getByRole('link', { name: 'of last year' }).waitFor({ state: 'detached' });
  await focusOn(page, '');
  await keyboard.press('Tab');
  await focusOn(page, 'Create key');
  await page.close();
});

testInBrowser('an amount that is being written is not lost by a key or a click', async () => {
  const { page, open } = await (await signIn()).another();
  await open(`/operator/accounts?open=${customerId}`);
  await page.getByRole('button', { name: 'Grant credit' }).click();
  const question = page.getByRole('dialog', { name: /^Grant credit / });
  await question.getByLabel('Amount').fill('12.50');
  await page.keyboard.press('Escape');
  await page.mouse.click(20, 400);
  expect(await question.getByLabel('Amount').inputValue()).toBe('12.50');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.close();
});

testInBrowser('the menu of who is signed in is gone through by the arrows', async () => {
  const { page, open } = await (await signIn()).another();
  const { keyboard } = page;
  await open('/settings');
  const target = page.getByRole('button', { name: tollgate.operatorEmail });
  await target.focus();
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
  for (const name of ['Settings', 'As the system', 'Light', 'Dark', 'Sign out', 'Settings']) {
    await keyboard.press('ArrowDown');
    await focusOn(page, name);
  }
  await keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor({ state: 'hidden' });
  await focusOn(page, (await target.textContent()) ?? '');
  await page.close();
});

testInBrowser('what goes wrong on the way in is said as what it is there', async () => {
  browser ??= await launchBrowser();
  const { page, open, close } = await openTab(browser, tollgate);
  await open('/?code=of-yesterday');
  await page.getByRole('alert').getByText('This sign-in is over').waitFor();
  expect(page.url()).not.toContain('of-yesterday');
  await page.getByLabel('Email').fill('ann');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Write an email address, such as ann@example.com').waitFor();
  await page.getByText('Write your password').waitFor();
  await focusOn(page, 'Email');
  await page.getByLabel('Email').fill('ann@example.com');
  await page.getByText('Write an email address').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await focusOn(page, 'Password');
  await page.getByText('Forgotten your password?').click();
  await page.getByLabel('Code').fill('any');
  await page.getByRole('textbox', { name: 'New password' }).fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Use at least 8 characters').waitFor();
  await focusOn(page, 'New password');
  await close();
});

testInBrowser('accounts are narrowed by their status', async () => {
  const { page, open } = await (await signIn()).another();
  await open('/operator/accounts?status=suspended');
  await page.getByRole('link', { name: 'tunnel-works' }).waitFor();
  expect(await page.getByRole('link', { name: 'bridge-works' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove the filter Status' }).press('Enter');
  await focusOn(page, 'Status');
  await page.getByRole('link', { name: 'bridge-works' }).waitFor();
  await page.close();
});

testInBrowser('the page to print of a statement keeps within its paper', async () => {
  const { page, open } = await (await signIn()).another();
  await eventually(
    () => tollgate.api.get('/v1/billing/statements'),
    ({ items }) => JSON.stringify(items).includes('"requests":1'),
  );
  await open('/billing');
  await page.getByRole('region', { name: 'Statements' }).getByRole('link').first().click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Page to print' }).click();
  const paper = await opened;
  await paper.getByRole('cell', { name: 'sim-large' }).waitFor();
  await paper.getByRole('cell', { name: /^Shop assistant ?key_/ }).waitFor();
  await paper.setViewportSize({ width: 700, height: 1000 });
  const isWide = 'document.documentElement.scrollWidth > innerWidth';
  expect(await paper.evaluate(isWide)).toBe(false);
  const isWithin = `[...document.querySelectorAll('table')].map((table) =>
    table.getBoundingClientRect().right <= document.body.getBoundingClientRect().right)`;
  expect(await paper.evaluate(isWithin)).toEqual([true, true]);
  await paper.close();
  await page.close();
});

/** What people do to be done with a drawer, by mistake or not. */
const WAYS_OUT: readonly ((page: Page) => Promise<void>)[] = [
  (page) => page.keyboard.press('Escape'),
  (page) => page.mouse.click(20, 400),
  (page) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
];

testInBrowser('what was written is dropped by whoever is asked, and by nothing else', async () => {
  const { page, open } = await (await signIn()).another();
  await open('/keys?open=-new');
  const drawer = page.getByRole('dialog');
  const told = drawer.getByRole('alert').getByText('What you wrote is not saved.');
  for (const [index, leave] of WAYS_OUT.entries()) {
    await drawer.getByLabel('Name').fill(`half written ${index}`);
    await told.waitFor({ state: 'detached' });
    await leave(page);
    await told.waitFor();
    expect(await drawer.getByLabel('Name').inputValue()).toBe(`half written ${index}`);
  }
  await drawer.getByRole('button', { name: 'Discard' }).click();
  await drawer.waitFor({ state: 'hidden' });
  // A change of what is there has no Cancel.
  await page.getByRole('link', { name: 'Shop assistant' }).click();
  await drawer.getByText('Change settings').click();
  await drawer.getByLabel('Name').fill('another');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.getByRole('button', { name: 'Discard' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Shop assistant' }).waitFor();
  await page.close();
});

testInBrowser('a secret is left only after it was copied, or by Done', async () => {
  const { page, open } = await (await signIn()).another();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('/keys?open=-new');
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('to copy');
  await drawer.getByRole('button', { name: 'Create key' }).click();
  const told = drawer.getByRole('alert').getByText('Copy the API key first, or press Done.');
  for (const leave of WAYS_OUT) {
    await drawer.locator('pre', { hasText: /^tg_live_/ }).waitFor();
    await leave(page);
    await told.waitFor();
  }
  await drawer.getByRole('button', { name: 'Copy API key' }).click();
  await told.waitFor({ state: 'detached' });
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await page.close();
});

/** How much of the ring around what has the focus lies above the bar of a phone, in pixels. */
const ROOM_BELOW_FOCUS = `(() => {
  const it = document.activeElement;
  const box = (it.closest('li') ?? it).getBoundingClientRect();
  return document.querySelector('nav[aria-label="Main pages"]').getBoundingClientRect().top - box.bottom;
})()`;

testInBrowser('on a phone what has the focus stands above the bar', async () => {
  const tab = await (await signIn()).another();
  const { page, open } = tab;
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await tollgate.api.post('/v1/keys', { name: `of a phone, ${name}` });
  }
  await page.setViewportSize(PHONE);
  await open('/keys');
  await page.getByRole('link', { name: 'of a phone, one' }).waitFor();
  for (const name of ['five', 'four', 'three', 'two', 'one']) {
    await walk(page, `of a phone, ${name}`);
    expect(await page.evaluate(ROOM_BELOW_FOCUS)).toBeGreaterThan(0);
  }
  expect(await walkThrough(tab, ['/', '/usage', '/billing', '/requests'])).toEqual({});
  await page.close();
});

testInBrowser('who tried too often is told how long to wait, on a phone too', async () => {
  browser ??= await launchBrowser();
  const { page, logIn, close } = await openTab(browser, tollgate, { viewport: PHONE });
  await page.route('**/v1/users/login', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': '40', 'X-Request-Id': 'req_01M86C09KD1P9A54G6DPV634MF' },
      json: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many attempts.' } },
    }),
  );
  await logIn('ann@example.com', 'not-the-password');
  const box = page.getByRole('alert');
  await box.getByText('Try again in 40\u00a0s.').waitFor();
  const copy = await box.getByRole('button', { name: 'Copy request id' }).boundingBox();
  const frame = await box.boundingBox();
  const rightOf = (one: typeof copy) => (one?.x ?? Number.NaN) + (one?.width ?? Number.NaN);
  expect(rightOf(copy)).toBeLessThan(rightOf(frame));
  // Another way in begins without what went wrong before.
  await page.getByText('Forgotten your password?').click();
  await box.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Write the code').waitFor();
  await focusOn(page, 'Code');
  await page.getByLabel('Code').fill('of-nobody');
  await page.getByRole('textbox', { name: 'New password' }).fill('a-password-of-mine');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('This code is wrong, was used before, or is over.').waitFor();
  await focusOn(page, 'Code');
  await close();
});

testInBrowser('a change that nothing answered says whether to press again', async () => {
  const { page, open } = await (await signIn()).another();
  await page.route(/\/v1\/(keys|account\/redeem)$/, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await open('/keys?open=-new');
  await page.getByLabel('Name').fill('not confirmed');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const isOver = page.getByText('Tollgate did not answer; now it does again.');
  await isOver.waitFor();
  await page.getByText('Check whether it was done before you press Create key again.').waitFor();
  await open('/billing');
  await page.getByRole('textbox', { name: 'Code' }).fill('TG-0000');
  await page.getByRole('button', { name: 'Redeem' }).click();
  await isOver.waitFor();
  await page.getByText('Press Redeem again; it is not done twice.').waitFor();
  await page.close();
});

testInBrowser('beside channels that are there only their figures are said to be away', async () => {
  const { page, open } = await (await signIn()).another();
  const error = { code: 'INTERNAL_ERROR', message: 'The service failed.' };
  await page.route(/group_by=channel/, (route) => route.fulfill({ status: 500, json: { error } }));
  await open('/operator/health');
  const channels = page.locator('section', {
    has: page.getByRole('heading', { name: 'Channels', level: 2 }),
  });
  await channels.getByText('The figures of 7 days could not be loaded').waitFor();
  await channels.getByRole('row').nth(1).waitFor();
  await page.unroute(/group_by=channel/);
  await channels.getByRole('button', { name: 'Retry' }).click();
  await channels.getByRole('alert').waitFor({ state: 'detached' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.route(/\/(v1|readyz)/, (route) => route.abort());
  await page.getByText('24 hours', { exact: true }).click();
  await page.getByText('nothing you wrote is lost').waitFor();
  await channels.getByRole('row').nth(1).waitFor();
  expect(await channels.getByRole('alert').count()).toBe(0);
  expect(await page.evaluate<number>(LOADER_CONTRAST)).toBeGreaterThanOrEqual(3);
  await page.close();
});

/** Of what turns while nothing answers, with its bar. */
const LOADER_CONTRAST = `(() => {
  ${LIGHT}
  const loader = document.querySelector('.mantine-Loader-root');
  const ring = light(getComputedStyle(loader, '::after').borderTopColor);
  const ground = light(getComputedStyle(loader.parentElement).backgroundColor);
  return Math.max(ring, ground) / Math.min(ring, ground);
})()`;

testInBrowser('what somebody made up in an address is not shown as a filter', async () => {
  const { page, open } = await (await signIn()).another();
  await open('/requests?status=garbage&since=9y&model=sim-large');
  await page.getByRole('button', { name: 'Remove the filter Model' }).waitFor();
  expect(await page.getByRole('button', { name: /^Remove the filter/ }).count()).toBe(1);
  await open('/operator/accounts?status=garbage');
  await page.getByRole('link', { name: 'tunnel-works' }).waitFor();
  expect(await page.getByRole('button', { name: /^Remove the filter/ }).count()).toBe(0);
  await page.close();
});

testInBrowser('the playground leads to what is missing, and on from what failed', async () => {
  const { page, open } = await (await signIn()).another();
  await open('/playground');
  await page.getByRole('button', { name: 'Send' }).click();
  await focusOn(page, 'Prompt');
  await page.getByLabel('Prompt').fill('[[simulate {"fail": "status:500"}]]');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Send it again, or choose another model.').waitFor();
  await page.getByLabel('Prompt').fill('[[simulate {"tokens": 3}]]');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'Its story' }).waitFor();
  const answer = await page.locator('[aria-live="polite"][aria-busy="false"]').boundingBox();
  expect(answer?.height).toBeLessThan(100);
  await page.close();
});

testInBrowser('an admin is told what only an owner can do with the key of an owner', async () => {
  browser ??= await launchBrowser();
  const { owner } = await openAccount(tollgate.api);
  const key = await createKey(owner.api, { name: 'of the owner' });
  const admin = await addMember(owner.api, 'admin');
  const { page, open, logIn, close } = await openTab(browser, tollgate);
  await logIn(admin.email, admin.password);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await open(`/keys?open=${key.id}`);
  await page.getByText('ask an owner to rotate it').waitFor();
  expect(await page.getByRole('button', { name: 'Rotate' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable key' }).click();
  const enable = page.getByRole('button', { name: 'Enable' });
  await enable.waitFor();
  expect(await enable.isDisabled()).toBe(true);
  await close();
});

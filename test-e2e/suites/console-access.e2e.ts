import type { Browser, Page } from 'playwright-core';
import { openAccount } from '../support/accounts';
import { launchBrowser } from '../support/console/browser';
import {
  type ConsoleTab,
  openOperatorTab,
  openTab,
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

/** Of the edge of each field, and of what stands in a button, with its ground, as WCAG computes it. */
const CONTRASTS = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const weigh = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (color) => {
    const [red, green, blue] = parts(color).map((part) => weigh(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
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
    for (const path of ['/keys?open=new', '/settings']) {
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
  '/keys?open=new',
  '/usage',
  '/billing',
  '/webhooks?open=new',
  '/models',
  '/playground',
  '/team?open=new',
  '/settings',
  '/operator/health',
  '/operator/alerts',
  '/operator/channels',
  '/operator/channels?open=new',
  '/operator/models',
  '/operator/plans?open=new',
  '/operator/codes?open=new',
  '/operator/accounts',
  '/operator/accounts?open={customer}',
  '/operator/users',
  '/operator/requests',
  '/operator/audit-log',
];

testInBrowser('whoever goes through a page by Tab sees where they are, each time', async () => {
  const { page, open } = await (await signIn()).another();
  const faults: Record<string, readonly string[]> = {};
  for (const path of WALKED) {
    await open(path.replace('{customer}', customerId));
    await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
    const busy = page.locator('[role="status"][aria-busy="true"]');
    await busy.first().waitFor({ state: 'detached' });
    await page.evaluate(WITHOUT_TRANSITIONS);
    const found = await findFaultsOfFocus(page);
    if (found.length > 0) faults[path] = found;
  }
  expect(faults).toEqual({});
  await page.close();
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
  await keyboard.press('Tab');
  await focusOn(page, 'Close');
  await drawer.getByRole('button', { name: 'Revoke' }).press('Enter');
  const question = page.getByRole('dialog', { name: /^Revoke / });
  await question.getByRole('textbox').fill('of last year');
  await keyboard.press('Enter');
  await page.getByRole('link', { name: 'of last year' }).waitFor({ state: 'detached' });
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

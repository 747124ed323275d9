import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { RunningTollgate } from '../../topologies/start-tollgate';
import { DESK, findBrowser } from './browser';

/** Where there is no browser, the console is not looked at, and that is counted. */
export const testInBrowser = findBrowser() === undefined ? test.skip : test;

export const PHONE = { width: 390, height: 844 };
export const TABLET = { width: 820, height: 1180 };

/** A sheet that the content security policy lets a page make for itself. */
export const WITHOUT_TRANSITIONS = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important; animation: none !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
`;

/** One person's tab of the console. */
export interface ConsoleTab {
  readonly page: Page;
  /** Errors of the page, broken rules of its policy, and requests to other origins. */
  readonly complaints: readonly string[];
  /** Those since it was asked last. */
  freshComplaints(): readonly string[];
  open(path: string): Promise<void>;
  logIn(email: string, password: string): Promise<void>;
  /** Another tab of the same person, who is signed in there too; nothing is opened in it yet. */
  another(): Promise<ConsoleTab>;
  close(): Promise<void>;
}

export async function openTab(
  browser: Browser,
  tollgate: RunningTollgate,
  options: BrowserContextOptions = {},
): Promise<ConsoleTab> {
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce', ...options });
  const tab = await openEmptyTab(context, tollgate);
  await tab.open('/');
  return tab;
}

/** The story of a request that was just made is asked for until it is there: that is no fault. */
const STORY_TO_COME = /\b404\b.*\/v1\/requests\/req_\w+$/;

async function openEmptyTab(
  context: BrowserContext,
  tollgate: RunningTollgate,
): Promise<ConsoleTab> {
  const page = await context.newPage();
  const complaints: string[] = [];
  let told = 0;
  page.on('console', (message) => {
    const said = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !STORY_TO_COME.test(said)) complaints.push(said);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = url.startsWith(tollgate.baseUrl) || url.startsWith('blob:');
    if (!isOwn) complaints.push(`foreign ${url}`);
  });
  const open = async (path: string) => {
    await page.goto(`${tollgate.baseUrl}/console${path}`);
  };
  return {
    page,
    complaints,
    freshComplaints() {
      const fresh = complaints.slice(told);
      told = complaints.length;
      return fresh;
    },
    open,
    async logIn(email, password) {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
    another: () => openEmptyTab(context, tollgate),
    close: () => context.close(),
  };
}

/** A tab of the operator, where operators begin. */
export async function openOperatorTab(
  browser: Browser,
  tollgate: RunningTollgate,
  options: BrowserContextOptions = {},
): Promise<ConsoleTab> {
  const tab = await openTab(browser, tollgate, options);
  await tab.logIn(tollgate.operatorEmail, tollgate.operatorPassword);
  await tab.page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
  return tab;
}

/** Takes an option of the field with that label. */
export async function chooseIn(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

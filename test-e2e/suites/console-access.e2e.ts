import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/console/browser';
import { type ConsoleTab, openOperatorTab, testInBrowser } from '../support/console/console-tab';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(300_000);

let tollgate: RunningTollgate;
let browser: Browser | undefined;
let desk: Promise<ConsoleTab> | undefined;

beforeAll(async () => {
  tollgate = await startTollgate();
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

/** Contrast of the edge of each field with what it stands on, as WCAG computes it. */
const EDGES = `(() => {
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
  return [...document.querySelectorAll('.mantine-Input-input')].map((one) => {
    const edge = light(getComputedStyle(one).borderTopColor);
    const ground = light(groundOf(one.parentElement));
    return Math.max(edge, ground) / Math.min(edge, ground);
  });
})()`;

testInBrowser.each(['light', 'dark'] as const)(
  'the edge of a field is seen, %s',
  async (scheme) => {
    const { page, open } = await (await signIn()).another();
    await page.emulateMedia({ colorScheme: scheme });
    for (const path of ['/keys?open=new', '/settings']) {
      await open(path);
      await page.locator('.mantine-Input-input').nth(1).waitFor();
      const edges = await page.evaluate<readonly number[]>(EDGES);
      expect(Math.min(...edges)).toBeGreaterThanOrEqual(3);
    }
    await page.close();
  },
);

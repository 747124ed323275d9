import type { Page } from 'playwright-core';
import { eventually } from '../eventually';

/** Where the Tab key stopped. */
export interface Stop {
  readonly name: string;
  /** Whoever looks can tell where the keyboard is. */
  readonly isSeen: boolean;
}

/** The name of what has the focus: its own, its label's, or its text; none where nothing has it. */
const READ_NAME = `(() => {
  const it = document.activeElement;
  if (it === document.body) return '';
  return it.ariaLabel ?? it.labels?.[0]?.textContent ?? it.textContent;
})()`;

/** The same; a field shows it by its border, a row by a line around all of it. */
const READ_STOP = `(() => {
  const it = document.activeElement;
  const isField = it.matches('input, textarea');
  const isDrawn = [null, '::after'].some((part) => getComputedStyle(it, part).outlineStyle !== 'none');
  return { name: ${READ_NAME}, isSeen: isField || isDrawn };
})()`;

const STOPS_MAX = 60;

/** Presses Tab until the focus is on what has that name, and answers where it stopped. */
export async function walk(page: Page, name: string | RegExp): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  const isThere = (stop: Stop | undefined) =>
    stop !== undefined && (typeof name === 'string' ? stop.name === name : name.test(stop.name));
  while (!isThere(stops.at(-1))) {
    await page.keyboard.press('Tab');
    stops.push((await page.evaluate(READ_STOP)) as Stop);
    if (stops.length > STOPS_MAX) throw new Error(`no ${name} among ${JSON.stringify(stops)}`);
  }
  return stops;
}

/** Goes past the rail, as its first stop offers. */
export async function skipToContent(page: Page): Promise<void> {
  await walk(page, 'Skip to content');
  await page.keyboard.press('Enter');
  await eventually(
    () => page.evaluate('document.activeElement.id') as Promise<string>,
    (id) => id === 'content',
  );
}

/** Waits until the focus is on what has that name. */
export async function focusOn(page: Page, name: string): Promise<void> {
  await eventually(
    () => page.evaluate(READ_NAME) as Promise<string>,
    (focused) => focused === name,
  );
}

const OPTIONS_MAX = 20;

/** Opens the list of the field that has the focus, and takes an option of it. */
export async function choose(page: Page, option: string): Promise<void> {
  const chosen = page.locator('[role="option"][data-combobox-selected]');
  for (let press = 0; press < OPTIONS_MAX; press += 1) {
    await page.keyboard.press('ArrowDown');
    const texts = await chosen.allTextContents();
    if (texts[0] !== option) continue;
    await page.keyboard.press('Enter');
    return;
  }
  throw new Error(`no option ${option}`);
}

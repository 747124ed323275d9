import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Chromium without windows, which loads a page for two thirds of the processor time. */
export const WINDOWLESS = {
  path: '/usr/bin/chromium-headless-shell',
  package: 'chromium-headless-shell',
};
const BROWSERS = [WINDOWLESS.path, '/usr/bin/chromium'];

/** The path of a browser that is installed; both show the same pages. */
export function findBrowser(): string | undefined {
  return BROWSERS.find((path) => existsSync(path));
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The window of somebody at a desk, in pixels. */
export const DESK = { width: 1280, height: 800 };

export function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(`none of ${BROWSERS.join(', ')} is installed`);
  return chromium.launch({ executablePath, args: FLAGS });
}

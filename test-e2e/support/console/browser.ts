import { type Browser, chromium } from 'playwright-core';

/** Debian's browser. */
export const BROWSER = '/usr/bin/chromium';

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
  return chromium.launch({ executablePath: BROWSER, args: FLAGS });
}

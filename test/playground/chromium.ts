import { existsSync } from 'node:fs';
import path from 'node:path';
import { launch } from 'puppeteer-core';
import type { Browser, Page } from 'puppeteer-core';

/** Paths of Chromium on Debian and other systems. */
const INSTALL_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Starts headless Chromium.
 *
 * @throws Error if it is not installed, because a test of the page needs a browser
 */
export async function chromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? INSTALL_PATHS.find((file) => existsSync(file));
  if (executablePath === undefined) throw new Error('Chromium was not found: install it, or set CHROMIUM to its path');
  return launch({ executablePath, args: ['--no-sandbox'] });
}

/** URL of the playground that `npm run playground` builds, on disk. */
export const PLAYGROUND = `file://${path.resolve('build/playground/index.html')}`;

/** A page that records its errors and its network requests. */
export interface WatchedPage {
  readonly page: Page;
  readonly errors: readonly string[];
  readonly requests: readonly string[];
}

export async function watchedPage(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  return { page, errors, requests };
}

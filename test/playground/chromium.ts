import { existsSync } from 'node:fs';
import path from 'node:path';
import { launch } from 'puppeteer-core';
import type { Browser, Page } from 'puppeteer-core';

/** Where Debian and others install it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Starts Chromium without a window.
 *
 * @throws Error where there is none: a test of the page without a browser would say nothing
 */
export async function chromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error('there is no Chromium: install it, or name it in CHROMIUM');
  return launch({ executablePath, args: ['--no-sandbox'] });
}

/** What `npm run playground` builds, opened from disk. */
export const PLAYGROUND = `file://${path.resolve('build/playground/index.html')}`;

/** A page that remembers what it complained of, and what it asked the network for. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

export async function watchedPage(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  return { page, complaints, requests };
}

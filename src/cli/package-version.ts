import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the version of rolloutkit from its package.json. */
export function getPackageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  return version;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of rolloutkit, as its package.json has it. */
export function getPackageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  return version;
}

import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { atMostRatio, ratioOf } from './figure';
import type { Figure } from './figure';

const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

/** How long the command line takes to come up. */
export function startFigures(): Figure[] {
  const version = () => spawnSync(process.execPath, [MAIN, '--version']);
  const emptyProcess = () => spawnSync(process.execPath, ['-e', '']);
  return [atMostRatio('rolloutkit --version against an empty node process', 1.5, ratioOf(version, emptyProcess, 15))];
}

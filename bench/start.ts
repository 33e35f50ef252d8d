import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { atMostRatio, ratioOf } from './figure';
import type { Figure } from './figure';
import { deployment } from './manifests';

const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

function compareWithEmptyProcess(bound: number, ...args: readonly string[]): Figure {
  const commandLine = () => spawnSync(process.execPath, [MAIN, ...args]);
  const emptyProcess = () => spawnSync(process.execPath, ['-e', '']);
  const [name] = args;
  return atMostRatio(`rolloutkit ${name}, relative to an empty node process`, bound, ratioOf(commandLine, emptyProcess, 15));
}

/** Measures how long the command line takes to start. Node.js compiles the commands in every run. */
export function startFigures(): Figure[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-bench-'));
  try {
    const small = path.join(folder, 'web.yaml');
    writeFileSync(small, deployment(0));
    return [compareWithEmptyProcess(1.5, '--version'), compareWithEmptyProcess(1.5, 'help'), compareWithEmptyProcess(2.5, 'check', small)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { atMostRatio, ratioOf } from './figure';
import type { Figure } from './figure';
import { deployment } from './manifests';

const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

function againstEmptyProcess(bound: number, ...args: readonly string[]): Figure {
  const started = () => spawnSync(process.execPath, [MAIN, ...args]);
  const emptyProcess = () => spawnSync(process.execPath, ['-e', '']);
  const [name] = args;
  return atMostRatio(`rolloutkit ${name} against an empty node process`, bound, ratioOf(started, emptyProcess, 15));
}

/** Measures how long the command line takes to start. Node.js before 22.1 has no compile cache, so it compiles the commands in every run. */
export function startFigures(): Figure[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-bench-'));
  try {
    const small = path.join(folder, 'web.yaml');
    writeFileSync(small, deployment(0));
    return [againstEmptyProcess(1.5, '--version'), againstEmptyProcess(1.5, 'help'), againstEmptyProcess(2.5, 'check', small)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

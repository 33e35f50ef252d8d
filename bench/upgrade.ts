import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { atMostRatio, minRatioOf } from './figure';
import type { Figure } from './figure';

const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');
const COUNT = 1_000;

/** Returns the YAML of an InferenceService, which the upgrade to KServe 0.17 rolls. */
function service(index: number): string {
  return `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: model-${index}, namespace: models-${index % 20} }
spec: { predictor: { minReplicas: 2, containers: [{ name: kserve-container, image: "own:1" }] } }
`;
}

function run(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [MAIN, ...args, '--format', 'json'], { maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`rolloutkit ${args.join(' ')} exited with ${status}`);
}

/** Measures the plan of an upgrade relative to a plan of the same objects. It plans both versions, the change from one to the other, and its rows. */
export function upgradeFigures(): Figure[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-bench-'));
  try {
    const file = path.join(folder, 'models.yaml');
    writeFileSync(file, Array.from({ length: COUNT }, (_, index) => service(index)).join('---\n'));
    const ratio = minRatioOf(
      () => run('upgrade', 'kserve=0.16..0.17', file),
      () => run('plan', file),
      3,
    );
    return [atMostRatio('upgrade of KServe over 1,000 services, relative to their plan', 6, ratio)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

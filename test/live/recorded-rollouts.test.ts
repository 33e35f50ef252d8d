import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rolloutkit } from '../cli/command-line';
import { playCluster } from './played-cluster';
import { compareRecordedRollout } from './recorded-rollouts';
import { readRecordings } from './recordings';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

/**
 * Recorded with kubectl from the API server, the scheduler and the controllers of Kubernetes 1.34.4 (`oracle/cluster`, TestServe). All of them
 * are in recorded-rollouts.long.test.ts.
 */
describe('a change of live workloads happens as its plan says, and as verify says', () => {
  test.each(readRecordings('rollouts-sample').map((recorded) => [recorded.family, recorded] as const))('%s', async (_, recorded) => {
    const { differences } = await compareRecordedRollout(recorded);

    expect(differences).toEqual([]);
  });
});

test('recorded answers of kubectl give the recorded snapshot, byte for byte', async () => {
  const [recorded] = readRecordings('kubectl-answers');
  let snapshot = '';
  const files = { 'new.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: recorded!.next }) };
  const { exitCode } = await rolloutkit(
    'snapshot new.json --output snapshot.json',
    playCluster(
      { answers: recorded!.raw! },
      { files, inspect: (folder) => (snapshot = readFileSync(path.join(folder, 'snapshot.json'), 'utf8')) },
    ),
  );

  expect(exitCode).toBe(0);
  expect(snapshot).toBe(recorded!.snapshot);
});

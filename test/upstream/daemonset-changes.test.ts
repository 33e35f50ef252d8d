import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { simulateDaemonSet } from '../../src/workloads/daemonset/simulate';
import { recorded } from './recording';

type Kind = 'healthy' | 'updated' | 'starting' | 'surging' | 'broken' | 'sick' | 'fresh';

type Wave = readonly [newPods: number, oldPods: number, total: number, available: number, terminating: number];

type Row = readonly [
  nodes: Readonly<Partial<Record<Kind, number>>>,
  tolerates: 0 | 1,
  type: 'RollingUpdate',
  maxSurge: IntOrPercent,
  maxUnavailable: IntOrPercent,
  minReadySeconds: number,
  desired: number,
  surge: number,
  unavailable: number,
  outcomes: readonly (readonly [halted: number | null, waves: readonly Wave[]])[],
];

const rows = recorded('kubernetes-daemonset-changes') as readonly Row[];

function ours([nodes, , , maxSurge, maxUnavailable, , desired]: Row) {
  const { updated, starting, surging, broken, sick, fresh } = nodes;
  const start = { replicas: desired, upToDate: updated, starting, surging, unready: broken, failing: sick, missing: fresh };
  const { waves, halted } = simulateDaemonSet({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, start, true);
  return [halted?.wave ?? null, waves.map(({ newPods, oldPods, total, available }) => [newPods, oldPods, total, available, 0])];
}

test('a DaemonSet in the middle of a rollout continues as with the real controller', () => {
  const wrong = rows.filter((row) => !row[9].some((theirs) => JSON.stringify(theirs) === JSON.stringify(ours(row))));
  expect(rows.length).toBe(900);
  expect(wrong.map((row) => JSON.stringify({ row, ours: ours(row) }))).toEqual([]);
});

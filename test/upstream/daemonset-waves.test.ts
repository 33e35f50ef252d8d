import { resolveNodeLimits } from '../../src/workloads/daemonset/strategy';
import { simulateDaemonSet } from '../../src/workloads/daemonset/simulate';
import { COUNTS_UNREADY_OLD_PODS } from '../../src/workloads/daemonset/versions';
import type { DaemonSetUpdateStrategy } from '../../src/workloads/daemonset/types';
import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { getValueAtVersion } from '../../src/core/values/versions';
import type { InitialState } from '../../src/cluster/rollout/initial-state';
import { recorded } from './recording';

/** Numbers of nodes of each kind in the recording. Kinds that a plan cannot describe are left out of the comparison. */
type NodeCounts = Readonly<
  Partial<
    Record<
      'healthy' | 'cordoned' | 'down' | 'downForced' | 'broken' | 'sick' | 'noExecute' | 'fresh' | 'other' | 'stuck' | 'noSchedule',
      number
    >
  >
>;

type Wave = readonly [newPods: number, oldPods: number, total: number, available: number, terminating: number];

type Row = readonly [
  nodes: NodeCounts,
  tolerates: 0 | 1,
  type: 'RollingUpdate' | 'OnDelete',
  maxSurge: IntOrPercent,
  maxUnavailable: IntOrPercent,
  minReadySeconds: number,
  desired: number,
  surge: number,
  unavailable: number,
  outcomes: readonly (readonly [halted: number | null, waves: readonly Wave[]])[],
];

const LEFT_OUT = ['stuck', 'noSchedule'] as const;

/**
 * Returns the initial state of the rollout. Pods that tolerate every taint also belong on nodes that are down or tainted; other pods on these
 * nodes are extra. If a node is down but its deleted pods vanish, pods that belong there fail.
 */
function startOf(nodes: NodeCounts, tolerates: 0 | 1, desired: number): InitialState | undefined {
  if (LEFT_OUT.some((kind) => nodes[kind])) return undefined;
  if (nodes.downForced && !tolerates) return undefined;
  // A taint that evicts all pods is no rollout.
  if (nodes.noExecute && !tolerates && desired === 0) return undefined;
  const { down = 0, downForced = 0, broken = 0, sick = 0, fresh = 0 } = nodes;
  const ofDown = tolerates ? { down } : { otherNodesDown: down };
  return { replicas: desired, ...ofDown, unready: broken, missing: fresh, failing: sick + downForced };
}

function strategyOf([, , type, maxSurge, maxUnavailable]: Row): DaemonSetUpdateStrategy {
  return type === 'OnDelete' ? { type } : { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

/** Reports whether more pods are unavailable than the controller deletes in one sync. 1.30 does not count them, so the sync they are deleted in matters. */
function isBeyondBurst(nodes: NodeCounts): boolean {
  const { down = 0, broken = 0, sick = 0, downForced = 0 } = nodes;
  return down + broken + sick + downForced > 250;
}

describe.each([
  ['kubernetes-daemonset-waves', '1.34.4', 2_100],
  ['kubernetes-daemonset-waves-1.30', '1.30.5', 2_100],
])('%s', (name, version, fewest) => {
  const rows = recorded(name) as readonly Row[];
  const counts = getValueAtVersion<boolean>(COUNTS_UNREADY_OLD_PODS, version);

  test('every row of every rollout, and the row at which it halts, match our simulation', () => {
    const compared = rows.flatMap((row) => {
      const [nodes, tolerates, type, , , , desired, , , outcomes] = row;
      const start = startOf(nodes, tolerates, desired);
      if (type === 'OnDelete' || !start || (!counts && isBeyondBurst(nodes))) return [];
      const { waves, elided, halted } = simulateDaemonSet(strategyOf(row), start, counts);
      const ours = waves.map(({ newPods, oldPods, total, available }) => [newPods, oldPods, total, available]);
      const theirs = outcomes.map(([stop, recordedWaves]) => [stop, recordedWaves.map((wave) => wave.slice(0, 4))]);
      const same = elided === undefined && theirs.some((their) => JSON.stringify(their) === JSON.stringify([halted?.wave ?? null, ours]));
      return [{ same, case: same ? undefined : JSON.stringify({ row: row.slice(0, 9), theirs, ours, halted }) }];
    });
    expect(compared.filter(({ same }) => !same).map((one) => one.case)).toEqual([]);
    expect(compared.length).toBeGreaterThan(fewest);
  });

  test('both limits resolve to the numbers of nodes that we compute', () => {
    const differences = rows
      .filter(([, , type]) => type === 'RollingUpdate')
      .filter((row) => {
        const [, , , , , , desired, surge, unavailable] = row;
        const ours = resolveNodeLimits(strategyOf(row), desired);
        return ours.surge !== surge || ours.unavailable !== unavailable;
      });
    expect(differences).toEqual([]);
  });
});

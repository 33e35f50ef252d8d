import { findEligibleNodes } from '../../cluster/capacity/nodes/eligible-nodes';
import { canRunOn } from '../../cluster/capacity/nodes/node-affinity';
import type { NodeTraits, NodePool } from '../../cluster/context/capacity';
import type { PodSet } from '../../cluster/rollout/pod-set';
import { getFieldsAt, getListAt } from '../../core/manifest/manifest';
import type { PlanCache } from '../../core/collections/plan-cache';
import type { Fields } from '../../core/manifest/manifest';
import type { InitialState } from '../../cluster/rollout/initial-state';

const CONDITION_PREFIX = 'node.kubernetes.io/';

/**
 * The tolerations that the controller adds to every pod of a DaemonSet, so that a node with problems keeps its daemons.
 *
 * Source: k/k pkg/controller/daemon/util/daemonset_util.go, `AddOrUpdateDaemonPodTolerations`.
 */
const ADDED_TOLERATIONS = [
  { key: `${CONDITION_PREFIX}not-ready`, operator: 'Exists', effect: 'NoExecute' },
  { key: `${CONDITION_PREFIX}unreachable`, operator: 'Exists', effect: 'NoExecute' },
  { key: `${CONDITION_PREFIX}disk-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${CONDITION_PREFIX}memory-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${CONDITION_PREFIX}pid-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${CONDITION_PREFIX}unschedulable`, operator: 'Exists', effect: 'NoSchedule' },
] as const;

const HOST_NETWORK_TOLERATION = { key: `${CONDITION_PREFIX}network-unavailable`, operator: 'Exists', effect: 'NoSchedule' } as const;

/** Returns a pod template with the tolerations that the controller adds. */
export function addDaemonTolerations(template: Fields): Fields {
  const spec = getFieldsAt(template, 'spec');
  const added = spec.hostNetwork === true ? [...ADDED_TOLERATIONS, HOST_NETWORK_TOLERATION] : ADDED_TOLERATIONS;
  return { ...template, spec: { ...spec, tolerations: [...getListAt(spec, 'tolerations'), ...added] } };
}

function excludeNoScheduleTaints(traits: NodeTraits): NodeTraits {
  return { ...traits, taints: (traits.taints ?? []).filter(({ effect }) => effect !== 'NoSchedule') };
}

/** What the controller does on a node. */
export interface DaemonNodeVerdict {
  /** Whether the controller creates a pod on the node and counts the node. */
  readonly runs: boolean;
  /** Whether the controller leaves an existing pod on the node. */
  readonly keeps: boolean;
}

/**
 * Evaluates whether the controller runs or keeps pods of a template on a node.
 *
 * Required node affinity and `nodeName` must match. An untolerated NoSchedule taint keeps new pods away,
 * and an untolerated NoExecute taint evicts old ones too. A cordoned node therefore counts. A node that is not ready also has
 * a NoSchedule taint, so it does not count but keeps its old pod.
 *
 * Source: k/k pkg/controller/daemon/daemon_controller.go, `NodeShouldRunDaemonPod`.
 */
export function evaluateDaemonNode(pods: PodSet, traits: NodeTraits, cache: PlanCache): DaemonNodeVerdict {
  const runs = canRunOn(pods, traits, 'new', cache);
  return { runs, keeps: runs || canRunOn(pods, excludeNoScheduleTaints(traits), 'new', cache) };
}

function countNodes(pools: readonly NodePool[]): number {
  return pools.reduce((sum, { count }) => sum + count, 0);
}

/** Computes the initial state of a DaemonSet on these nodes: every node that the controller runs or keeps a pod on has an old one. */
export function computeInitialDaemonSetState(pods: PodSet, pools: readonly NodePool[], cache: PlanCache): InitialState {
  const running = findEligibleNodes(pods, pools, 'new', cache);
  const [downRunning, downKept] = [running, pools].map((all) => all.filter(({ isDown }) => isDown));
  const isKeptOnly = (pool: NodePool) => {
    const { runs, keeps } = evaluateDaemonNode(pods, pool, cache);
    return keeps && !runs;
  };
  return { replicas: countNodes(running), down: countNodes(downRunning!), otherNodesDown: countNodes(downKept!.filter(isKeptOnly)) };
}

/** Counts the nodes that accept new pods of one set and none of another: those without an old pod, if its template accepts other nodes. */
export function countNodesOnlyOf(pods: PodSet, other: PodSet, pools: readonly NodePool[], cache: PlanCache): number {
  const others = new Set(findEligibleNodes(other, pools, 'new', cache));
  return countNodes(findEligibleNodes(pods, pools, 'new', cache).filter((pool) => !others.has(pool)));
}

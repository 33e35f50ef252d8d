import { findEquivalentLabelledPools, findEquivalentPools } from '../../cluster/capacity/nodes/equivalent-node-pools';
import type { EquivalentPools } from '../../cluster/capacity/nodes/equivalent-node-pools';
import { findPoolsByName } from '../../cluster/capacity/nodes/candidate-nodes';
import { canRunOn } from '../../cluster/capacity/nodes/node-affinity';
import type { NodeTraits } from '../../cluster/capacity/nodes/node-affinity';
import type { NodePool } from '../../cluster/capacity/nodes/node-pools';
import type { PodSet } from '../../cluster/pod-set';
import { getFieldsAt, getListAt, getValueAt } from '../../core/manifest';
import type { PlanCache } from '../../core/plan-cache';
import type { Fields } from '../../core/manifest';
import type { InitialState } from '../../cluster/initial-state';

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

/** Reports whether a node has the name that the template requires. Every node matches if the template has no nodeName. */
function matchesNodeName({ template }: Pick<PodSet, 'template'>, { nodeName }: NodeTraits): boolean {
  const requestedNode = getValueAt(template, 'spec', 'nodeName');
  return typeof requestedNode !== 'string' || requestedNode === '' || nodeName === undefined || requestedNode === nodeName;
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
  if (!matchesNodeName(pods, traits)) return { runs: false, keeps: false };
  const runs = canRunOn(pods, traits, 'new', cache);
  return { runs, keeps: runs || canRunOn(pods, excludeNoScheduleTaints(traits), 'new', cache) };
}

type NodesByPool = readonly Pick<EquivalentPools, 'pool' | 'count'>[];

function findDownPools(pools: readonly NodePool[]): readonly NodePool[] {
  return pools.filter(({ isDown }) => isDown);
}

/** Finds the nodes that may run the pods, and the nodes that are down and may keep one. Equivalent pools are merged. */
function findCandidateNodes(
  pods: PodSet,
  pools: readonly NodePool[],
  cache: PlanCache,
): { readonly candidates: NodesByPool; readonly down: NodesByPool } {
  const name = getValueAt(pods.template, 'spec', 'nodeName');
  if (typeof name !== 'string' || name === '') {
    return {
      candidates: findEquivalentPools(pods, pools, cache),
      down: findEquivalentLabelledPools(pods, cache.derive(pools, findDownPools), cache),
    };
  }
  const requestedNode = findPoolsByName(name, pools, cache).map((pool) => ({ pool, count: pool.count }));
  return { candidates: requestedNode, down: requestedNode.filter(({ pool }) => pool.isDown) };
}

function countNodes(nodes: NodesByPool): number {
  return nodes.reduce((sum, { count }) => sum + count, 0);
}

/** Computes the initial state of a DaemonSet on these nodes: every node that the controller runs or keeps a pod on has an old one. */
export function computeInitialDaemonSetState(pods: PodSet, pools: readonly NodePool[], cache: PlanCache): InitialState {
  const { candidates, down } = findCandidateNodes(pods, pools, cache);
  const replicas = candidates.filter(({ pool }) => evaluateDaemonNode(pods, pool, cache).runs);
  const downUnwanted = down.filter(({ pool }) => {
    const { runs, keeps } = evaluateDaemonNode(pods, pool, cache);
    return keeps && !runs;
  });
  return {
    replicas: countNodes(replicas),
    down: countNodes(replicas.filter(({ pool }) => pool.isDown)),
    otherNodesDown: countNodes(downUnwanted),
  };
}

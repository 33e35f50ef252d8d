import { alikeLabelled, alikePools } from '../../cluster/room/alike-nodes';
import type { AlikePools } from '../../cluster/room/alike-nodes';
import { poolsNamed } from '../../cluster/room/candidates';
import { runsOn } from '../../cluster/room/node-affinity';
import type { NodeTraits } from '../../cluster/room/node-affinity';
import type { NodePool } from '../../cluster/room/node-pools';
import type { PodSet } from '../../cluster/workload';
import { fieldsAt, listAt, valueAt } from '../../core/manifest';
import type { Memory } from '../../core/memory';
import type { Fields } from '../../core/manifest';
import type { StartingPoint } from '../../cluster/starting-point';

const CONDITION = 'node.kubernetes.io/';

/**
 * The tolerations that the controller gives every pod of a DaemonSet, so that a node in trouble keeps its daemons.
 *
 * Source: k/k pkg/controller/daemon/util/daemonset_util.go, `AddOrUpdateDaemonPodTolerations`.
 */
const ADDED_TOLERATIONS = [
  { key: `${CONDITION}not-ready`, operator: 'Exists', effect: 'NoExecute' },
  { key: `${CONDITION}unreachable`, operator: 'Exists', effect: 'NoExecute' },
  { key: `${CONDITION}disk-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${CONDITION}memory-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${CONDITION}pid-pressure`, operator: 'Exists', effect: 'NoSchedule' },
  { key: `${CONDITION}unschedulable`, operator: 'Exists', effect: 'NoSchedule' },
] as const;

const HOST_NETWORK_TOLERATION = { key: `${CONDITION}network-unavailable`, operator: 'Exists', effect: 'NoSchedule' } as const;

/** A pod template as the controller makes pods of it. */
export function daemonTemplate(template: Fields): Fields {
  const spec = fieldsAt(template, 'spec');
  const added = spec.hostNetwork === true ? [...ADDED_TOLERATIONS, HOST_NETWORK_TOLERATION] : ADDED_TOLERATIONS;
  return { ...template, spec: { ...spec, tolerations: [...listAt(spec, 'tolerations'), ...added] } };
}

/** Does the template name its node itself? Then it is that one or none. */
function isOnNamedNode({ template }: Pick<PodSet, 'template'>, { nodeName }: NodeTraits): boolean {
  const named = valueAt(template, 'spec', 'nodeName');
  return typeof named !== 'string' || named === '' || nodeName === undefined || named === nodeName;
}

function withoutNoSchedule(traits: NodeTraits): NodeTraits {
  return { ...traits, taints: (traits.taints ?? []).filter(({ effect }) => effect !== 'NoSchedule') };
}

/** What the controller wants of a node. */
export interface DaemonNode {
  /** Does it make a pod there, and count the node? */
  readonly runs: boolean;
  /** Does it leave a pod that is there? */
  readonly keeps: boolean;
}

/**
 * What the controller wants of a node, for pods of the template that it makes.
 *
 * Required node affinity and `nodeName` have to match. A taint NoSchedule that is not tolerated keeps new pods away,
 * NoExecute the old ones too. So a cordoned node counts, and one that is not ready, which has a NoSchedule taint as well,
 * does not but keeps its old pod.
 *
 * Source: k/k pkg/controller/daemon/daemon_controller.go, `NodeShouldRunDaemonPod`.
 */
export function daemonNode(pods: PodSet, traits: NodeTraits, memory: Memory): DaemonNode {
  if (!isOnNamedNode(pods, traits)) return { runs: false, keeps: false };
  const runs = runsOn(pods, traits, 'new', memory);
  return { runs, keeps: runs || runsOn(pods, withoutNoSchedule(traits), 'new', memory) };
}

type Nodes = readonly Pick<AlikePools, 'pool' | 'count'>[];

/** The pools whose nodes are down, found once for each list. */
const downOf = () => new WeakMap<readonly NodePool[], readonly NodePool[]>();

function downAmong(pools: readonly NodePool[], memory: Memory): readonly NodePool[] {
  const known = memory.of(downOf);
  const down = known.get(pools) ?? pools.filter(({ isDown }) => isDown);
  known.set(pools, down);
  return down;
}

/** The nodes that may be wanted, and those that are down and may keep a pod; the ones that are one to the pods as one. */
function nodesInView(pods: PodSet, pools: readonly NodePool[], memory: Memory): { readonly wanted: Nodes; readonly down: Nodes } {
  const name = valueAt(pods.template, 'spec', 'nodeName');
  if (typeof name !== 'string' || name === '') {
    return { wanted: alikePools(pods, pools, memory), down: alikeLabelled(pods, downAmong(pools, memory), memory) };
  }
  const named = poolsNamed(name, pools, memory).map((pool) => ({ pool, count: pool.count }));
  return { wanted: named, down: named.filter(({ pool }) => pool.isDown) };
}

function countOf(nodes: Nodes): number {
  return nodes.reduce((sum, { count }) => sum + count, 0);
}

/** Where a DaemonSet's rollout starts on these nodes: every node that the controller wants or leaves a pod on has an old one. */
export function startOnNodes(pods: PodSet, pools: readonly NodePool[], memory: Memory): StartingPoint {
  const { wanted, down } = nodesInView(pods, pools, memory);
  const replicas = wanted.filter(({ pool }) => daemonNode(pods, pool, memory).runs);
  const beside = down.filter(({ pool }) => {
    const { runs, keeps } = daemonNode(pods, pool, memory);
    return keeps && !runs;
  });
  return { replicas: countOf(replicas), down: countOf(replicas.filter(({ pool }) => pool.isDown)), downBeside: countOf(beside) };
}

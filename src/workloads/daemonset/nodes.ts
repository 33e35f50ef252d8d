import { candidates } from '../../cluster/room/candidates';
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

/** Where a DaemonSet's rollout starts on these nodes: every node that the controller wants or leaves a pod on has an old one. */
export function startOnNodes(pods: PodSet, pools: readonly NodePool[], memory: Memory): StartingPoint {
  let replicas = 0;
  let down = 0;
  let downBeside = 0;
  for (const pool of candidates(pods, pools, memory)) {
    const { runs, keeps } = daemonNode(pods, pool, memory);
    if (runs) replicas += pool.count;
    if (runs && pool.isDown) down += pool.count;
    if (!runs && keeps && pool.isDown) downBeside += pool.count;
  }
  return { replicas, down, downBeside };
}

import { defineMessage, extendRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { CapacityResult } from '../../core/capacity-result';
import { pluralize } from '../../core/text-format';
import type { LimitedRollout } from '../capacity/rollout-capacity';
import type { UndersizedNodes } from '../capacity/undersized-nodes';
import { templateLocationOf } from '../workload';
import { insufficientCapacity } from './insufficient-capacity';

interface NodesData {
  /** Nodes that the DaemonSet is to have a pod on. */
  readonly nodes: number;
  readonly undersizedNodes: UndersizedNodes;
  readonly deadlockWave: number;
}

function formatUndersizedNodes({ nodes, resource, needed, available, isShared }: UndersizedNodes): string {
  const need = `it needs ${needed} ${resource}`;
  if (!isShared)
    return `${nodes} ${nodes === 1 ? 'is' : 'are'} too small for a pod, whatever else is there: ${need}, and there is no more than ${available}.`;
  return `${nodes} ${nodes === 1 ? 'has' : 'have'} no room for a pod beside those of other DaemonSets, whichever comes first: ${need}, and they leave no more than ${available}.`;
}

/** What is said of a DaemonSet whose nodes do not take its pod. */
export const insufficientCapacityOnNodes = extendRule(insufficientCapacity, {
  nodes: defineMessage<NodesData>({
    text: ({ nodes, undersizedNodes, deadlockWave }) =>
      `Of ${pluralize(nodes, 'node')} ${formatUndersizedNodes(undersizedNodes)} The rollout stands still at wave ${deadlockWave} for good.`,
    help: ({ undersizedNodes }) =>
      `Lower what ${undersizedNodes.isShared ? 'the pods of these DaemonSets ask' : 'a pod asks'} for, ` +
      'keep the DaemonSet off these nodes with a nodeSelector or required node affinity, or replace them with larger ones.',
    sample: { nodes: 3, undersizedNodes: { nodes: 1, resource: 'cpu', needed: '4', available: '2' }, deadlockWave: 1 },
    variants: [
      { nodes: 10, undersizedNodes: { nodes: 2, resource: 'memory', needed: '8Gi', available: '4Gi' }, deadlockWave: 8 },
      { nodes: 1, undersizedNodes: { nodes: 1, resource: 'cpu', needed: '2', available: '1', isShared: true }, deadlockWave: 1 },
      { nodes: 3, undersizedNodes: { nodes: 3, resource: 'cpu', needed: '2', available: '1', isShared: true }, deadlockWave: 1 },
    ],
  }),
});

/** A DaemonSet that stands still because nodes do not take its pod. */
export function checkInsufficientCapacityOnNodes(
  { workload, rollout }: LimitedRollout,
  verdict: CapacityResult,
  undersizedNodes: UndersizedNodes,
): Finding {
  const data = { nodes: rollout.replicas, undersizedNodes, deadlockWave: verdict.deadlockWave! };
  return insufficientCapacityOnNodes.createFinding('nodes', { ...templateLocationOf(workload, workload.podPath), data });
}

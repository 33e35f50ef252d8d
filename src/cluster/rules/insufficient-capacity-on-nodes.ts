import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { CapacityResult } from '../../core/document/capacity-result';
import type { UndersizedNodes } from '../capacity/nodes/daemon-use';
import { templateLocationOf } from '../rollout/workload';
import { insufficientCapacity } from './insufficient-capacity';
import type { LimitedRollout } from '../rollout/workload';

interface NodesData {
  /** Nodes on which the DaemonSet must run a pod. */
  readonly nodes: number;
  readonly undersizedNodes: UndersizedNodes;
  readonly deadlockWave: number;
}

/** Formats why nodes do not take a pod, as the end of a sentence. */
function formatUndersizedNodes({ nodes, resource, needed, available, isShared }: UndersizedNodes): string {
  const need = `it needs ${needed} ${resource}`;
  const verb = nodes === 1 ? 'is' : 'are';
  if (!isShared) return `${verb} too small for a pod, even when empty: ${need}, and at most ${available} is available.`;
  return `${verb} too small for a pod in addition to those of other DaemonSets, in any order: ${need}, and they leave at most ${available}.`;
}

/** The message for a DaemonSet whose pod does not fit on some of its nodes. */
export const insufficientCapacityOnNodes = extendRule(insufficientCapacity, {
  nodes: defineMessage<NodesData>({
    text: ({ nodes, undersizedNodes, deadlockWave }) =>
      `${nodes === 1 ? 'The only node' : `${undersizedNodes.nodes} of ${nodes} nodes`} ${formatUndersizedNodes(undersizedNodes)} The rollout deadlocks at wave ${deadlockWave}.`,
    help: ({ undersizedNodes }) =>
      `Lower the requests of ${undersizedNodes.isShared ? 'the pods of these DaemonSets' : 'a pod'}, ` +
      'exclude these nodes with a nodeSelector or required node affinity, or replace them with larger ones.',
    sample: { nodes: 3, undersizedNodes: { nodes: 1, resource: 'cpu', needed: '4', available: '2' }, deadlockWave: 1 },
    variants: [
      { nodes: 10, undersizedNodes: { nodes: 2, resource: 'memory', needed: '8Gi', available: '4Gi' }, deadlockWave: 8 },
      { nodes: 1, undersizedNodes: { nodes: 1, resource: 'cpu', needed: '2', available: '1', isShared: true }, deadlockWave: 1 },
      { nodes: 3, undersizedNodes: { nodes: 3, resource: 'cpu', needed: '2', available: '1', isShared: true }, deadlockWave: 1 },
    ],
  }),
});

/** Builds the finding for a DaemonSet that deadlocks because its pod does not fit on some nodes. */
export function checkInsufficientCapacityOnNodes(
  { workload, rollout }: LimitedRollout,
  verdict: CapacityResult,
  undersizedNodes: UndersizedNodes,
): Finding {
  const data = { nodes: rollout.replicas, undersizedNodes, deadlockWave: verdict.deadlockWave! };
  return insufficientCapacityOnNodes.createFinding('nodes', { ...templateLocationOf(workload, workload.podPath), data });
}

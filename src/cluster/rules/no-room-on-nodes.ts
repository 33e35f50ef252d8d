import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { RolloutRoom } from '../../core/room';
import { counted } from '../../core/words';
import type { LimitedRollout } from '../room/rollout-room';
import type { TooSmall } from '../room/too-small';
import { templatePlace } from '../workload';
import { noRoom } from './no-room';

interface NodesData {
  /** Nodes that the DaemonSet is to have a pod on. */
  readonly nodes: number;
  readonly tooSmall: TooSmall;
  readonly deadlockWave: number;
}

function tooSmallText({ nodes, resource, needed, available, isShared }: TooSmall): string {
  const lack = `it needs ${needed} ${resource}`;
  if (!isShared)
    return `${nodes} ${nodes === 1 ? 'is' : 'are'} too small for a pod, whatever else is there: ${lack}, and there is no more than ${available}.`;
  return `${nodes} ${nodes === 1 ? 'has' : 'have'} no room for a pod beside those of other DaemonSets, whichever comes first: ${lack}, and they leave no more than ${available}.`;
}

/** What is said of a DaemonSet whose nodes do not take its pod. */
export const noRoomOnNodes = partOf(noRoom, {
  nodes: message<NodesData>({
    text: ({ nodes, tooSmall, deadlockWave }) =>
      `Of ${counted(nodes, 'node')} ${tooSmallText(tooSmall)} The rollout stands still at wave ${deadlockWave} for good.`,
    help: ({ tooSmall }) =>
      `Lower what ${tooSmall.isShared ? 'the pods of these DaemonSets ask' : 'a pod asks'} for, ` +
      'keep the DaemonSet off these nodes with a nodeSelector or required node affinity, or replace them with larger ones.',
    sample: { nodes: 3, tooSmall: { nodes: 1, resource: 'cpu', needed: '4', available: '2' }, deadlockWave: 1 },
    variants: [
      { nodes: 10, tooSmall: { nodes: 2, resource: 'memory', needed: '8Gi', available: '4Gi' }, deadlockWave: 8 },
      { nodes: 1, tooSmall: { nodes: 1, resource: 'cpu', needed: '2', available: '1', isShared: true }, deadlockWave: 1 },
      { nodes: 3, tooSmall: { nodes: 3, resource: 'cpu', needed: '2', available: '1', isShared: true }, deadlockWave: 1 },
    ],
  }),
});

/** A DaemonSet that stands still because nodes do not take its pod. */
export function noRoomOnNodesFinding({ workload, rollout }: LimitedRollout, room: RolloutRoom, tooSmall: TooSmall): Finding {
  const data = { nodes: rollout.replicas, tooSmall, deadlockWave: room.deadlockWave! };
  return noRoomOnNodes.finding('nodes', { ...templatePlace(workload, workload.podPath), data });
}

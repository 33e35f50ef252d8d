import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { refusalText } from '../room/refusal';
import type { Refusal } from '../room/refusal';
import { moreRoom, refusalAdvice } from '../room/room-advice';
import { rowText, shortageText } from '../room/shortage';
import type { ClusterCapacity, ClusterPods, LeastRoomWay } from '../workload';
import { noRoom } from './no-room';
import { MORE_NODES, QUOTA_SHORTAGE, REFUSAL } from './room-samples';

/** The row at which an upgrade stands still, counted from 1. */
interface RowData {
  readonly row: number;
  readonly capacity: ClusterCapacity;
}

interface ClusterRefusedData extends RowData {
  readonly refusal: Refusal;
}

interface ClusterData extends RowData {
  readonly shortage: Shortage;
  readonly peakPods: number;
  readonly moreNodes?: MoreNodes;
  /** The way that needs least room, where that finds it. */
  readonly least?: LeastRoomWay;
}

const LEAST: Readonly<Record<LeastRoomWay, string>> = {
  'incremental-upgrade': 'Write type: NewClusterWithIncrementalUpgrade with its options',
  'smaller-surge': 'Lower maxSurgePercent',
};

const CLUSTER: ClusterData = { shortage: QUOTA_SHORTAGE, row: 1, capacity: { oldPercent: 100, newPercent: 0 }, peakPods: 6 };

/** What is said of a second cluster beside the running one. */
export const noRoomForClusters = partOf(noRoom, {
  clusterRefused: message<ClusterRefusedData>({
    text: ({ refusal, row, capacity }) =>
      `${refusalText(refusal)}. The upgrade stands still at ${rowText(row, capacity)} for good, and the running cluster keeps serving.`,
    help: ({ refusal }) => refusalAdvice(refusal),
    sample: { refusal: REFUSAL, row: 2, capacity: { oldPercent: 100, newPercent: 20 } },
  }),
  cluster: message<ClusterData>({
    text: ({ shortage, row, capacity }) =>
      `Beside the running cluster there is no room for the new one: ${shortageText(shortage)}. ` +
      `The upgrade stands still at ${rowText(row, capacity)} for good, and the running cluster keeps serving.`,
    help: ({ least, ...room }) => `${least ? LEAST[least] : 'Run fewer workers'}, or ${moreRoom(room)}.`,
    sample: CLUSTER,
    variants: [
      { ...CLUSTER, least: 'smaller-surge' },
      { ...CLUSTER, least: 'incremental-upgrade', moreNodes: MORE_NODES },
    ],
  }),
});

/** A second cluster that never finds room beside the first, or whose pods are refused. */
export function noRoomForClusterFinding(
  cluster: ClusterPods,
  room: RolloutRoom,
  refusal: Refusal | undefined,
  doesLeastFit: boolean,
): Finding {
  const { path } = cluster;
  const row = room.deadlockWave!;
  const stuckAt: RowData = { row, capacity: cluster.capacities[row - 1]! };
  if (refusal) return noRoomForClusters.finding('clusterRefused', { path, data: { refusal, ...stuckAt } });
  const { shortage, peakPods, moreNodes } = room;
  const data = {
    shortage: shortage!,
    ...stuckAt,
    peakPods,
    ...(moreNodes && { moreNodes }),
    ...(doesLeastFit && { least: cluster.least.way }),
  };
  return noRoomForClusters.finding('cluster', { path, data });
}

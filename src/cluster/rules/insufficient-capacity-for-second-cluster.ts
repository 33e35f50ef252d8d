import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { MoreNodes, CapacityResult, Shortage } from '../../core/document/capacity-result';
import { formatAdmissionRejection } from '../rejections/admission-rejection';
import type { AdmissionRejection } from '../rejections/admission-rejection';
import { describeMoreCapacity, adviseOnRejection } from '../capacity/capacity-advice';
import { formatRow, formatShortage } from '../capacity/shortage';
import type { ClusterCapacity, ClusterPods, MinimalCapacityOption } from '../rollout/pod-groups';
import { insufficientCapacity } from './insufficient-capacity';
import { MORE_NODES, QUOTA_SHORTAGE, REPLICA_SET_REJECTION } from './capacity-samples';

/** The row at which an upgrade deadlocks, counted from 1. */
interface RowData {
  readonly row: number;
  readonly capacity: ClusterCapacity;
}

interface ClusterRejectedData extends RowData {
  readonly rejection: AdmissionRejection;
}

interface ClusterData extends RowData {
  readonly shortage: Shortage;
  readonly peakPods: number;
  readonly moreNodes?: MoreNodes;
  /** The upgrade that needs the least capacity. Unset if even that does not fit. */
  readonly minimalOption?: MinimalCapacityOption;
}

const MINIMAL_OPTION_ADVICE: Readonly<Record<MinimalCapacityOption, string>> = {
  'incremental-upgrade': 'Write type: NewClusterWithIncrementalUpgrade with its options',
  'smaller-surge': 'Lower maxSurgePercent',
};

const CLUSTER_SAMPLE: ClusterData = { shortage: QUOTA_SHORTAGE, row: 1, capacity: { oldPercent: 100, newPercent: 0 }, peakPods: 6 };

/** The messages for a second cluster that must run next to the old one. */
export const insufficientCapacityForSecondCluster = extendRule(insufficientCapacity, {
  clusterRejected: defineMessage<ClusterRejectedData>({
    text: ({ rejection, row, capacity }) =>
      `${formatAdmissionRejection(rejection)}. The upgrade deadlocks at ${formatRow(row, capacity)}, and the running cluster keeps serving.`,
    help: ({ rejection }) => adviseOnRejection(rejection),
    sample: { rejection: REPLICA_SET_REJECTION, row: 2, capacity: { oldPercent: 100, newPercent: 20 } },
  }),
  cluster: defineMessage<ClusterData>({
    text: ({ shortage, row, capacity }) =>
      `The new cluster does not fit next to the running one: ${formatShortage(shortage)}. ` +
      `The upgrade deadlocks at ${formatRow(row, capacity)}, and the running cluster keeps serving.`,
    help: ({ minimalOption, ...verdict }) =>
      `${minimalOption ? MINIMAL_OPTION_ADVICE[minimalOption] : 'Run fewer workers'}, or ${describeMoreCapacity(verdict)}.`,
    sample: CLUSTER_SAMPLE,
    variants: [
      { ...CLUSTER_SAMPLE, minimalOption: 'smaller-surge' },
      { ...CLUSTER_SAMPLE, minimalOption: 'incremental-upgrade', moreNodes: MORE_NODES },
    ],
  }),
});

/** Builds the finding for a second cluster that never fits next to the first one, or whose pods are refused. */
export function checkInsufficientCapacityForSecondCluster(
  cluster: ClusterPods,
  verdict: CapacityResult,
  rejection: AdmissionRejection | undefined,
  fitsAtMinimum: boolean,
): Finding {
  const { path } = cluster;
  const row = verdict.deadlockWave!;
  const deadlockRow: RowData = { row, capacity: cluster.capacities[row - 1]! };
  if (rejection)
    return insufficientCapacityForSecondCluster.createFinding('clusterRejected', { path, data: { rejection, ...deadlockRow } });
  const { shortage, peakPods, moreNodes } = verdict;
  const data = {
    shortage: shortage!,
    ...deadlockRow,
    peakPods,
    ...(moreNodes && { moreNodes }),
    ...(fitsAtMinimum && { minimalOption: cluster.minimal.way }),
  };
  return insufficientCapacityForSecondCluster.createFinding('cluster', { path, data });
}

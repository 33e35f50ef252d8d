import type { Finding } from '../../core/finding';
import type { AutoscaledRollout, RolloutRoom } from '../../core/rollout';
import type { ClusterPods, Workload } from '../workload';
import { kubernetesFinding } from '../catalogue';
import type { Refusal } from './limits';
import { ANY_NODE, describeShortage } from './rollout-room';
import type { LimitedRollout } from './rollout-room';
import { oneNodeEach } from './scheduling';
import { surroundingsFinding } from '../surroundings-catalogue';

const HEADROOM = 'kubernetes/surge-needs-headroom';

/** What to write where the labels or taints of the nodes keep pods off them all, whatever room there is. */
const WAYS_TO_NODES: Readonly<Record<string, string>> = {
  labels: 'ask in nodeSelector and node affinity for labels that nodes have (a pool of a capacity file has those that it lists)',
  taints: 'write a toleration of the taint into the pod template',
};

function wayToNodes({ shortage }: RolloutRoom): string | undefined {
  return shortage?.limit === ANY_NODE ? WAYS_TO_NODES[shortage.resource] : undefined;
}

function isOfQuota({ shortage }: RolloutRoom): boolean {
  return shortage?.limit.startsWith('ResourceQuota') === true;
}

function ways(room: RolloutRoom): string {
  if (room.moreNodes)
    return `add ${room.moreNodes.nodes} more ${room.moreNodes.nodes === 1 ? 'node' : 'nodes'} to pool "${room.moreNodes.pool}"`;
  const { limit, resource, needed } = room.shortage!;
  const toNodes = wayToNodes(room);
  if (toNodes !== undefined) return toNodes;
  return isOfQuota(room) ? `let the ${limit} have ${needed} ${resource} for it` : `find room for ${room.peakPods} pods`;
}

/**
 * What to do about pods that don't all find room.
 *
 * Pods are replaced in place only where the replicas fit and no old pod goes first yet: 3 replicas with room for 2 stand still either way.
 *
 * @param fewer what else makes the peak smaller
 */
function roomAdvice({ workload, simulation }: LimitedRollout, room: RolloutRoom, fewer: string): string {
  const toNodes = wayToNodes(room);
  if (toNodes !== undefined) {
    const sentence = `${toNodes.charAt(0).toUpperCase()}${toNodes.slice(1)}`;
    return room.moreNodes ? `${sentence}, or ${ways(room)}.` : `${sentence}.`;
  }
  const lacksHeadroomOnly = simulation.kind === 'deployment' && simulation.unavailable === 0 && room.podsWithRoom >= simulation.replicas;
  const inPlace = 'Write maxSurge: 0 and maxUnavailable: 1 to replace pods in place';
  return `${lacksHeadroomOnly && !workload.hasFixedStrategy ? inPlace : `${fewer} until its peak finds room`}, or ${ways(room)}.`;
}

/** A rollout that no surge pod can start: the room is used up, and no old pod goes before a new one is ready. */
function headroomError(general: Finding, rollout: LimitedRollout, room: RolloutRoom): Finding {
  const { replicas } = rollout.simulation;
  const { podsWithRoom } = room;
  const lack = podsWithRoom < replicas ? `only ${podsWithRoom} of the replicas find room at all` : 'there is no room for a new one';
  return kubernetesFinding(HEADROOM, {
    path: general.path,
    severity: 'error',
    message:
      `maxUnavailable comes to 0 for ${replicas} replicas: no old pod goes before a new one is ready, and ${lack}: ` +
      `${describeShortage(room.shortage!)}. The rollout stands still at wave ${room.deadlockWave} for good.`,
    help: roomAdvice(rollout, room, 'Lower the replicas or what a pod asks for'),
  });
}

function noRoom(rollout: LimitedRollout, room: RolloutRoom): Finding {
  const { workload, simulation } = rollout;
  const unit = simulation.kind === 'statefulset' ? 'batch' : 'wave';
  return surroundingsFinding('kubernetes/no-room', {
    path: `${workload.podPath}.containers`,
    message:
      `Of ${simulation.replicas} replicas only ${room.podsWithRoom} find room: ${describeShortage(room.shortage!)}. ` +
      `The rollout stands still at ${unit} ${room.deadlockWave} for good.`,
    help: roomAdvice(rollout, room, 'Lower the replicas or what a pod asks for'),
  });
}

/** A rollout whose new pods are refused, however much room there is. */
export function refusalFinding({ workload, simulation }: LimitedRollout, { because, help, field }: Refusal, room: RolloutRoom): Finding {
  const unit = simulation.kind === 'statefulset' ? 'batch' : 'wave';
  return surroundingsFinding('kubernetes/no-room', {
    path: field === undefined ? workload.strategyPath : `${workload.podPath}.${field}`,
    message: `${because}. The rollout stands still at ${unit} ${room.deadlockWave} for good.`,
    help,
  });
}

/** A second cluster whose pods are refused, however much room there is. */
export function clusterRefusalFinding(cluster: ClusterPods, { because, help }: Refusal, room: RolloutRoom): Finding {
  return surroundingsFinding('kubernetes/no-room', {
    path: cluster.path,
    message:
      `${because}. The upgrade stands still at ${cluster.describeRow(room.deadlockWave! - 1)} for good, ` +
      'and the running cluster keeps serving.',
    help,
  });
}

/** Adds to the general word on headroom that the room has to be a whole node, where no two pods go on one. */
export function withOwnNodes(findings: readonly Finding[], workload: Workload): Finding[] {
  const reason = oneNodeEach(workload);
  return findings.map((finding) => {
    if (!reason || finding.code !== HEADROOM || finding.severity === 'error') return finding;
    return {
      ...finding,
      message: `${finding.message} No two of these pods go on one node (${reason}), so every one more needs a node without any.`,
    };
  });
}

function worded({ workload }: LimitedRollout, finding: Finding): Finding {
  return workload.worded?.(finding) ?? finding;
}

/**
 * The findings of a rollout, with the general word on headroom replaced where there is none, and an error where the replicas don't fit.
 *
 * A quota without room makes the word on headroom an error in any case; nodes on which not even the replicas fit have nothing to do
 * with it.
 */
export function withRoomFindings(findings: readonly Finding[], rollout: LimitedRollout, room: RolloutRoom | undefined): Finding[] {
  if (room?.verdict !== 'deadlocks') return [...findings];
  const general = findings.find(({ code }) => code === HEADROOM);
  const isOfHeadroom = isOfQuota(room) || room.podsWithRoom >= rollout.simulation.replicas;
  if (!general || !isOfHeadroom) {
    return [...findings.filter((finding) => finding !== general), worded(rollout, noRoom(rollout, room))];
  }
  return findings.map((finding) => (finding === general ? worded(rollout, headroomError(general, rollout, room)) : finding));
}

/** A rollout that has room now, and none once its autoscaler has gone up to its maximum. */
export function autoscaledRoomFindings(
  rollout: LimitedRollout,
  autoscaled: AutoscaledRollout | undefined,
  room: RolloutRoom | undefined,
  refusal: Refusal | undefined,
): Finding[] {
  const { workload, simulation } = rollout;
  const atMaximum = autoscaled?.maximumRoom;
  if (atMaximum?.verdict !== 'deadlocks' || room?.verdict === 'deadlocks') return [];
  const { maximum } = workload.replicaRange!;
  const unit = simulation.kind === 'statefulset' ? 'batch' : 'wave';
  const larger = { ...rollout, simulation: workload.simulateAt(maximum) };
  const finding = surroundingsFinding('kubernetes/no-room', {
    path: `${workload.podPath}.containers`,
    severity: 'warning',
    message:
      `At the ${maximum} replicas to which ${autoscaled!.by} may go, the rollout stands still at ${unit} ` +
      `${atMaximum.deadlockWave}: ${describeShortage(atMaximum.shortage!)}.`,
    help: refusal ? refusal.help : roomAdvice(larger, atMaximum, "Lower the autoscaler's maximum or what a pod asks for"),
  });
  return [worded(rollout, finding)];
}

/** A second cluster that never finds room beside the first. */
export function clusterRoomFinding(cluster: ClusterPods, room: RolloutRoom, doesLeastFit: boolean): Finding {
  return surroundingsFinding('kubernetes/no-room', {
    path: cluster.path,
    message:
      `Beside the running cluster there is no room for the new one: ${describeShortage(room.shortage!)}. ` +
      `The upgrade stands still at ${cluster.describeRow(room.deadlockWave! - 1)} for good, and the running cluster keeps serving.`,
    help: `${doesLeastFit ? cluster.least.advice : 'Run fewer workers'}, or ${ways(room)}.`,
  });
}

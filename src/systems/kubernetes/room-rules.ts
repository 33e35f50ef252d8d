import type { Finding } from '../../core/finding';
import type { RolloutRoom } from '../../core/rollout';
import { kubernetesFinding } from './catalogue';
import { describeShortage } from './rollout-room';
import type { LimitedRollout } from './rollout-room';
import { surroundingsFinding } from './surroundings-catalogue';

const HEADROOM = 'kubernetes/surge-needs-headroom';

function ways(room: RolloutRoom): string {
  if (room.moreNodes) return `add ${room.moreNodes.nodes} more ${room.moreNodes.nodes === 1 ? 'node' : 'nodes'} to pool "${room.moreNodes.pool}"`;
  const { limit, resource, needed } = room.shortage!;
  return limit.startsWith('ResourceQuota') ? `let the ${limit} have ${needed} ${resource} for it` : `find room for ${room.peakPods} pods`;
}

/** A rollout that no surge pod can start: the room is used up, and no old pod goes before a new one is ready. */
function headroomError(general: Finding, { simulation }: LimitedRollout, room: RolloutRoom): Finding {
  return kubernetesFinding(HEADROOM, {
    path: general.path,
    severity: 'error',
    message:
      `maxUnavailable comes to 0 for ${simulation.replicas} replicas: no old pod goes before a new one is ready, and there is no room for a ` +
      `new one: ${describeShortage(room.shortage!)}. The rollout stands still at wave ${room.deadlockWave} for good.`,
    help: `Write maxSurge: 0 and maxUnavailable: 1 to replace pods in place, or ${ways(room)}.`,
  });
}

function noRoom({ workload, simulation }: LimitedRollout, room: RolloutRoom): Finding {
  const unit = simulation.kind === 'statefulset' ? 'batch' : 'wave';
  return surroundingsFinding('kubernetes/no-room', {
    path: `${workload.podPath}.containers`,
    message:
      `Of ${simulation.replicas} replicas only ${room.podsWithRoom} find room: ${describeShortage(room.shortage!)}. ` +
      `The rollout stands still at ${unit} ${room.deadlockWave} for good.`,
    help: `Lower the replicas or what a pod asks for, or ${ways(room)}.`,
  });
}

/** The findings of a rollout, with the general word on headroom replaced where there is none, and an error where the replicas don't fit. */
export function withRoomFindings(findings: readonly Finding[], rollout: LimitedRollout, room: RolloutRoom): Finding[] {
  if (room.verdict !== 'deadlocks') return [...findings];
  const general = findings.find(({ code }) => code === HEADROOM);
  if (!general) return [...findings, noRoom(rollout, room)];
  return findings.map((finding) => (finding === general ? headroomError(general, rollout, room) : finding));
}

import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Shortage } from '../../core/room';
import { counted } from '../../core/words';
import type { Limits } from '../room/rollout-room';
import { mostThatRun } from '../room/scale-room';
import { shortageText } from '../room/shortage';
import type { Workload } from '../workload';
import { noRoom } from './no-room';
import { QUOTA_FOR_TEN, QUOTA_SHORTAGE } from './room-samples';

interface RaisedData {
  /** The autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly by: string;
  /** The most pods that it may now choose. */
  readonly maximum: number;
  readonly podsWithRoom: number;
  readonly shortage: Shortage;
}

/** What is said of an autoscaler that an apply lets go further up than there is room for. */
export const noRoomAtRaisedMaximum = partOf(noRoom, {
  raisedMaximum: message<RaisedData>({
    text: ({ by, maximum, podsWithRoom, shortage }) =>
      `${by} may now go up to ${counted(maximum, 'pod')}, and ${podsWithRoom === 0 ? 'none' : podsWithRoom} ${podsWithRoom > 1 ? 'find' : 'finds'} room: ` +
      `with all of them ${shortageText(shortage, 'it asks for')}. Whether it goes that far is up to the load; pods beyond the room wait for it.`,
    sample: {
      by: 'HorizontalPodAutoscaler "web"',
      maximum: 14,
      podsWithRoom: 10,
      shortage: QUOTA_FOR_TEN,
    },
    variants: [{ by: 'ScaledObject "web"', maximum: 1, podsWithRoom: 0, shortage: QUOTA_SHORTAGE }],
  }),
});

/** A workload that does not roll out, and whose autoscaler an apply lets go further up than there is room for. */
export function raisedMaximumFindings(workload: Workload, limits: Limits): Finding[] {
  const { isMaximumRaised, replicaRange, sizePath, replicasPath = sizePath } = workload;
  if (!isMaximumRaised || !replicaRange) return [];
  const { by, maximum } = replicaRange;
  const most = mostThatRun(workload, maximum, limits);
  if (!most) return [];
  const data = { by, maximum, podsWithRoom: most.pods, shortage: most.shortage };
  return [noRoomAtRaisedMaximum.finding('raisedMaximum', { path: replicasPath, severity: 'info', data })];
}

import { joinWords, pluralize } from '../../../core/text/text-format';
import { SCHEDULING_GATES } from '../shortage';
import { PREEMPTION, TERMINATING_PODS } from '../surroundings/evictions';
import { isDecidedByOthers, OTHER_ROLLOUTS, WAITING_PODS } from './other-rollouts';
import type { RolloutOutcomes } from './rollout-model';

/** The reason if the nodes that the scheduler chooses, or the old pods that the controller deletes first, decide. */
export const PLACEMENT = 'the choice of nodes';

/** The reason if old pods on unknown nodes decide that may have run there before the node got a taint, or less than its pods use. */
export const CHANGED_NODES = 'old pods on nodes that accept them no longer';

/** The reason if old and new pods are created at the same time, because the same apply adds replicas, and each may take the place of the other. */
export const CREATION_ORDER = 'the order in which old and new pods are created';

const UNCOMPARED_PREFIX = 'too many placements with ';

/** Formats the reason if constraints allow more placements than are compared. */
export function formatUncompared(constraints: readonly string[]): string {
  return `${UNCOMPARED_PREFIX}${joinWords(constraints)} to compare`;
}

/** Formats the range of new pods that run: `between 1 and 3 of 4 new pods run`. */
function formatNewPods({ outcome, newAtLeast, newAtMost }: RolloutOutcomes, replicas: number): string {
  if (outcome === 'every') return `there is capacity for ${pluralize(replicas, 'new pod')} now`;
  if (newAtLeast === newAtMost) return `${newAtLeast} of ${pluralize(replicas, 'new pod')} ${newAtLeast === 1 ? 'runs' : 'run'}`;
  return `between ${newAtLeast} and ${newAtMost} of ${pluralize(replicas, 'new pod')} run`;
}

/** Reasons with a sentence of their own. */
const EXPLAINED: ReadonlySet<string> = new Set([
  CREATION_ORDER,
  PLACEMENT,
  CHANGED_NODES,
  PREEMPTION,
  OTHER_ROLLOUTS,
  WAITING_PODS,
  TERMINATING_PODS,
  SCHEDULING_GATES,
]);

/** Why a rollout may not fit. */
export interface UncertainOutcomes {
  readonly outcomes: RolloutOutcomes;
  readonly because: readonly string[];
  readonly replicas: number;
  /** Owners of pods that new ones may evict. @default - none */
  readonly evicts?: readonly string[];
  /** The outcomes once the pods that are being deleted are gone, if they decide. */
  readonly afterTermination?: RolloutOutcomes;
}

/** Formats what else decides whether new pods run, as parts of a sentence. */
function listParts(because: readonly string[]): string[] {
  const provisioners = because.filter((reason) => reason.startsWith('NodePool '));
  const uncompared = because.find((reason) => reason.startsWith(UNCOMPARED_PREFIX));
  const reasons = because.filter((reason) => !EXPLAINED.has(reason) && reason !== uncompared && !provisioners.includes(reason));
  return [
    ...(because.includes(PLACEMENT) ? [`which nodes the scheduler chooses${uncompared ? ` (there are ${uncompared})` : ''}`] : []),
    ...(because.includes(CREATION_ORDER) ? ['whether old or new pods are created first'] : []),
    ...(because.includes(CHANGED_NODES) ? ['whether old pods run on nodes that accept them no longer'] : []),
    ...(because.includes(OTHER_ROLLOUTS) ? ['when the other rollouts of the change use or free capacity'] : []),
    ...(because.includes(WAITING_PODS) ? [`whether the ${WAITING_PODS} get places first`] : []),
    ...(because.includes(PREEMPTION) ? ['whether pods of lower priority are evicted'] : []),
    ...(because.includes(TERMINATING_PODS) ? [`when the ${TERMINATING_PODS} are gone`] : []),
    ...(because.includes(SCHEDULING_GATES) ? ['when the scheduling gates of the pods are removed'] : []),
    ...(provisioners.length > 0 ? [`whether ${joinWords(provisioners, 'or')} makes another node`] : []),
    ...(reasons.length > 0 ? [`${joinWords(reasons)}, which the input does not decide`] : []),
  ];
}

/** Formats what decides whether pods run, as part of a sentence. */
export function formatReasons(because: readonly string[]): string {
  return joinWords(listParts(because));
}

/** Formats what happens while pods are being deleted, and after that. */
function formatTermination(outcomes: RolloutOutcomes, afterwards: RolloutOutcomes, replicas: number): string {
  const then =
    afterwards.outcome === 'every'
      ? `Then there is capacity for ${pluralize(replicas, 'new pod')}`
      : `Then ${formatNewPods(afterwards, replicas)}`;
  return `while the pods that are being deleted use capacity, ${formatNewPods(outcomes, replicas)}. ${then}`;
}

/** Formats why a rollout may not fit: what runs now, and what that depends on. */
export function formatUncertainty({ outcomes, because, replicas, evicts = [], afterTermination }: UncertainOutcomes): string {
  if (evicts.length > 0 && because.length === 1) {
    return `May not fit: it fits only by evicting pods of lower priority, such as ${joinWords(evicts)}. Without that, ${formatNewPods(outcomes, replicas)}.`;
  }
  const parts = listParts(because);
  // What the others use or leave decides how many run.
  if (isDecidedByOthers(because)) return `May not fit: this depends on ${joinWords(parts)}.`;
  const depends = parts.length > 0 ? ` This depends on ${joinWords(parts)}.` : '';
  if (afterTermination) return `May not fit: ${formatTermination(outcomes, afterTermination, replicas)}.${depends}`;
  return `May not fit: ${formatNewPods(outcomes, replicas)}${outcomes.outcome === 'none' ? ' now' : ''}.${depends}`;
}

import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { CapacityResult, Shortage } from '../../core/document/capacity-result';
import { capitalize, joinWords } from '../../core/text/text-format';
import { describeMoreCapacity } from '../capacity/capacity-advice';
import { CHANGED_NODES, CREATION_ORDER, PLACEMENT } from '../capacity/exact/format-uncertainty';
import { OLD_CONSTRAINTS, OLD_REQUESTS } from '../capacity/exact/old-pods';
import { OTHER_ROLLOUTS, WAITING_PODS } from '../capacity/exact/other-rollouts';
import { OTHER_UNITS, SCHEDULING_GATES } from '../capacity/shortage';
import { PREEMPTION, TERMINATING_PODS } from '../capacity/surroundings/evictions';
import type { FindingLocation } from '../rollout/workload';
import { QUOTA_SHORTAGE } from './capacity-samples';
import { insufficientCapacity } from './insufficient-capacity';

interface UndecidedData {
  /** The object, if the finding belongs to no rollout: `Job shop/load`. */
  readonly object?: string;
  /** The message of the verdict: `May not fit: between 0 and 2 of 2 new pods run.` */
  readonly message: string;
  /** What decides whether the pods fit. */
  readonly because: readonly string[];
  readonly peakPods: number;
  readonly shortage?: Shortage;
}

/** The advice by reason. The first reason of the list that is among those of a verdict counts. */
const ADVICE: readonly (readonly [reasons: readonly string[], advice: string])[] = [
  [[TERMINATING_PODS], 'Apply once the pods that are being deleted are gone'],
  [[OTHER_ROLLOUTS], 'Apply the rollouts one after another, or add capacity until all of them fit at once'],
  [[WAITING_PODS], 'Apply once the Pending pods run or are gone, or add capacity until all pods fit at once'],
  [[OTHER_UNITS], 'Add capacity until the pods of all units fit, or plan only the units of one cluster together'],
  [
    [OLD_REQUESTS, OLD_CONSTRAINTS],
    'Let the rollout in progress finish, and change the pod template and the number of pods in separate applies: each of them can be evaluated exactly',
  ],
  [[PLACEMENT, CHANGED_NODES, PREEMPTION, CREATION_ORDER], 'Add capacity, or lower the requests of a pod, until the pods fit in any case'],
];

function adviseOnUndecided({ because, peakPods, shortage }: UndecidedData): string {
  if (shortage) return `${capitalize(describeMoreCapacity({ shortage, peakPods }))}, or lower the requests of a pod.`;
  const known = ADVICE.find(([reasons]) => reasons.some((reason) => because.includes(reason)));
  if (known) return `${known[1]}.`;
  return `Look at ${joinWords(because)} before you apply: a new pod that finds no node stays Pending, and the rollout waits for it.`;
}

/** The message for pods that may not fit, because the input does not decide it. */
export const insufficientCapacityIfUndecided = extendRule(insufficientCapacity, {
  undecided: defineMessage<UndecidedData>({
    text: ({ object, message }) =>
      message.replace(/^May not fit: /, `The pods${object === undefined ? '' : ` of ${object}`} may not fit: `),
    help: adviseOnUndecided,
    sample: {
      message: 'May not fit: between 0 and 2 of 2 new pods run. This depends on whether old or new pods are created first.',
      because: [CREATION_ORDER],
      peakPods: 3,
      shortage: QUOTA_SHORTAGE,
    },
    variants: [
      ...[[PLACEMENT], [OTHER_ROLLOUTS], [WAITING_PODS], [OTHER_UNITS], [TERMINATING_PODS], [OLD_REQUESTS]].map((because) => ({
        message: `May not fit: this depends on ${because[0]!}.`,
        because,
        peakPods: 4,
      })),
      {
        object: 'Job shop/load',
        message: 'May not fit: there is capacity for its peak of 3 pods, but plans do not model schedulerName.',
        because: ['schedulerName'],
        peakPods: 3,
      },
    ],
  }),
});

/** Reasons for which pods may lack capacity, while nothing else provides it. */
const DOUBTS: ReadonlySet<string> = new Set([
  CHANGED_NODES,
  CREATION_ORDER,
  PLACEMENT,
  OLD_CONSTRAINTS,
  OLD_REQUESTS,
  OTHER_ROLLOUTS,
  WAITING_PODS,
  PREEMPTION,
]);

/** Reasons that kubernetes/scheduling-gated and kubernetes/awaits-other-component report. */
const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set([SCHEDULING_GATES, 'schedulerName']);

/**
 * Reports pods that may not fit. It is a warning if they lack capacity in a case that may happen. It is an info if they wait for capacity that may
 * come, such as a node of a NodePool, or if a constraint, or another cluster, was not compared.
 */
export function checkUndecidedCapacity(location: FindingLocation, verdict: CapacityResult | undefined, object?: string): Finding[] {
  if (verdict?.verdict !== 'may-not-fit') return [];
  const { message, because = [], peakPods, shortage } = verdict;
  if (because.every((reason) => REPORTED_ELSEWHERE.has(reason))) return [];
  const severity = because.some((reason) => DOUBTS.has(reason)) ? 'warning' : 'info';
  const data = { ...(object !== undefined && { object }), message, because, peakPods, ...(shortage && { shortage }) };
  return [insufficientCapacityIfUndecided.createFinding('undecided', { ...location, severity, data })];
}

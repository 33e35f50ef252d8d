import { oncePerPlan } from '../../cluster/context';
import type { PlanContext } from '../../cluster/context';
import { nodePoolsOf } from '../../cluster/room/known-nodes';
import { rulesOf } from '../../cluster/room/node-affinity';
import { memoryOf } from '../../cluster/room/plan-memory';
import { daemonPodsOn } from '../../cluster/room/other-pods';
import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import { headroomFindings } from '../../cluster/rules/surge-needs-headroom';
import { greatest } from '../../core/extremes';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, valueAt } from '../../core/manifest';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';
import { standingStill } from '../../core/simulations/kinds';
import { valueSince } from '../../core/versions';
import { checked, notFor } from '../checks';
import type { CheckTable } from '../checks';
import type { Review } from '../review';
import type { PodCount, RolloutKind } from '../rollout-kind';
import type { Settled } from '../settled';
import { foreignOwnerFindings } from '../rules/foreign-owner';
import { readinessFindings } from '../rules/no-readiness-probe';
import { outageFindings } from '../rules/outage';
import { startupMetadataFindings } from '../rules/startup-annotation';
import { daemonSetDuration } from './duration';
import { daemonTemplate, startOnNodes } from './nodes';
import { daemonSetOutcome, haltedForRoom, outcomeOnTooSmall, withoutRoom } from './outcome';
import { updateStrategyProvenance } from './provenance';
import { nodesDownFindings } from './rules/daemonset-nodes-down';
import { surgeHostPortFindings } from './rules/daemonset-surge-host-port';
import { simulateDaemonSet } from './simulate';
import { storedUpdateStrategy } from './strategy';
import type { DaemonSetUpdateStrategy, DaemonSetUpdateStrategySpec } from './types';
import { DAEMON_SET_SPEC } from './spec';
import { daemonSetFindings } from './validation';
import { COUNTS_UNREADY_OLD_PODS } from './versions';

/** A DaemonSet's update strategy, and how the version counts pods that are down already. */
export interface SettledDaemonSet extends Settled {
  readonly strategy: DaemonSetUpdateStrategy;
  readonly countsUnreadyOldPods: boolean;
}

type DaemonSetReview = Review<SettledDaemonSet>;

/** The limits of a rolling update; undefined for OnDelete. */
function limitsOf({ settled: { strategy } }: DaemonSetReview) {
  return strategy.type === 'RollingUpdate' ? strategy.rollingUpdate : undefined;
}

function surges(review: DaemonSetReview): boolean {
  const maxSurge = limitsOf(review)?.maxSurge ?? 0;
  return maxSurge !== 0 && maxSurge !== '0%';
}

/** Nodes that may be without an available pod at once for one to be replaced in place: those that never have one use up the limit. */
function inPlace({ rollout }: DaemonSetReview): number {
  if (rollout?.simulation.kind !== 'daemonset') return 1;
  const { nodes, waves } = rollout.simulation;
  return waves.length === 0
    ? 1
    : 1 +
        nodes -
        greatest(
          waves.map(({ available }) => available),
          0,
        );
}

/** Where no second pod fits on a node, that is what stops the rollout, however much room there is. */
function surgeHostPort(review: DaemonSetReview): Finding[] {
  return surges(review) ? surgeHostPortFindings(review.workload, review.rollout?.surge ?? 0, inPlace(review)) : [];
}

function headroom(review: DaemonSetReview): Finding[] {
  const { workload, rollout, room } = review;
  const limits = limitsOf(review);
  if (!limits || !rollout || !surges(review) || surgeHostPort(review).length > 0) return [];
  return headroomFindings(workload, rollout, limits.maxUnavailable, room, inPlace(review));
}

function outage(review: DaemonSetReview): Finding[] {
  const limits = limitsOf(review);
  const { workload, rollout, room } = review;
  // Where nodes that are down stop it, that is said, and a lower limit would not help.
  if (nodesDown(review).length > 0) return [];
  return limits && rollout ? outageFindings(workload, rollout, limits.maxUnavailable, rollout.unavailable, room) : [];
}

function nodesDown({ rollout }: DaemonSetReview): Finding[] {
  return rollout?.simulation.kind === 'daemonset' ? nodesDownFindings(rollout.simulation) : [];
}

const CHECKS: CheckTable<SettledDaemonSet, 'daemonset-nodes-down' | 'daemonset-surge-host-port'> = {
  'daemonset-nodes-down': nodesDown,
  'daemonset-surge-host-port': surgeHostPort,
  'surge-needs-headroom': headroom,
  fencepost: notFor('both limits are rounded up, so they come to 0 only without nodes'),
  outage,
  'startup-annotation': startupMetadataFindings,
  'hpa-owns-replicas': notFor('a DaemonSet has no replicas'),
  'no-readiness-probe': (review) => (review.settled.strategy.type === 'OnDelete' ? [] : readinessFindings(review)),
  'foreign-owner': ({ writtenInto, workload }) => foreignOwnerFindings(writtenInto, workload.strategyPath),
};

/** How many pods run by the status, where no nodes are in view. */
function byStatus(daemonSet: unknown): number {
  const scheduled = valueAt(daemonSet, 'status', 'desiredNumberScheduled');
  return Number.isSafeInteger(scheduled) && (scheduled as number) >= 0 ? (scheduled as number) : 0;
}

/** The pods of DaemonSets on the nodes of a plan, by what they ask of a node. */
const countsByRules = oncePerPlan(() => new Map<string, PodCount>());

/** DaemonSets. */
export const DAEMON_SET: RolloutKind<SettledDaemonSet, DaemonSetSimulation> = {
  system: 'kubernetes',
  kind: 'DaemonSet',
  apiVersion: 'apps/v1',
  hasScale: false,
  names: KUBERNETES_NAMES,
  strategyPath: at`spec.updateStrategy`,
  revisionLabel: 'controller-revision-hash',
  traits: { hasSurge: true, onePerNode: true },
  podTemplate: daemonTemplate,
  whole: { spec: DAEMON_SET_SPEC, strategyField: 'updateStrategy', name: 'dns-subdomain' },
  validate: (daemonSet) => daemonSetFindings(daemonSet),
  settle: (daemonSet, { kubernetes }) => {
    // The types were checked by `validate`.
    const written = fieldsAt(daemonSet, 'spec').updateStrategy as DaemonSetUpdateStrategySpec | null | undefined;
    const strategy = storedUpdateStrategy(written);
    return {
      strategy,
      provenance: updateStrategyProvenance(written, strategy, at`spec.updateStrategy`),
      countsUnreadyOldPods: valueSince<boolean>(COUNTS_UNREADY_OLD_PODS, kubernetes),
    };
  },
  count: (daemonSet, pods, context: PlanContext) => {
    const pools = nodePoolsOf(context);
    if (pools.length === 0) return { steady: byStatus(daemonSet) };
    // Most DaemonSets ask the same of a node, which is nothing: every node is asked once for all of those.
    const counts = countsByRules(context);
    const memory = memoryOf(context);
    const key = JSON.stringify([rulesOf(pods, memory).key, valueAt(pods.template, 'spec', 'nodeName')]);
    const count = counts.get(key) ?? { steady: daemonPodsOn(pods, pools, memory), start: startOnNodes(pods, pools, memory) };
    counts.set(key, count);
    return count;
  },
  isHeld: () => false,
  heldPods: (daemonSet) => (valueAt(daemonSet, 'spec', 'updateStrategy', 'type') === 'OnDelete' ? Infinity : 0),
  heldUntil: () => 'somebody deletes its pods',
  deadline: () => undefined,
  simulate: ({ strategy, countsUnreadyOldPods }, start) => simulateDaemonSet(strategy, start, countsUnreadyOldPods),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ peakPods, surge, unavailable }) => ({ unit: 'wave', peakPods, surge, unavailable }),
  outcome: ({ strategy, countsUnreadyOldPods }, simulation, room, _areRefused, start) =>
    daemonSetOutcome(simulation, room, () => simulateDaemonSet(strategy, withoutRoom(start, room), countsUnreadyOldPods)),
  outcomeOnNodes: ({ strategy, countsUnreadyOldPods }, simulation, tooSmall, start) =>
    outcomeOnTooSmall(simulation, () => simulateDaemonSet(strategy, withoutRoom(start, start.replicas - tooSmall), countsUnreadyOldPods)),
  haltedAt: ({ strategy, countsUnreadyOldPods }, simulation, delay, start) =>
    simulation.surge > 0 && delay.nodesTooSmall === undefined
      ? standingStill(simulation, 1)
      : haltedForRoom(simulateDaemonSet(strategy, withoutRoom(start, delay.podsWithRoom), countsUnreadyOldPods)),
  duration: (_settled, simulation, seconds, room) => daemonSetDuration(simulation, seconds, room),
  review: (review) => checked(CHECKS, review),
};

import { memoizePerPlan } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { nodePoolsOf } from '../../cluster/capacity/input-nodes';
import { nodeRulesOf } from '../../cluster/capacity/nodes/node-affinity';
import { planCacheOf } from '../../cluster/context/context';
import { countDaemonPodsOn } from '../../cluster/capacity/nodes/daemon-use';
import type { Workload } from '../../cluster/rollout/workload';
import { KUBERNETES_FIELD_NAMES } from '../../cluster/rollout/strategy-field-names';
import { checkSurgeNeedsHeadroom } from '../../cluster/rules/surge-needs-headroom';
import { formatStartupKey } from '../../core/values/startup-seconds';
import { findMax } from '../../core/values/min-max';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, getOwnValue, getValueAt } from '../../core/manifest/manifest';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';
import { truncateAtDeadlock } from '../../core/simulations/simulation-kinds';
import { getValueAtVersion } from '../../core/values/versions';
import { runChecks, createNotApplicable } from '../rule-table';
import type { PodRuleTable } from '../rule-table';
import type { RuleContext } from '../rule-context';
import type { PodCount, RolloutKind } from '../rollout-kind';
import type { EffectiveStrategy } from '../effective-strategy';
import { checkForeignOwner } from '../rules/foreign-owner';
import { checkRollingUpdateOutage } from '../rules/outage';
import { computeDaemonSetDuration } from './duration';
import { addDaemonTolerations, computeInitialDaemonSetState } from './nodes';
import { computeDaemonSetOutcome, markCapacityDeadlock, computeOutcomeOnUndersizedNodes, withUnschedulablePods } from './outcome';
import { buildDaemonSetProvenance } from './provenance';
import { checkDaemonSetNodesDown } from './rules/daemonset-nodes-down';
import { checkDaemonSetSurgeHostPort } from './rules/daemonset-surge-host-port';
import { simulateDaemonSet } from './simulate';
import { simulateDaemonSetWithin } from './simulate-within';
import { defaultDaemonSetStrategy } from './strategy';
import type { DaemonSetUpdateStrategy, DaemonSetUpdateStrategySpec } from './types';
import { DAEMON_SET_SPEC } from './spec';
import { validateDaemonSet } from './validation';
import { COUNTS_UNREADY_OLD_PODS } from './versions';

/** A DaemonSet's update strategy, and whether the version counts unavailable old pods. */
export interface EffectiveDaemonSet extends EffectiveStrategy {
  readonly strategy: DaemonSetUpdateStrategy;
  readonly countsUnreadyOldPods: boolean;
}

type DaemonSetRuleContext = RuleContext<EffectiveDaemonSet>;

/** Returns the limits of a rolling update, or undefined for OnDelete. */
function limitsOf({ effective: { strategy } }: DaemonSetRuleContext) {
  return strategy.type === 'RollingUpdate' ? strategy.rollingUpdate : undefined;
}

function hasSurge(ruleContext: DaemonSetRuleContext): boolean {
  const maxSurge = limitsOf(ruleContext)?.maxSurge ?? 0;
  return maxSurge !== 0 && maxSurge !== '0%';
}

/** Computes the maxUnavailable that lets one pod be replaced in place. Nodes that never have an available pod use up the limit. */
function computeInPlaceLimit({ rollout }: DaemonSetRuleContext): number {
  if (rollout?.simulation.kind !== 'daemonset') return 1;
  const { nodes, waves } = rollout.simulation;
  return waves.length === 0
    ? 1
    : 1 +
        nodes -
        findMax(
          waves.map(({ available }) => available),
          0,
        );
}

/** Reports surge if no second pod fits on a node. This deadlocks the rollout regardless of capacity. */
function checkSurgeHostPort(ruleContext: DaemonSetRuleContext): Finding[] {
  return hasSurge(ruleContext)
    ? checkDaemonSetSurgeHostPort(ruleContext.workload, ruleContext.rollout?.surge ?? 0, computeInPlaceLimit(ruleContext))
    : [];
}

function checkHeadroom(ruleContext: DaemonSetRuleContext): Finding[] {
  const { workload, rollout, capacity } = ruleContext;
  const limits = limitsOf(ruleContext);
  if (!limits || !rollout || !hasSurge(ruleContext) || checkSurgeHostPort(ruleContext).length > 0) return [];
  return checkSurgeNeedsHeadroom(workload, rollout, limits.maxUnavailable, capacity, computeInPlaceLimit(ruleContext));
}

function checkOutage(ruleContext: DaemonSetRuleContext): Finding[] {
  const limits = limitsOf(ruleContext);
  const { workload, rollout, capacity } = ruleContext;
  // Nodes that are down are already reported, and a lower limit would not help.
  if (checkNodesDown(ruleContext).length > 0) return [];
  return limits && rollout ? checkRollingUpdateOutage(workload, rollout, limits.maxUnavailable, rollout.unavailable, capacity) : [];
}

function checkNodesDown({ rollout }: DaemonSetRuleContext): Finding[] {
  return rollout?.simulation.kind === 'daemonset' ? checkDaemonSetNodesDown(rollout.simulation) : [];
}

const CHECKS: PodRuleTable<EffectiveDaemonSet, 'daemonset-nodes-down' | 'daemonset-surge-host-port'> = {
  'daemonset-nodes-down': checkNodesDown,
  'daemonset-surge-host-port': checkSurgeHostPort,
  'surge-needs-headroom': checkHeadroom,
  fencepost: createNotApplicable('both limits are rounded up, so they are both 0 only without nodes'),
  outage: checkOutage,
  'hpa-owns-replicas': createNotApplicable('a DaemonSet has no replicas'),
  'foreign-owner': ({ strategyObject, workload }) => checkForeignOwner(strategyObject, workload.strategyPath),
};

/** Counts the pods for an input without nodes: on the number of nodes that the user gives, or else as the status says. */
function countPodsWithoutNodes(
  daemonSet: unknown,
  { namespace, name }: Pick<Workload, 'namespace' | 'name'>,
  { daemonSetNodes = {} }: PlanContext,
): PodCount {
  const given = getOwnValue(daemonSetNodes, formatStartupKey({ kind: 'DaemonSet', namespace, name }));
  if (given !== undefined && Number.isSafeInteger(given) && given >= 0) return { steady: given, initialState: { replicas: given } };
  const scheduled = getValueAt(daemonSet, 'status', 'desiredNumberScheduled');
  return { steady: Number.isSafeInteger(scheduled) && (scheduled as number) >= 0 ? (scheduled as number) : 0 };
}

/** Pod counts of DaemonSets on the nodes of a plan, by their requirements on a node. */
const podCountsByNodeRules = memoizePerPlan(() => new Map<string, PodCount>());

/** The DaemonSet kind. */
export const DAEMON_SET: RolloutKind<EffectiveDaemonSet, DaemonSetSimulation> = {
  system: 'kubernetes',
  kind: 'DaemonSet',
  apiVersion: 'apps/v1',
  hasScale: false,
  names: KUBERNETES_FIELD_NAMES,
  strategyPath: toFieldPath`spec.updateStrategy`,
  revisionLabel: 'controller-revision-hash',
  traits: { hasSurge: true, onePerNode: true },
  podTemplate: addDaemonTolerations,
  validationSpec: { spec: DAEMON_SET_SPEC, strategyField: 'updateStrategy', name: 'dns-subdomain' },
  validate: (daemonSet) => validateDaemonSet(daemonSet),
  resolveStrategy: (daemonSet, { kubernetes }) => {
    // `validate` has checked the types.
    const specified = getFieldsAt(daemonSet, 'spec').updateStrategy as DaemonSetUpdateStrategySpec | null | undefined;
    const strategy = defaultDaemonSetStrategy(specified);
    return {
      strategy,
      provenance: buildDaemonSetProvenance(specified, strategy, toFieldPath`spec.updateStrategy`),
      countsUnreadyOldPods: getValueAtVersion<boolean>(COUNTS_UNREADY_OLD_PODS, kubernetes),
    };
  },
  count: (daemonSet, pods, context: PlanContext) => {
    const pools = nodePoolsOf(context);
    if (pools.length === 0) return countPodsWithoutNodes(daemonSet, pods, context);
    // Most DaemonSets have the same requirements on a node (none), so all of these share one count.
    const counts = podCountsByNodeRules(context);
    const cache = planCacheOf(context);
    const key = JSON.stringify([nodeRulesOf(pods, cache).key, getValueAt(pods.template, 'spec', 'nodeName')]);
    const count = counts.get(key) ?? {
      steady: countDaemonPodsOn(pods, pools, cache),
      initialState: computeInitialDaemonSetState(pods, pools, cache),
    };
    counts.set(key, count);
    return count;
  },
  isPaused: () => false,
  countPinnedPods: (daemonSet) => (getValueAt(daemonSet, 'spec', 'updateStrategy', 'type') === 'OnDelete' ? Infinity : 0),
  resumeCondition: () => 'its pods are deleted',
  deadline: () => undefined,
  ignoresReadiness: ({ strategy }) => strategy.type === 'OnDelete',
  simulate: ({ strategy, countsUnreadyOldPods }, initialState) => simulateDaemonSet(strategy, initialState, countsUnreadyOldPods),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ peakPods, surge, unavailable }) => ({ unit: 'wave', peakPods, surge, unavailable }),
  outcome: ({ strategy, countsUnreadyOldPods }, simulation, capacity, _areRejected, initialState) =>
    computeDaemonSetOutcome(simulation, capacity, () =>
      simulateDaemonSet(strategy, withUnschedulablePods(initialState, capacity), countsUnreadyOldPods),
    ),
  outcomeOnNodes: ({ strategy, countsUnreadyOldPods }, simulation, tooSmall, initialState) =>
    computeOutcomeOnUndersizedNodes(simulation, () =>
      simulateDaemonSet(strategy, withUnschedulablePods(initialState, initialState.replicas - tooSmall), countsUnreadyOldPods),
    ),
  simulateUntilDeadlock: ({ strategy, countsUnreadyOldPods }, simulation, delay, initialState) =>
    simulation.surge > 0 && delay.nodesTooSmall === undefined
      ? truncateAtDeadlock(simulation, 1)
      : markCapacityDeadlock(simulateDaemonSet(strategy, withUnschedulablePods(initialState, delay.podsWithRoom), countsUnreadyOldPods)),
  simulateWithin: (_effective, simulation, limits, initialState) => simulateDaemonSetWithin(simulation, initialState, limits),
  duration: (_effective, simulation, seconds, capacity) => computeDaemonSetDuration(simulation, seconds, capacity),
  withStrategy: (effective, strategy) => ({ ...effective, strategy: defaultDaemonSetStrategy(strategy as DaemonSetUpdateStrategySpec) }),
  checkRules: (ruleContext) => runChecks(CHECKS, ruleContext),
};

import type { InitialState } from '../../cluster/rollout/initial-state';
import { KUBERNETES_FIELD_NAMES } from '../../cluster/rollout/strategy-field-names';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, getValueAt } from '../../core/manifest/manifest';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { countPodsByReplicas } from '../replicas';
import { runChecks, createNotApplicable } from '../rule-table';
import type { PodRuleTable } from '../rule-table';
import type { RuleContext } from '../rule-context';
import type { RolloutKind } from '../rollout-kind';
import type { EffectiveStrategy } from '../effective-strategy';
import { checkForeignOwner } from '../rules/foreign-owner';
import { checkHpaOwnsReplicas } from '../rules/hpa-owns-replicas';
import { checkStatefulSetOutage } from '../rules/outage';
import { validateStatefulSetClaims, getClaimTemplateTraits } from './claims';
import { computeStatefulSetDuration } from './duration';
import type { StatefulSetDurationOptions } from './duration';
import { truncateStatefulSetAtDeadlock, computeStatefulSetOutcome } from './outcome';
import { buildStatefulSetProvenance } from './provenance';
import { checkStatefulSetMaxUnavailableDropped } from './rules/statefulset-max-unavailable-dropped';
import { checkStatefulSetPartitionHoldsAll } from './rules/statefulset-partition-holds-all';
import { simulateStatefulSetWithin } from './simulate-within';
import { simulateStatefulSet } from './simulate';
import type { PodManagement } from './simulate';
import { supportsStatefulSetMaxUnavailable, doesParallelAwaitMinReady, defaultStatefulSetStrategy } from './strategy';
import type { StatefulSetUpdateStrategy, StatefulSetUpdateStrategySpec } from './types';
import { STATEFUL_SET_SPEC } from './spec';
import { validateStatefulSet } from './validation';
import { toSafeNumber } from '../../core/text/value-text';

/** A StatefulSet's update strategy and pod management. */
export interface EffectiveStatefulSet extends EffectiveStrategy {
  readonly strategy: StatefulSetUpdateStrategy;
  readonly durationOptions: StatefulSetDurationOptions;
  readonly podManagement: PodManagement;
  /** The value in the manifest, even if the version drops the field. */
  readonly maxUnavailable: unknown;
}

type StatefulSetRuleContext = RuleContext<EffectiveStatefulSet>;

function checkPartition({ rollout, effective }: StatefulSetRuleContext): Finding[] {
  return rollout ? checkStatefulSetPartitionHoldsAll(effective.strategy.rollingUpdate?.partition ?? 0, rollout.replicas) : [];
}

const CHECKS: PodRuleTable<EffectiveStatefulSet, 'statefulset-max-unavailable-dropped' | 'statefulset-partition-holds-all'> = {
  'statefulset-max-unavailable-dropped': ({ effective, kubernetesVersion }) =>
    checkStatefulSetMaxUnavailableDropped(effective.maxUnavailable, kubernetesVersion),
  'statefulset-partition-holds-all': checkPartition,
  'surge-needs-headroom': createNotApplicable('a StatefulSet has no surge: its first pod is deleted before a new one is created'),
  fencepost: createNotApplicable('maxUnavailable never rounds to less than 1'),
  outage: checkStatefulSetOutage,
  'hpa-owns-replicas': checkHpaOwnsReplicas,
  'foreign-owner': ({ strategyObject, workload }) => checkForeignOwner(strategyObject, workload.strategyPath),
};

/** The StatefulSet kind. */
/**
 * Returns the old pods that run before the apply changes the replicas, if all of them are alike. The controller creates missing pods and deletes
 * surplus ones before it replaces others. Source: k/k stateful_set_control.go (`updateStatefulSet`).
 */
function getRunningBefore({ replicas, before = replicas, stateful = {} }: InitialState): number | undefined {
  const { pods, updatedFrom = before } = stateful;
  if (before > replicas) return pods ? undefined : before;
  const areAlike = pods ? pods.length === before && pods.every(({ available, isNew }) => available && !isNew) : updatedFrom >= before;
  return before < replicas && areAlike ? before : undefined;
}

export const STATEFUL_SET: RolloutKind<EffectiveStatefulSet, StatefulSetSimulation> = {
  system: 'kubernetes',
  kind: 'StatefulSet',
  apiVersion: 'apps/v1',
  hasScale: true,
  names: KUBERNETES_FIELD_NAMES,
  strategyPath: toFieldPath`spec.updateStrategy`,
  revisionLabel: 'controller-revision-hash',
  traits: { hasClaimTemplates: true },
  podTemplate: (template) => template,
  validationSpec: {
    spec: STATEFUL_SET_SPEC,
    strategyField: 'updateStrategy',
    name: 'dns-label',
    traits: getClaimTemplateTraits,
    validateSpec: validateStatefulSetClaims,
  },
  validate: (statefulSet, { kubernetes }) => validateStatefulSet(statefulSet, kubernetes),
  resolveStrategy: (statefulSet, { kubernetes: version }) => {
    const spec = getFieldsAt(statefulSet, 'spec');
    // `validate` has checked the types.
    const specified = spec.updateStrategy as StatefulSetUpdateStrategySpec | null | undefined;
    const strategy = defaultStatefulSetStrategy(specified, version);
    const firstOrdinal = getValueAt(spec, 'ordinals', 'start');
    const isParallel = spec.podManagementPolicy === 'Parallel';
    return {
      strategy,
      provenance: buildStatefulSetProvenance(specified, strategy, toFieldPath`spec.updateStrategy`),
      durationOptions: { startsInOrder: !isParallel, ignoresMinReady: isParallel && !doesParallelAwaitMinReady(version) },
      podManagement: {
        firstOrdinal: typeof firstOrdinal === 'number' ? firstOrdinal : 0,
        isParallel,
        countsUnavailable: supportsStatefulSetMaxUnavailable(version),
      },
      maxUnavailable: specified?.rollingUpdate?.maxUnavailable,
    };
  },
  count: (statefulSet, _pods, context) => countPodsByReplicas(statefulSet, context),
  isPaused: () => false,
  countPinnedPods: (statefulSet, replicas) => {
    const { type, rollingUpdate } = getFieldsAt(statefulSet, 'spec', 'updateStrategy');
    const partition = toSafeNumber(getValueAt(rollingUpdate, 'partition') ?? 0);
    return type === 'OnDelete' || partition >= replicas ? Infinity : partition;
  },
  resumeCondition: (statefulSet) =>
    getValueAt(statefulSet, 'spec', 'updateStrategy', 'type') === 'OnDelete' ? 'its pods are deleted' : 'its partition is lowered',
  deadline: () => undefined,
  startsInOrder: ({ durationOptions }) => durationOptions.startsInOrder,
  ignoresReadiness: ({ strategy }) => strategy.type === 'OnDelete',
  simulate: ({ strategy, podManagement }, { replicas, before, stateful }) =>
    simulateStatefulSet(strategy, replicas, podManagement, { ...stateful, before }),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ replicas, minAvailable }) => ({
    unit: 'batch',
    peakPods: replicas,
    surge: 0,
    unavailable: Math.max(1, replicas - minAvailable),
  }),
  outcome: (_effective, simulation, capacity, _areRejected, { replicas, before = replicas }) =>
    computeStatefulSetOutcome(simulation, capacity, before),
  simulateUntilDeadlock: (_effective, simulation, _delay, { replicas, before = replicas }) =>
    truncateStatefulSetAtDeadlock(simulation, before),
  runningBefore: getRunningBefore,
  simulateWithin: (_effective, simulation, limits, { before }) => simulateStatefulSetWithin(simulation, limits, before),
  duration: ({ durationOptions }, simulation, seconds, capacity) =>
    computeStatefulSetDuration(simulation, seconds, durationOptions, capacity),
  withStrategy: (effective, strategy) => ({ ...effective, strategy: strategy as StatefulSetUpdateStrategy }),
  checkRules: (ruleContext) => runChecks(CHECKS, ruleContext),
};

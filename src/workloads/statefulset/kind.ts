import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, valueAt } from '../../core/manifest';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { podsByReplicas } from '../replicas';
import { checked, notFor } from '../checks';
import type { CheckTable } from '../checks';
import type { Review } from '../review';
import type { RolloutKind } from '../rollout-kind';
import type { Settled } from '../settled';
import { foreignOwnerFindings } from '../rules/foreign-owner';
import { autoscaledReplicasFindings } from '../rules/hpa-owns-replicas';
import { readinessFindings } from '../rules/no-readiness-probe';
import { orderedOutageFindings } from '../rules/outage';
import { startupMetadataFindings } from '../rules/startup-annotation';
import { claimFindings, claimTemplateTraits } from './claims';
import { statefulSetDuration } from './duration';
import type { StatefulSetPace } from './duration';
import { haltedStatefulSet, statefulSetOutcome } from './outcome';
import { updateStrategyProvenance } from './provenance';
import { droppedFindings } from './rules/statefulset-max-unavailable-dropped';
import { partitionFindings } from './rules/statefulset-partition-holds-all';
import { simulateStatefulSet } from './simulate';
import type { StatefulSetManner } from './simulate';
import { keepsStatefulSetMaxUnavailable, parallelAwaitsMinReady, storedUpdateStrategy } from './strategy';
import type { StatefulSetUpdateStrategy, StatefulSetUpdateStrategySpec } from './types';
import { STATEFUL_SET_SPEC } from './spec';
import { statefulSetFindings } from './validation';

/** A StatefulSet's update strategy, and how it starts pods. */
export interface SettledStatefulSet extends Settled {
  readonly strategy: StatefulSetUpdateStrategy;
  readonly pace: StatefulSetPace;
  readonly manner: StatefulSetManner;
  /** As it is written, whether the version keeps it or not. */
  readonly maxUnavailable: unknown;
}

type StatefulSetReview = Review<SettledStatefulSet>;

function partition({ rollout, settled }: StatefulSetReview): Finding[] {
  return rollout ? partitionFindings(settled.strategy.rollingUpdate?.partition ?? 0, rollout.replicas) : [];
}

const CHECKS: CheckTable<SettledStatefulSet, 'statefulset-max-unavailable-dropped' | 'statefulset-partition-holds-all'> = {
  'statefulset-max-unavailable-dropped': ({ settled, kubernetesVersion }) => droppedFindings(settled.maxUnavailable, kubernetesVersion),
  'statefulset-partition-holds-all': partition,
  'surge-needs-headroom': notFor('a StatefulSet has no surge: its first pod goes before a new one comes'),
  fencepost: notFor('at least one pod is always replaced, and nothing else is a fencepost'),
  outage: orderedOutageFindings,
  'startup-annotation': startupMetadataFindings,
  'hpa-owns-replicas': autoscaledReplicasFindings,
  'no-readiness-probe': (review) => (review.settled.strategy.type === 'OnDelete' ? [] : readinessFindings(review)),
  'foreign-owner': ({ writtenInto, workload }) => foreignOwnerFindings(writtenInto, workload.strategyPath),
};

/** StatefulSets. */
export const STATEFUL_SET: RolloutKind<SettledStatefulSet, StatefulSetSimulation> = {
  system: 'kubernetes',
  kind: 'StatefulSet',
  apiVersion: 'apps/v1',
  hasScale: true,
  names: KUBERNETES_NAMES,
  strategyPath: at`spec.updateStrategy`,
  revisionLabel: 'controller-revision-hash',
  traits: { hasClaimTemplates: true },
  podTemplate: (template) => template,
  whole: { spec: STATEFUL_SET_SPEC, strategyField: 'updateStrategy', name: 'dns-label', traits: claimTemplateTraits, rules: claimFindings },
  validate: (statefulSet, { kubernetes }) => statefulSetFindings(statefulSet, kubernetes),
  settle: (statefulSet, { kubernetes: version }) => {
    const spec = fieldsAt(statefulSet, 'spec');
    // The types were checked by `validate`.
    const written = spec.updateStrategy as StatefulSetUpdateStrategySpec | null | undefined;
    const strategy = storedUpdateStrategy(written, version);
    const start = valueAt(spec, 'ordinals', 'start');
    const isParallel = spec.podManagementPolicy === 'Parallel';
    return {
      strategy,
      provenance: updateStrategyProvenance(written, strategy, at`spec.updateStrategy`),
      pace: { startsInOrder: !isParallel, ignoresMinReady: isParallel && !parallelAwaitsMinReady(version) },
      manner: {
        firstOrdinal: typeof start === 'number' ? start : 0,
        isParallel,
        countsUnavailable: keepsStatefulSetMaxUnavailable(version),
      },
      maxUnavailable: written?.rollingUpdate?.maxUnavailable,
    };
  },
  count: (statefulSet, _pods, context) => podsByReplicas(statefulSet, context),
  isHeld: () => false,
  heldPods: (statefulSet, replicas) => {
    const { type, rollingUpdate } = fieldsAt(statefulSet, 'spec', 'updateStrategy');
    const below = Number(valueAt(rollingUpdate, 'partition') ?? 0);
    return type === 'OnDelete' || below >= replicas ? Infinity : below;
  },
  heldUntil: (statefulSet) =>
    valueAt(statefulSet, 'spec', 'updateStrategy', 'type') === 'OnDelete' ? 'somebody deletes its pods' : 'its partition is lowered',
  deadline: () => undefined,
  startsInOrder: ({ pace }) => pace.startsInOrder,
  simulate: ({ strategy, manner }, { replicas, before, stateful }) =>
    simulateStatefulSet(strategy, replicas, manner, { ...stateful, before }),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ replicas, minAvailable }) => ({
    unit: 'batch',
    peakPods: replicas,
    surge: 0,
    unavailable: Math.max(1, replicas - minAvailable),
  }),
  outcome: (_settled, simulation, room, _areRefused, { replicas, before = replicas }) => statefulSetOutcome(simulation, room, before),
  haltedAt: (_settled, simulation, _delay, { replicas, before = replicas }) => haltedStatefulSet(simulation, before),
  duration: ({ pace }, simulation, seconds, room) => statefulSetDuration(simulation, seconds, pace, room),
  review: (review) => checked(CHECKS, review),
};

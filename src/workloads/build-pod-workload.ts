import { replicaRangeOf } from '../cluster/autoscaler';
import { serviceNameOf } from '../cluster/services';
import { KUBERNETES_FIELD_NAMES } from '../cluster/strategy-field-names';
import type { PlanContext } from '../cluster/context';
import type { PodChangeInput, InitialState } from '../cluster/initial-state';
import type { Workload } from '../cluster/workload';
import { appendToPath } from '../core/field-path';
import { resolveStartupSeconds } from '../core/startup-seconds';
import { getPodTimings } from './pod-timings';
import type { RuleContext } from './rule-context';
import { buildPodRollout } from './rollout-kind';
import type { PodCount, PodKind } from './rollout-kind';
import type { EffectiveStrategy } from './effective-strategy';

/** What is known of the pods of a rollout, whoever makes them. */
type WorkloadInputs = Pick<Workload, 'name' | 'namespace' | 'template' | 'podPath' | 'strategyPath'> &
  Partial<
    Pick<
      Workload,
      'sizePath' | 'names' | 'strategyOwner' | 'claims' | 'countOnly' | 'hasDefaultedResources' | 'replicaRange' | 'locateTemplate'
    >
  >;

/** What is known for the rules, beside the pods. */
type RuleInputs<S extends EffectiveStrategy> = Pick<RuleContext<S>, 'containers' | 'metadata'> &
  Partial<Pick<RuleContext<S>, 'deadline' | 'declaredReplicas' | 'strategyObject' | 'isPaused'>>;

/** An object that names every part of `T`, so that one which is forgotten does not compile. */
type Exhaustive<T> = { readonly [Part in keyof Required<T>]: T[Part] };

/** All of a workload but what its surroundings add. */
type StandaloneWorkload = Exhaustive<
  Omit<Workload, 'namespaceLabels' | 'running' | 'isNew' | 'isMaximumRaised' | 'hasConflictingDefaults'>
>;

/** A set of pods of a kind with all that is known of it. */
export interface RolloutInputs<S extends EffectiveStrategy> {
  readonly effective: S;
  readonly workload: WorkloadInputs;
  /** @default 0 */
  readonly minReadySeconds?: unknown;
  readonly count: PodCount;
  readonly ruleInputs: RuleInputs<S>;
}

/** With another number of pods than those that run, it starts at rest. */
function scaleInitialState(replicas: number, initialState: InitialState | undefined): InitialState {
  if (initialState === undefined || initialState.replicas === replicas) return { ...initialState, replicas };
  const { replicaSets: _, before: __, stateful: ___, canary: ____, ...others } = initialState;
  return { ...others, replicas };
}

/** The pods of an object as an apply leaves them and finds them; as they are where nothing is said of one. */
export function applyChangeToPodCount(count: PodCount, changed: PodChangeInput | undefined): PodCount {
  if (!changed) return count;
  const { initialState, ...others } = count;
  const steady = changed.replicas ?? count.steady;
  const replicas = changed.replicas ?? initialState?.replicas;
  if (!changed.rolls || replicas === undefined || (!initialState && !changed.start)) return { ...others, steady };
  return { ...others, steady, initialState: { ...initialState, ...changed.start, replicas } };
}

/** The pods of a rollout for its surroundings and its rules: of an object of apps/v1, or of what a controller makes of another object. */
export function buildPodWorkload<S extends EffectiveStrategy>(kind: PodKind<S>, inputs: RolloutInputs<S>, context: PlanContext): Workload {
  const { effective, count, minReadySeconds } = inputs;
  const { template, podPath, names = KUBERNETES_FIELD_NAMES, sizePath = appendToPath(podPath, 'containers') } = inputs.workload;
  const replicas = count.steady;
  const timingsOf = (startup: number) => getPodTimings(template, startup, minReadySeconds);
  const rolloutAt = (number: number) => buildPodRollout(kind, effective, scaleInitialState(number, count.initialState), timingsOf);
  const range = inputs.workload.replicaRange ?? replicaRangeOf(count.autoscaler, replicas);
  const { containers, metadata, isPaused, deadline, declaredReplicas, strategyObject } = inputs.ruleInputs;
  const rollout = count.initialState && rolloutAt(count.initialState.replicas);
  const startupSeconds = resolveStartupSeconds(template, context.startupSeconds) ?? 0;
  // Parts that come and go are undefined where they are not there, and each is named:
  // with those of `known.workload` and `kind.traits` spread, `check` of thousands of Deployments took a fifth longer.
  const workload: StandaloneWorkload = {
    kind: kind.kind,
    name: inputs.workload.name,
    namespace: inputs.workload.namespace,
    template,
    podPath,
    countOnly: inputs.workload.countOnly,
    hasDefaultedResources: inputs.workload.hasDefaultedResources,
    claims: inputs.workload.claims,
    locateTemplate: inputs.workload.locateTemplate,
    strategyPath: inputs.workload.strategyPath,
    strategyOwner: inputs.workload.strategyOwner,
    names,
    sizePath,
    addsReplicaSet: kind.traits.addsReplicaSet,
    hasClaimTemplates: kind.traits.hasClaimTemplates,
    hasSurge: kind.traits.hasSurge,
    canRecreate: kind.traits.canRecreate,
    onePerNode: kind.traits.onePerNode,
    revisionLabel: kind.revisionLabel,
    startsInOrder: kind.startsInOrder?.(effective),
    replicasPath: declaredReplicas?.path,
    replicas,
    replicaRange: range,
    rollout: isPaused ? undefined : rollout,
    rolloutAt,
    // Admission may have changed what the pods ask for since, so the rules look at the workload as it then is.
    review(capacity) {
      const service = serviceNameOf(this, context);
      const ruleContext: Exhaustive<RuleContext<S>> = {
        effective,
        workload: this,
        rollout,
        capacity,
        kubernetesVersion: context.versions.kubernetes,
        containers,
        service,
        metadata,
        startupSeconds,
        deadline,
        autoscaler: count.autoscaler,
        declaredReplicas,
        strategyObject,
        isPaused,
      };
      return kind.checkRules(ruleContext);
    },
  };
  return workload;
}

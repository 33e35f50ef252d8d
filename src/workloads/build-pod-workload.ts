import { replicaRangeOf } from '../cluster/autoscaling/autoscaler';
import type { LocatedTemplate, WrittenPods } from '../cluster/rollout/located-template';
import { serviceNameOf } from '../cluster/services/service-of-pods';
import { KUBERNETES_FIELD_NAMES } from '../cluster/rollout/strategy-field-names';
import type { PlanContext } from '../cluster/context/context';
import type { PodChangeInput, InitialState } from '../cluster/rollout/initial-state';
import type { CapacityKnowledge, Workload, WorkloadController } from '../cluster/rollout/workload';
import type { PodRollout } from '../cluster/rollout/pod-rollout';
import type { ExhaustiveFindings } from '../cluster/rollout/exhaustive-findings';
import type { Fields } from '../core/manifest/manifest';
import { appendToPath } from '../core/manifest/field-path';
import { getStartupDefault, resolveStartupSeconds } from '../core/values/startup-seconds';
import { getPodTimings } from './pod-timings';
import type { RuleContext } from './rule-context';
import { buildPodRollout } from './rollout-kind';
import type { KindTraits, PodCount, PodKind } from './rollout-kind';
import type { EffectiveStrategy } from './effective-strategy';

/** The known parts of the workload of a rollout, for pods of any controller. */
type WorkloadInputs = Pick<Workload, 'name' | 'namespace' | 'template' | 'podPath' | 'strategyPath'> &
  Partial<
    Pick<
      Workload,
      | 'sizePath'
      | 'names'
      | 'strategyOwner'
      | 'claims'
      | 'claimTemplates'
      | 'claimTemplateSpecs'
      | 'countOnly'
      | 'hasDefaultedResources'
      | 'replicaRange'
      | 'locateTemplate'
      | 'controlsTermination'
    >
  >;

/** The inputs of the rules, in addition to the pods. */
type RuleInputs = Pick<RuleContext, 'deadline' | 'declaredReplicas' | 'strategyObject' | 'isPaused'>;

/** An object that lists every member of `T`, so that a missing one does not compile. */
type Exhaustive<T> = { readonly [Part in keyof Required<T>]: T[Part] };

/** A workload without the fields that other objects in the cluster add. */
type StandaloneWorkload = Exhaustive<
  Omit<
    Workload,
    | 'addedConstraints'
    | 'namespaceLabels'
    | 'running'
    | 'isNew'
    | 'kept'
    | 'isMaximumRaised'
    | 'hasConflictingDefaults'
    | 'hasKnownRuntimeClass'
    | 'exclusiveClaims'
    | 'oldTemplate'
    | 'owner'
  >
>;

/** The inputs from which the workload of a rollout is built. */
export interface RolloutInputs<S extends EffectiveStrategy> {
  readonly effective: S;
  readonly workload: WorkloadInputs;
  /** @default 0 */
  readonly minReadySeconds?: unknown;
  readonly count: PodCount;
  /** The pods as their user writes them. @default - the template is not known */
  readonly writtenPods?: () => WrittenPods;
  readonly ruleInputs?: RuleInputs;
}

/** Returns the initial state for a number of pods. If it differs from the number that runs, the rollout starts from a steady state. */
function scaleInitialState(replicas: number, initialState: InitialState | undefined): InitialState {
  if (initialState === undefined || initialState.replicas === replicas) return { ...initialState, replicas };
  const { replicaSets: _, before: __, stateful: ___, canary: ____, ...others } = initialState;
  return { ...others, replicas };
}

/** Returns the pod count of an object before and after an apply. It is unchanged if there is no apply. */
export function applyChangeToPodCount(count: PodCount, changed: PodChangeInput | undefined): PodCount {
  if (!changed) return count;
  const { initialState, ...others } = count;
  const steady = changed.replicas ?? count.steady;
  const replicas = changed.replicas ?? initialState?.replicas;
  if (!changed.rolls || replicas === undefined || (!initialState && !changed.start)) return { ...others, steady };
  return { ...others, steady, initialState: { ...initialState, ...changed.start, replicas } };
}

/** Reports whether there is no pod, or a single one that must be deleted before its successor is created. */
function isOnlyPodReplaced(rollout: PodRollout | undefined, hasSurge: boolean | undefined, { headroom }: CapacityKnowledge): boolean {
  if (!rollout || rollout.replicas > 1) return false;
  return rollout.replicas === 0 || (rollout.leastAvailable === 0 && (!hasSurge || headroom().obstacle !== undefined));
}

/** The controller of pods of one kind. One object with shared methods per workload: functions for each of thousands take more memory. */
class PodController<S extends EffectiveStrategy> implements WorkloadController {
  constructor(
    private readonly kind: PodKind<S>,
    private readonly inputs: Pick<RolloutInputs<S>, 'effective' | 'minReadySeconds' | 'count' | 'writtenPods' | 'ruleInputs'>,
    private readonly template: Fields,
    private readonly context: PlanContext,
  ) {}

  get traits(): KindTraits {
    return this.kind.traits;
  }

  get acceptsStrategies(): boolean {
    return this.kind.withStrategy !== undefined;
  }

  rolloutAt(replicas: number, strategy?: unknown): PodRollout {
    const { kind, template, inputs } = this;
    const { effective, count, minReadySeconds } = inputs;
    return buildPodRollout(
      kind,
      strategy === undefined ? effective : kind.withStrategy!(effective, strategy),
      scaleInitialState(replicas, count.initialState),
      (startup) => getPodTimings(template, startup, minReadySeconds),
    );
  }

  podTemplates(workload: Workload, capacity: CapacityKnowledge): readonly LocatedTemplate[] {
    const { kind, context } = this;
    const { effective, writtenPods } = this.inputs;
    if (!writtenPods) return [];
    const { containers, metadata, sourceObject, service } = writtenPods();
    const located: Exhaustive<LocatedTemplate> = {
      // Admission may have changed the requests of the pods since, so the rules read the current workload.
      template: workload.template,
      podPath: workload.podPath,
      containers,
      metadata,
      sourceObject,
      service: serviceNameOf(workload, context) ?? service,
      controlsTermination: workload.controlsTermination,
      awaitsReadiness:
        !kind.ignoresReadiness?.(effective) && !isOnlyPodReplaced(this.startedRollout(workload), kind.traits.hasSurge, capacity),
    };
    return [located];
  }

  review(workload: Workload, capacity: CapacityKnowledge, templates: readonly LocatedTemplate[]): ExhaustiveFindings {
    const { kind, context } = this;
    const { effective, count, ruleInputs } = this.inputs;
    const { isPaused, deadline, declaredReplicas, strategyObject } = ruleInputs ?? {};
    const ruleContext: Exhaustive<RuleContext<S>> = {
      effective,
      workload,
      rollout: this.startedRollout(workload),
      capacity,
      kubernetesVersion: context.versions.kubernetes,
      podTemplates: () => templates,
      startupSeconds: resolveStartupSeconds(this.template, getStartupDefault(workload, context)) ?? 0,
      deadline,
      autoscaler: count.autoscaler,
      declaredReplicas,
      strategyObject,
      isPaused,
    };
    return kind.checkRules(ruleContext);
  }

  /** Returns the rollout that starts once the workload is not paused. */
  private startedRollout({ rollout }: Workload): PodRollout | undefined {
    const { initialState } = this.inputs.count;
    return rollout ?? (initialState && this.rolloutAt(initialState.replicas));
  }
}
/**
 * Builds the workload of a rollout, for the other objects in the cluster and for the rules. Its pods belong to an apps/v1 object or to
 * any controller.
 */
export function buildPodWorkload<S extends EffectiveStrategy>(kind: PodKind<S>, inputs: RolloutInputs<S>, context: PlanContext): Workload {
  const { count } = inputs;
  const { template, podPath, names = KUBERNETES_FIELD_NAMES, sizePath = appendToPath(podPath, 'containers') } = inputs.workload;
  const { effective, minReadySeconds, writtenPods, ruleInputs } = inputs;
  const controller = new PodController(kind, { effective, minReadySeconds, count, writtenPods, ruleInputs }, template, context);
  const { initialState } = count;
  // Optional members are set to undefined and listed one by one:
  // with `inputs.workload` spread instead, `check` of thousands of Deployments took a fifth longer.
  const workload: StandaloneWorkload = {
    kind: kind.kind,
    name: inputs.workload.name,
    namespace: inputs.workload.namespace,
    template,
    podPath,
    countOnly: inputs.workload.countOnly,
    hasDefaultedResources: inputs.workload.hasDefaultedResources,
    claims: inputs.workload.claims,
    claimTemplates: inputs.workload.claimTemplates,
    claimTemplateSpecs: inputs.workload.claimTemplateSpecs,
    controlsTermination: inputs.workload.controlsTermination,
    locateTemplate: inputs.workload.locateTemplate,
    strategyPath: inputs.workload.strategyPath,
    strategyOwner: inputs.workload.strategyOwner,
    names,
    sizePath,
    onePerNode: kind.traits.onePerNode,
    revisionLabel: kind.revisionLabel,
    startsInOrder: kind.startsInOrder?.(effective),
    replicasPath: ruleInputs?.declaredReplicas?.path,
    replicas: count.steady,
    replicaRange: inputs.workload.replicaRange ?? replicaRangeOf(count.autoscaler, count.steady),
    rollout: initialState && !ruleInputs?.isPaused ? controller.rolloutAt(initialState.replicas) : undefined,
    controller,
  };
  return workload;
}

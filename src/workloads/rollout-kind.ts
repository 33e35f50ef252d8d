import type { Autoscaler } from '../cluster/autoscaling/autoscaler';
import type { ExhaustiveFindings } from '../cluster/rollout/exhaustive-findings';
import type { PlanContext } from '../cluster/context/context';
import { areAllPodsDown } from '../cluster/rollout/initial-state';
import type { InitialState } from '../cluster/rollout/initial-state';
import type { LimitedRun, RunLimits } from '../cluster/rollout/limited-run';
import type { StrategyFieldNames, StrategyOwner } from '../cluster/rollout/strategy-field-names';
import type { PodRollout, CapacityDelay, CapacityOutcome } from '../cluster/rollout/pod-rollout';
import type { PodSet } from '../cluster/rollout/pod-set';
import type { Workload, WorkloadTraits } from '../cluster/rollout/workload';
import type { FieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { RolloutDuration, SystemName } from '../core/document/rollout';
import type { Simulation } from '../core/simulations/simulation';
import type { Versions } from '../core/values/versions';
import type { PodTimings } from './pod-timings';
import type { InputTemplate } from './pod-template';
import type { ProgressDeadline, RuleContext } from './rule-context';
import type { EffectiveStrategy } from './effective-strategy';
import type { WorkloadValidationSpec } from './workload-validation';

/** The number of pods that an object runs, and the autoscaler that may change it. */
export interface PodCount {
  /** Pods that run, if known. */
  readonly steady: number;
  /** The initial state. Undefined if it is unknown, as for a DaemonSet without nodes in the input. There is no rollout then. */
  readonly initialState?: InitialState;
  readonly autoscaler?: Autoscaler;
}

/** The pods that a rollout needs over time. */
export type PodsOverTime = Pick<PodRollout, 'unit' | 'peakPods' | 'surge' | 'unavailable' | 'waitsForAllNew' | 'evicts'>;

/** The properties that every object of a kind shares and that other objects in the cluster depend on. */
export type KindTraits = WorkloadTraits & Pick<Workload, 'onePerNode'>;

/** A kind of pods that a controller replaces, for the cluster checks and the rules. The pods may belong to any object. */
export interface PodKind<S extends EffectiveStrategy = EffectiveStrategy, Sim extends Simulation = Simulation> {
  /** `Deployment` */
  readonly kind: string;
  /** The label that its controller sets on the pods of one revision. */
  readonly revisionLabel: string;
  readonly traits: KindTraits;
  /** Reports whether a pod starts only once the pods before it are available. @default - all start at once */
  startsInOrder?(effective: S): boolean;
  /** Reports whether no step of a rollout waits until a pod is ready, as with type Recreate or OnDelete. @default - every step waits */
  ignoresReadiness?(effective: S): boolean;
  /** Simulates its controller, row by row. */
  simulate(effective: S, initialState: InitialState): Sim;
  /** Returns the lowest number of available pods at any time. */
  leastAvailable(simulation: Sim): number;
  podsOverTime(simulation: Sim): PodsOverTime;
  /**
   * Computes the outcome of the rollout while at most `capacity` of its pods run at once.
   *
   * @param areRejected whether further pods are refused, instead of waiting for a node
   */
  outcome(effective: S, simulation: Sim, capacity: number, areRejected: boolean | undefined, initialState: InitialState): CapacityOutcome;
  /** Computes the outcome if `tooSmall` nodes are too small for its pod. @default - there is not one pod per node */
  outcomeOnNodes?(effective: S, simulation: Sim, tooSmall: number, initialState: InitialState): CapacityOutcome;
  /** Simulates the rows up to the deadlock for lack of capacity. @default - the rows follow from the capacity */
  simulateUntilDeadlock?(effective: S, simulation: Sim, delay: CapacityDelay, initialState: InitialState): Sim;
  /** Simulates the rollout under limits. Returns undefined if its initial state is not supported. @default - it is not simulated so */
  simulateWithin?(effective: S, simulation: Sim, limits: RunLimits, initialState: InitialState): LimitedRun<Sim> | undefined;
  /** Returns the old pods that run before the same apply changes the replicas, if all are alike. @default - changed replicas are not compared */
  runningBefore?(initialState: InitialState): number | undefined;
  /** Computes how long the rollout waits for its pods. Returns undefined if none is replaced. */
  duration(effective: S, simulation: Sim, seconds: PodTimings, capacity?: CapacityDelay): RolloutDuration | undefined;
  /**
   * Returns the settings with another strategy, as the API server stores it, and everything else unchanged. @default - its user cannot
   * choose a strategy
   */
  withStrategy?(effective: S, strategy: unknown): S;
  /** Runs its rules. */
  checkRules(ruleContext: RuleContext<S>): ExhaustiveFindings;
}

/**
 * A kind of object whose pods its own controller replaces, planned by `planWorkload`: the kinds of workload,
 * and those of a system whose resource is like one.
 *
 * Every method is required unless it is marked optional, so that an incomplete kind does not compile.
 */
export interface ObjectKind<S extends EffectiveStrategy = EffectiveStrategy, Sim extends Simulation = Simulation> extends PodKind<S, Sim> {
  /** The system that its rollouts are listed under. */
  readonly system: SystemName;
  /** Whether it has a scale subresource, so that an autoscaler can target it. */
  readonly hasScale: boolean;
  /** The field names of its rolling update limits, and the level that contains them. */
  readonly names: StrategyFieldNames;
  /** `spec.strategy` */
  readonly strategyPath: FieldPath;
  /** The owner that sets the strategy regardless of the object. @default - the user of the object */
  readonly strategyOwner?: StrategyOwner;
  /** Returns the pod template, or undefined if it is in an object outside the input. @default - the template of the object itself */
  templateOf?(object: Manifest, context: PlanContext): InputTemplate | undefined;
  /** Returns the pod template with the changes that its controller makes. */
  podTemplate(template: Fields): Fields;
  /** The validation of the rest of the object. */
  readonly validationSpec: WorkloadValidationSpec;
  /** Reports everything that a version refuses or drops in the rollout of an object. `validationSpec` covers the rest of the object. */
  validate(object: Manifest, versions: Versions): readonly Finding[];
  /** Resolves the strategy that is stored. The object has passed `validate`. */
  resolveStrategy(object: Manifest, versions: Versions): S;
  /** Counts the pods that run. */
  count(object: Manifest, pods: PodSet & Pick<Workload, 'kind' | 'name'>, context: PlanContext): PodCount;
  /** Reports whether nothing rolls out now, for example because a Deployment is paused. */
  isPaused(object: Manifest): boolean;
  /** Returns the deadline after which a rollout without progress counts as failed, or undefined if there is none. */
  deadline(spec: Fields): ProgressDeadline | undefined;
}

/**
 * A kind of workload of apps/v1. Each has a folder, and this is everything that the rest of the code needs to know about it.
 *
 * Workloads that other controllers create (the Deployments of KServe or of an operator) are planned the same way.
 */
export interface RolloutKind<S extends EffectiveStrategy = EffectiveStrategy, Sim extends Simulation = Simulation> extends ObjectKind<
  S,
  Sim
> {
  /** The supported group and version: `apps/v1`. */
  readonly apiVersion: string;
  /**
   * Counts the pods of a stored object with `replicas` pods that its strategy keeps on their current version: those below a partition.
   * Returns Infinity if the object is configured so that its controller replaces none.
   */
  countPinnedPods(stored: Manifest, replicas: number): number;
  /** Returns what must happen before the controller replaces a pod again, as text after "until": `it is resumed`. */
  resumeCondition(stored: Manifest): string;
}

/** Builds the rollout of a kind for the cluster checks. */
export function buildPodRollout<S extends EffectiveStrategy, Sim extends Simulation>(
  kind: PodKind<S, Sim>,
  effective: S,
  initialState: InitialState,
  timingsOf: (startupSeconds: number) => PodTimings,
): PodRollout {
  const simulation = kind.simulate(effective, initialState);
  const { unit, peakPods, surge, unavailable, waitsForAllNew, evicts } = kind.podsOverTime(simulation);
  const runningBefore = kind.runningBefore?.(initialState);
  return {
    unit,
    peakPods,
    surge,
    unavailable,
    waitsForAllNew,
    ...(evicts && { evicts }),
    simulation,
    replicas: initialState.replicas,
    leastAvailable: kind.leastAvailable(simulation),
    ...(runningBefore !== undefined && { runningBefore }),
    ...(areAllPodsDown(initialState) && { isDownBefore: true }),
    outcome: (capacity, areRejected) => kind.outcome(effective, simulation, capacity, areRejected, initialState),
    outcomeOnNodes: kind.outcomeOnNodes && ((tooSmall) => kind.outcomeOnNodes!(effective, simulation, tooSmall, initialState)),
    haltedAt: kind.simulateUntilDeadlock && ((delay) => kind.simulateUntilDeadlock!(effective, simulation, delay, initialState)),
    runWithin: kind.simulateWithin && ((limits) => kind.simulateWithin!(effective, simulation, limits, initialState)),
    duration: (startupSeconds, capacity) => kind.duration(effective, simulation, timingsOf(startupSeconds), capacity),
  };
}

import type { Autoscaler } from '../cluster/autoscaler';
import type { ExhaustiveFindings } from '../cluster/exhaustive-findings';
import type { PlanContext } from '../cluster/context';
import type { InitialState } from '../cluster/initial-state';
import type { StrategyFieldNames, StrategyOwner } from '../cluster/strategy-field-names';
import type { PodRollout, PodSet, CapacityDelay, CapacityOutcome, Workload } from '../cluster/workload';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import type { Fields, Manifest } from '../core/manifest';
import type { RolloutDuration, SystemName } from '../core/rollout';
import type { Simulation } from '../core/simulations/simulation';
import type { Versions } from '../core/versions';
import type { PodTimings } from './pod-timings';
import type { LocatedTemplate } from './pod-template';
import type { ProgressDeadline, RuleContext } from './rule-context';
import type { EffectiveStrategy } from './effective-strategy';
import type { WorkloadValidationSpec } from './workload-validation';

/** The pods that an object runs, and who may change their number. */
export interface PodCount {
  /** Pods that run, as far as anything says so. */
  readonly steady: number;
  /** Undefined where it can't be known what runs, as of a DaemonSet without nodes in view: then there is no rollout to show. */
  readonly initialState?: InitialState;
  readonly autoscaler?: Autoscaler;
}

/** What a rollout asks of the cluster over time. */
export type PodsOverTime = Pick<PodRollout, 'unit' | 'peakPods' | 'surge' | 'unavailable' | 'waitsForAllNew' | 'evicts'>;

/** What is the same for every object of a kind, as far as the surroundings ask. */
export type KindTraits = Pick<Workload, 'addsReplicaSet' | 'hasClaimTemplates' | 'hasSurge' | 'canRecreate' | 'onePerNode'>;

/** A kind of pods that a controller replaces, as far as the surroundings and the rules see it, whatever object they are of. */
export interface PodKind<S extends EffectiveStrategy = EffectiveStrategy, Sim extends Simulation = Simulation> {
  /** `Deployment` */
  readonly kind: string;
  /** The label that its controller gives the pods of one revision. */
  readonly revisionLabel: string;
  readonly traits: KindTraits;
  /** Does a pod start only once those before it are available? @default - all start at once */
  startsInOrder?(effective: S): boolean;
  /** What its controller does, row by row. */
  simulate(effective: S, initialState: InitialState): Sim;
  /** Fewest pods available at any time. */
  leastAvailable(simulation: Sim): number;
  podsOverTime(simulation: Sim): PodsOverTime;
  /**
   * What becomes of the rollout while at most `room` of its pods run at once.
   *
   * @param areRefused are pods beyond them refused, and not only left waiting for a node?
   */
  outcome(effective: S, simulation: Sim, capacity: number, areRejected: boolean | undefined, initialState: InitialState): CapacityOutcome;
  /** What becomes of it where so many nodes do not take its pod at all. @default - its pods are not one a node */
  outcomeOnNodes?(effective: S, simulation: Sim, tooSmall: number, initialState: InitialState): CapacityOutcome;
  /** The rows up to where it stands still for want of room. @default - its room alone tells */
  simulateUntilDeadlock?(effective: S, simulation: Sim, delay: CapacityDelay, initialState: InitialState): Sim;
  /** How long it waits for its pods; undefined where none is replaced. */
  duration(effective: S, simulation: Sim, seconds: PodTimings, capacity?: CapacityDelay): RolloutDuration | undefined;
  /** What its rules say. */
  checkRules(ruleContext: RuleContext<S>): ExhaustiveFindings;
}

/**
 * A kind of object whose pods its own controller replaces, planned by `planWorkload`: the kinds of workload,
 * and those of a system whose resource is like one.
 *
 * Every method is asked for, so that a kind that forgets one does not compile.
 */
export interface ObjectKind<S extends EffectiveStrategy = EffectiveStrategy, Sim extends Simulation = Simulation> extends PodKind<S, Sim> {
  /** Under which its rollouts are shown. */
  readonly system: SystemName;
  /** Has it a subresource scale, so that an autoscaler finds it? */
  readonly hasScale: boolean;
  /** What its users call the limits of a rolling update, and whether they stand on a level of their own. */
  readonly names: StrategyFieldNames;
  /** `spec.strategy` */
  readonly strategyPath: FieldPath;
  /** Who decides the strategy, whatever the object says. @default - the object's user */
  readonly strategyOwner?: StrategyOwner;
  /** The pod template; undefined where it stands in an object that is not in view. @default - it is the object's own */
  templateOf?(object: Manifest, context: PlanContext): LocatedTemplate | undefined;
  /** The pod template as its controller makes pods of it. */
  podTemplate(template: Fields): Fields;
  /** What else of the object the API server judges, and by which fields. */
  readonly validationSpec: WorkloadValidationSpec;
  /** Everything that is refused in the rollout of an object, and what is dropped of it, by version; the rest of the object is `whole`. */
  validate(object: Manifest, versions: Versions): readonly Finding[];
  /** The strategy as it is stored; the object has passed `validate`. */
  resolveStrategy(object: Manifest, versions: Versions): S;
  /** The pods that run. */
  count(object: Manifest, pods: PodSet & Pick<Workload, 'kind' | 'name'>, context: PlanContext): PodCount;
  /** Does nothing roll out now, as while a Deployment is paused? */
  isPaused(object: Manifest): boolean;
  /** When a rollout without progress counts as failed; undefined where nothing ever notices. */
  deadline(spec: Fields): ProgressDeadline | undefined;
}

/**
 * A kind of workload of apps/v1: one folder, and all that the rest of the house needs to know of it.
 *
 * What a controller other than its own makes of it (KServe's Deployments, an operator's) goes the same way.
 */
export interface RolloutKind<S extends EffectiveStrategy = EffectiveStrategy, Sim extends Simulation = Simulation> extends ObjectKind<
  S,
  Sim
> {
  /** The group and version that are planned: `apps/v1`. */
  readonly apiVersion: string;
  /**
   * Pods of a stored object, of so many that are wanted, that its strategy keeps on the version that they have: those below a partition.
   * Infinity where its controller replaces none, and is told so.
   */
  countPinnedPods(stored: Manifest, replicas: number): number;
  /** Where it keeps all of them, what has to happen before it replaces one, as `until` goes on: `it is resumed`. */
  resumeCondition(stored: Manifest): string;
}

/** A rollout of a kind as the surroundings see it. */
export function buildPodRollout<S extends EffectiveStrategy, Sim extends Simulation>(
  kind: PodKind<S, Sim>,
  effective: S,
  initialState: InitialState,
  timingsOf: (startupSeconds: number) => PodTimings,
): PodRollout {
  const simulation = kind.simulate(effective, initialState);
  const { unit, peakPods, surge, unavailable, waitsForAllNew, evicts } = kind.podsOverTime(simulation);
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
    outcome: (capacity, areRejected) => kind.outcome(effective, simulation, capacity, areRejected, initialState),
    outcomeOnNodes: kind.outcomeOnNodes && ((tooSmall) => kind.outcomeOnNodes!(effective, simulation, tooSmall, initialState)),
    haltedAt: kind.simulateUntilDeadlock && ((delay) => kind.simulateUntilDeadlock!(effective, simulation, delay, initialState)),
    duration: (startupSeconds, capacity) => kind.duration(effective, simulation, timingsOf(startupSeconds), capacity),
  };
}

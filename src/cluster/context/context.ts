import type { DetectedApplier } from '../../appliers/detect-applier';
import type { AnyRule, Finding, Source } from '../../core/findings/finding';
import { describeObject, kindKeyOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ApplyEffect, ApplyRejection } from '../../core/document/change';
import type { Deadline } from '../../core/budget/deadline';
import { PlanCache } from '../../core/collections/plan-cache';
import type { OperatorResourceMap } from '../../core/sources/operator-resource-map';
import type { SystemName } from '../../core/document/rollout';
import type { InitialRolloutState } from '../../core/document/initial-state';
import type { Versions } from '../../core/values/versions';
import { formatKindKey } from '../kinds/context-kinds';
import type { ContextKind } from '../kinds/context-kinds';
import type { Capacity } from './capacity';
import type { PodChangeInput } from '../rollout/initial-state';
import type { SystemRollout } from '../rollout/system-rollout';

/** Everything that a system may read in addition to the object that it plans. */
export interface PlanContext {
  readonly versions: Versions;
  /** Objects of the planned unit, in input order: everything that one tool renders or applies together. */
  readonly objects: readonly Manifest[];
  /**
   * All objects of the complete input, for what is reported once per run. The same list for all units of a run, created again for each run.
   */
  readonly input: readonly Manifest[];
  /** Returns the objects of a kind that affect the unit's rollouts: its own first, then those around it, each name once. */
  all(kind: ContextKind): readonly Manifest[];
  /**
   * KServe's platform configuration passed by the user: the ConfigMap, or the JSON of its `deploy` key. Takes precedence over one in the
   * input.
   */
  readonly kserveConfig?: Fields;
  /**
   * Fleet's inventory passed by the user, in addition to the Clusters and ClusterGroups in the input: objects, Lists, or the compact form.
   */
  readonly clusters?: readonly unknown[];
  /** Names of clusters that never become ready, as name or namespace/name. */
  readonly neverReady?: readonly string[];
  /** Names of clusters that are down before the update starts, as name or namespace/name. */
  readonly notReadyNow?: readonly string[];
  /** Custom resources whose pods roll like those of a known kind, as the user says. @default - none */
  readonly operatorResources?: readonly OperatorResourceMap[];
  /** Capacity of the cluster for the workloads. Unset if it is not known. */
  readonly capacity?: Capacity;
  /** Seconds that a pod takes to become ready. */
  readonly startupSeconds: number;
  /** Measured seconds until pods are ready, by workload: `Deployment/shop/web`. @default - nothing is measured */
  readonly measuredStartupSeconds?: Readonly<Record<string, number>>;
  /** Nodes that the pods of a DaemonSet run on, by workload: `DaemonSet/shop/agent`. Nodes in view take precedence. @default - unknown */
  readonly daemonSetNodes?: Readonly<Record<string, number>>;
  /**
   * Returns what an apply does to the pods of an object, or of one of its components. @default - each object rolls out, from a steady state
   * on one old template
   */
  readonly changedPods?: (object: Manifest, component?: string) => PodChangeInput | undefined;
  /** Reports whether an apply creates a quota that counts a resource, or lowers its limit. @default - none does */
  readonly lowersQuota?: (quota: Manifest, resource: string) => boolean;
  /** Reports whether an apply creates an object or changes its stored state. @default - no apply is planned */
  readonly isChanged?: (object: Manifest) => boolean;
  /** Returns the tool that is assumed to write an object. Undefined for an object that nothing writes. @default - kubectl */
  readonly applierOf?: (object: Manifest) => DetectedApplier | undefined;
  /** Deadline for planning. @default - none */
  readonly deadline?: Deadline;
  /** Returns the source of a field of an object, if known. */
  locate(object: object, path: string): Source | undefined;
}

/** Kinds and options without which a system has nothing to say. */
export interface NeededContext {
  readonly kinds?: readonly ContextKind[];
  readonly options?: readonly ('kserveConfig' | 'clusters' | 'neverReady' | 'notReadyNow' | 'operatorResources')[];
}

/** A target system: one folder under `systems/`, one line in the registry of `plan/`. */
export interface RolloutSystem {
  readonly name: SystemName;
  /** Returns every rule that this system defines. It is lazy, so that the command line loads no rules for a file without findings. */
  readonly rules: () => readonly AnyRule[];
  /**
   * Returns an object of this system for a file that contains no Kubernetes object but is recognised by its name, such as a fleet.yaml.
   * Returns undefined for any other file. `content` is its first document, or an empty map for an empty file.
   */
  readonly fileKind?: (file: string, content: Fields) => Manifest | undefined;
  /** Reports whether this object is a rollout of this system. */
  recognises(object: Manifest): boolean;
  /**
   * Reports whether this system only guesses from a field of an object that a controller rolls out pods, so that a change of it is that of an
   * unknown kind. @default - it knows its kinds
   */
  isGuess?(object: Manifest): boolean;
  /**
   * Reports whether this system plans an object in its context although another system recognizes it, such as the target of a Flagger Canary.
   * It is asked before `recognises`. @default - it claims none
   */
  claims?(object: Manifest, context: PlanContext): boolean;
  /** What `claims`, `contextFindings` and `runFindings` read. They are asked only if some of it is in view. @default - they are always asked */
  readonly needsInView?: NeededContext;
  /**
   * Returns the findings of an object's rollouts about fields that its definition lacks in any or in the planned version.
   * @default - only a CRD shows them
   */
  droppedFields?(object: Manifest, versions: Versions): readonly Finding[];
  /** Returns the rollouts of an object. Their findings need no source, because the plan fills it in from the object. */
  plan(object: Manifest, context: PlanContext): SystemRollout[];
  /** Returns findings about context objects, with their source. They belong to no rollout. Called once per unit. */
  contextFindings?(context: PlanContext): Finding[];
  /** Returns findings that are reported once for all units of a run, such as what is assumed in units that lack an object. */
  runFindings?(units: readonly PlanContext[]): Finding[];
  /**
   * What a change to one of its objects, or to the objects it depends on, does to each of its rollouts. `pod-template` is for workloads,
   * whose effect follows from the template. `unknown` is for systems whose controller has not been analysed, which the plan of a change
   * then reports.
   */
  readonly effects:
    | ((old: ObjectInContext, next: ObjectInContext, isSameTemplate: TemplateEquality) => readonly SystemEffect[])
    | 'pod-template'
    | 'unknown';
  /**
   * Whether the pods of an object that it claims belong to another one, which is deleted together with the object through which it claims.
   *
   * @default false
   */
  readonly runsOtherPods?: true;
  /** Whether autoscalers scale its objects, as `effects` counts. @default false */
  readonly hasScale?: true;
  /** Whether its rollouts also follow from the data of the ConfigMaps and Secrets that their pods read. @default false */
  readonly tracksConfigs?: true;
  /**
   * Returns the object that provides the pod template of one of its objects, or that runs the pods of its template. Returns undefined if
   * neither is in the input.
   */
  readonly templateHolder?: (object: Manifest, context: PlanContext) => Manifest | undefined;
  /**
   * Returns the effect of a change to an object that others depend on, if it is more than a setting. Returns undefined for any other
   * object.
   */
  readonly contextEffect?: (old: ObjectInContext, next: ObjectInContext) => SystemEffect | undefined;
  /**
   * Reports whether an object that is created, changed or deleted, and on which others depend, may concern pods that no object in view shows.
   * @default - it concerns none
   */
  readonly concernsUnseenPods?: (changed: ChangedObject) => boolean;
  /** Returns findings about what is deleted together with one of its objects, in addition to its pods: data. */
  readonly deletedFindings?: (object: Manifest, context: PlanContext) => readonly Finding[];
  /** Returns the object of NEW with what the controller recorded on the object of OLD and uses from then on. */
  readonly withRecord?: (old: Manifest, next: Manifest) => Manifest;
}

/** An object on the sides of a change that have it: only `next` if it is new, only `old` if it is deleted. */
export interface ChangedObject {
  readonly old?: ObjectInContext;
  readonly next?: ObjectInContext;
}

/** An object of one side of a change, and its context there. */
export interface ObjectInContext {
  readonly object: Manifest;
  readonly context: PlanContext;
  /** Objects that its controllers created. @default - it was not read from a cluster */
  readonly live?: LiveObjects;
}

/** Objects that controllers created in a cluster, if known. */
export interface LiveObjects {
  /** Returns the objects of a kind that an object controls. */
  ownedBy(owner: Manifest, kind: string): readonly Manifest[];
}

/** Reports whether two pod templates are equal after the API server has filled in their defaults. */
export type TemplateEquality = (before: Fields, after: Fields) => boolean;

/** What a change does to one rollout of an object. */
export interface SystemEffect {
  /** Component of the rollout. @default - the object's only one */
  readonly component?: string;
  readonly effect: Extract<
    ApplyEffect,
    'refused' | 'roll' | 'roll-and-scale' | 'scale' | 'held' | 'settings' | 'metadata' | 'none' | 'unknown'
  >;
  /** Pods before and after. @default - from the plans of both sides */
  readonly replicas?: { readonly old: number; readonly next: number };
  /** Whether it rolls from a state that its simulation does not support, so that no rows are shown. @default false */
  readonly hasUnknownRows?: boolean;
  /** Pods that exist only while it rolls out, in addition to its own. @default 0 */
  readonly temporaryPods?: number;
  /**
   * Initial state of a rollout. @default - steady with `replicas.old` pods; each kind reads only the fields its controller distinguishes
   */
  readonly start?: PodChangeInput['start'];
  /** Current state of the cluster, to report. @default - unknown */
  readonly standing?: InitialRolloutState;
  /** Other objects that cause this effect, if it is not only caused by its own change. */
  readonly causedBy?: readonly Manifest[];
  /** What must happen before pods change, for a change that is held. It continues a sentence after "until": `it is resumed`. */
  readonly heldUntil?: string;
  /** Path and message of the refusal, for a change that is refused. */
  readonly refusal?: ApplyRejection;
  /** Clusters that it reaches. Unset if it reaches all. */
  readonly clusters?: readonly string[];
  /** Findings about the change that neither side shows on its own. */
  readonly findings?: readonly Finding[];
  /** Whether a webhook reverts all differences, so that the stored object does not change. @default false */
  readonly isTakenBack?: boolean;
}

function memoizeByKey<T>(derive: (context: PlanContext) => T, keyOf: (context: PlanContext) => object): (context: PlanContext) => T {
  const cache = new WeakMap<object, { readonly value: T }>();
  return (context) => {
    const key = keyOf(context);
    const cached = cache.get(key);
    if (cached) return cached.value;
    const value = derive(context);
    cache.set(key, { value });
    return value;
  };
}

/**
 * Memoizes a value that is derived from the complete context, such as an index, so that it is computed once per plan.
 *
 * The context is the key of a WeakMap, so nothing outlives the plan.
 */
export function memoizePerPlan<T>(derive: (context: PlanContext) => T): (context: PlanContext) => T {
  return memoizeByKey(derive, (context) => context);
}

/** Memoizes a value that is derived from parts of the context that every unit of a run shares. Its key is the list of the run's objects. */
export function memoizePerRun<T>(derive: (context: PlanContext) => T): (context: PlanContext) => T {
  return memoizeByKey(derive, ({ input }) => input);
}

/** Reports whether an object of a kind is in view. Most input has few kinds, so nothing is asked about the others. */
export function isKindInView(kind: ContextKind, context: PlanContext): boolean {
  return context.all(kind).length > 0;
}

/** Returns a function that reports whether the unit itself has an object of a kind by its name. A refused change leaves another one in its place. */
export function createOwnTest({ objects }: PlanContext, kind: ContextKind): (object: Manifest) => boolean {
  const names = new Set(objects.filter((object) => kindKeyOf(object) === formatKindKey(kind)).map(describeObject));
  return (object) => names.has(describeObject(object));
}

/** Returns the per-plan cache of values derived from pods and nodes. */
export const planCacheOf = memoizePerPlan(() => new PlanCache());

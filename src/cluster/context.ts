import type { AnyRule, Finding, Source } from '../core/finding';
import type { Fields, Manifest } from '../core/manifest';
import type { ApplyEffect, ApplyRejection } from '../core/change';
import type { Deadline } from '../core/deadline';
import type { SystemName } from '../core/rollout';
import type { InitialRolloutState } from '../core/initial-state';
import type { Versions } from '../core/versions';
import type { ContextKind } from './context-kinds';
import type { Capacity } from './capacity/capacity';
import type { PodChangeInput } from './initial-state';
import type { SystemRollout } from './workload';

/** All that a system may look at besides the object that it plans. */
export interface PlanContext {
  readonly versions: Versions;
  /** The objects of the unit that is planned, in input order: what one tool renders or applies together. */
  readonly objects: readonly Manifest[];
  /** Every object of the whole input, for what is said once a run: one list for all units, made anew each time. */
  readonly input: readonly Manifest[];
  /** The objects of a kind that the unit's rollouts are planned among: its own first, then those around it, each name once. */
  all(kind: ContextKind): readonly Manifest[];
  /** KServe's platform level as given by hand: the ConfigMap, or the JSON of its `deploy` key. Wins over one among the objects. */
  readonly kserveConfig?: Fields;
  /** Fleet's inventory as given by hand, beside the Clusters and ClusterGroups among the objects: objects, Lists, or the compact form. */
  readonly clusters?: readonly unknown[];
  /** Names of clusters that never get ready, alone or as namespace/name. */
  readonly neverReady?: readonly string[];
  /** Names of clusters that are down before the update starts, alone or as namespace/name. */
  readonly notReadyNow?: readonly string[];
  /** What the cluster has for the workloads; undefined where nobody says. */
  readonly capacity?: Capacity;
  /** Seconds that a pod takes to become ready. */
  readonly startupSeconds: number;
  /**
   * What an apply does to the pods of an object, or of one component of it. @default - each object rolls out, from one old template at rest
   */
  readonly changedPods?: (object: Manifest, component?: string) => PodChangeInput | undefined;
  /** Does an apply make a quota that counts a resource, or lower what it allows of it? @default - none does */
  readonly lowersQuota?: (quota: Manifest, resource: string) => boolean;
  /** Does an apply make an object, or change what the server holds of it? @default - none is planned */
  readonly isChanged?: (object: Manifest) => boolean;
  /** Until when planning may take. @default - as long as it takes */
  readonly deadline?: Deadline;
  /** Where a field of an object stands in the input, if that is known. */
  locate(object: object, path: string): Source | undefined;
}

/** A target system: one folder under `systems/`, one line in the registry of `plan/`. */
export interface RolloutSystem {
  readonly name: SystemName;
  /** Every rule that this system has of its own; asked for by few, so that the command line loads none of them for a file without findings. */
  readonly rules: () => readonly AnyRule[];
  /**
   * A file that holds no Kubernetes object and is one by its name, such as a fleet.yaml, as an object of this system; undefined for any other.
   * `content` is its first document, an empty map for an empty file.
   */
  readonly fileKind?: (file: string, content: Fields) => Manifest | undefined;
  /** Is this object a rollout of this system? */
  recognises(object: Manifest): boolean;
  /** The object's rollouts. Their findings need no source: the plan fills it in from the object. */
  plan(object: Manifest, context: PlanContext): SystemRollout[];
  /** Findings about context objects, which belong to no rollout; with their source. Called once a unit. */
  contextFindings?(context: PlanContext): Finding[];
  /** What is said once of all units of a run, such as what is assumed in those that lack an object. */
  runFindings?(units: readonly PlanContext[]): Finding[];
  /**
   * What a change of one of its objects, or of what it is planned among, does to each rollout of it. `pod-template` of workloads, whose template tells;
   * `unknown` where nobody has read what the controller does with a change, which the plan of a change then says.
   */
  readonly effects:
    | ((old: ObjectInContext, next: ObjectInContext, isSameTemplate: TemplateEquality) => readonly SystemEffect[])
    | 'pod-template'
    | 'unknown';
  /** The object that one of its objects takes its pod template from; undefined where it has its own, or that one is not in view. */
  readonly templateHolder?: (object: Manifest, context: PlanContext) => Manifest | undefined;
  /** What a change of an object that others are planned by leads to, where that is more than a setting; undefined for any other object. */
  readonly contextEffect?: (old: ObjectInContext, next: ObjectInContext) => SystemEffect | undefined;
  /** What goes with one of its objects that an apply deletes, beside its pods: data. */
  readonly deletedFindings?: (object: Manifest, context: PlanContext) => readonly Finding[];
  /** NEW's object with what the controller has recorded of OLD's and goes by from then on. */
  readonly withRecord?: (old: Manifest, next: Manifest) => Manifest;
}

/** An object of one side of a change, and what it is planned among there. */
export interface ObjectInContext {
  readonly object: Manifest;
  readonly context: PlanContext;
  /** What its controllers have made of it. @default - it was not read from a cluster */
  readonly live?: LiveObjects;
}

/** What controllers have made of the objects of a cluster, as far as it is in view. */
export interface LiveObjects {
  /** The objects of a kind that an object controls. */
  ownedBy(owner: Manifest, kind: string): readonly Manifest[];
}

/** Do two pod templates mean the same once the API server has filled in what they leave out? */
export type TemplateEquality = (before: Fields, after: Fields) => boolean;

/** What a change does to one rollout of an object. */
export interface SystemEffect {
  /** As the rollout has it. @default - the object's only one */
  readonly component?: string;
  readonly effect: Extract<
    ApplyEffect,
    'refused' | 'roll' | 'roll-and-scale' | 'scale' | 'held' | 'settings' | 'metadata' | 'none' | 'unknown'
  >;
  /** Pods before and after. @default - as the plan of either side has them */
  readonly replicas?: { readonly old: number; readonly next: number };
  /** Where a roll starts. @default - at rest with `replicas.old` pods, of which a kind takes what its controller tells apart */
  readonly start?: PodChangeInput['start'];
  /** Where the cluster stands, to be told. @default - nothing is known of it */
  readonly standing?: InitialRolloutState;
  /** The objects beside it that have this effect, where it is not its own change alone. */
  readonly causedBy?: readonly Manifest[];
  /** Of what is held, what has to happen before pods change, as `until` goes on: `it is resumed`. */
  readonly heldUntil?: string;
  /** Of what is refused, the path and the words of who says no. */
  readonly refusal?: ApplyRejection;
  /** The clusters that it reaches, where it does not reach all. */
  readonly clusters?: readonly string[];
  /** What is to be said of the change, which neither side alone shows. */
  readonly findings?: readonly Finding[];
  /** Does a webhook take back all that differs, so that nothing is stored otherwise? @default false */
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
 * Remembers a value that is derived from the whole context, such as an index, so that it is made once a plan.
 *
 * The context is the key and is held weakly: nothing outlives the plan.
 */
export function memoizePerPlan<T>(derive: (context: PlanContext) => T): (context: PlanContext) => T {
  return memoizeByKey(derive, (context) => context);
}

/** The same for what is derived from parts of the context that every unit of a run shares: its key is the list of the run's objects. */
export function memoizePerRun<T>(derive: (context: PlanContext) => T): (context: PlanContext) => T {
  return memoizeByKey(derive, ({ input }) => input);
}

import type { ResourceRef } from './rollout';
import type { Source } from './finding';

/** The ways in which NEW can reach the cluster, as `--apply` takes them. */
export const APPLY_MODES = ['client', 'server', 'helm', 'replace'] as const;

/** How NEW reaches the cluster: kubectl's three-way merge, field managers, Helm's last release, or a PUT. */
export type ApplyMode = (typeof APPLY_MODES)[number];

/**
 * What an apply can do to an object, the strongest first as far as several can hold of one; `create`, `delete` and `unknown` stand alone.
 *
 * `docs/change.md` says what each means.
 */
export const APPLY_EFFECTS = [
  'refused',
  'replace',
  'roll-and-scale',
  'roll',
  'held',
  'scale',
  'restart-needed',
  'settings',
  'metadata',
  'none',
  'create',
  'delete',
  'unknown',
] as const;

/** What an apply does to an object. */
export type ApplyEffect = (typeof APPLY_EFFECTS)[number];

/** What stands in the place of a value that nobody is to read. */
export const REDACTED_VALUE = '(secret)';

/** One stored field that differs. */
export interface FieldChange {
  /** As a person names it, items of a list with a key by that: `spec.template.spec.containers[web].image`. */
  readonly path: string;
  /** Absent where the field was not there. */
  readonly old?: unknown;
  /** Absent where the field is gone. */
  readonly new?: unknown;
  /** Are the values kept back? They are `(secret)` then. */
  readonly secret?: true;
}

/** Why nothing of an object changes, in the words of who says no. */
export interface ApplyRejection {
  /** As the server writes it; empty where it names none. */
  readonly path: string;
  /** What the server says behind the path. */
  readonly message: string;
}

/** How many pods are wanted of an object. */
export interface PodChange {
  /** Before the apply. */
  readonly before: number;
  /** Once it is done. */
  readonly after: number;
}

/** What an apply does to one object, and why. */
export interface ObjectChange {
  /** The object, as NEW names it. */
  readonly resource: ResourceRef;
  /** What happens to it. */
  readonly effect: ApplyEffect;
  /** Of what is held, what has to happen before pods change: `it is resumed`. */
  readonly heldUntil?: string;
  /** How it reaches the cluster. */
  readonly apply: ApplyMode;
  /** The stored fields that differ, those that decide first, at most 20; of what is refused those that would. */
  readonly because: readonly FieldChange[];
  /** Fields left out of `because`; absent when none is. */
  readonly elided?: number;
  /** Its pods before and after; absent where that is not known or the object has none. */
  readonly pods?: PodChange;
  /** The clusters that a Fleet bundle's change reaches, by name; absent where it reaches all, or they are not known. */
  readonly clusters?: readonly string[];
  /** The objects whose change has this effect, where it is not its own. */
  readonly causedBy?: readonly ResourceRef[];
  /** Of a refused object alone. */
  readonly refusal?: ApplyRejection;
  /** Whose pods keep the old values until they are restarted. */
  readonly restarts?: readonly RestartNeeded[];
  /** Where it stands in NEW; absent for what was read from no file. */
  readonly source?: Source;
}

/** How pods read a ConfigMap or Secret. */
export type ConfigReference = 'env' | 'envFrom' | 'subPath' | 'volume';

/** A workload whose pods read what changed in place. */
export interface RestartNeeded extends ResourceRef {
  /** How its containers read it, each way once. */
  readonly reads: readonly ConfigReference[];
  /** Do its annotations ask Stakater's Reloader to restart its pods for it? @default false */
  readonly watchedByReloader?: boolean;
}

/** The fewest pods available at once, for how many are wanted. */
export interface LowestAvailability {
  /** The rollout. */
  readonly resource: ResourceRef;
  /** Pods available at its worst moment. */
  readonly available: number;
  /** Pods that are wanted. */
  readonly replicas: number;
}

/** Figures over the whole change: how many objects have each effect, and what happens to pods. */
export interface ChangeSummary extends Readonly<Record<ApplyEffect, number>> {
  /** Objects of OLD alone that stay, since nothing is pruned. */
  readonly kept: number;
  /** Pods of an old template that give way to pods of a new one. */
  readonly podsReplaced: number;
  /** Pods more, by a scale or by an object that is new, as far as they find room: of several that want the last room as many as can. */
  readonly podsAdded: number;
  /** Pods fewer, by a scale or by an object that goes. */
  readonly podsRemoved: number;
  /** Most pods at once above those that run before, if all rollouts of the change run together, and as far as they find room. */
  readonly peakExtraPods: number;
  /** Of the rollouts that replace pods, the one with the least of its pods available at its worst moment; absent where none rolls. */
  readonly lowest?: LowestAvailability;
}

/** What an apply of NEW over OLD does. */
export interface PlannedChange {
  /** As `--apply` has it; `auto` where each object has its own default. */
  readonly apply: ApplyMode | 'auto';
  /** Are objects that NEW lacks deleted? */
  readonly pruned: boolean;
  /** Figures over all objects. */
  readonly summary: ChangeSummary;
  /** In the order of NEW, then what only OLD has. */
  readonly objects: readonly ObjectChange[];
}

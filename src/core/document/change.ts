import type { ResourceRef, MappedRollout } from './rollout';
import type { Source } from '../findings/finding';

/** Ways in which NEW can reach the cluster, as `--apply` accepts them. */
export const APPLY_MODES = ['client', 'server', 'helm', 'helm4', 'flux', 'argocd', 'fleet', 'pulumi', 'replace'] as const;

/**
 * Way in which NEW reaches the cluster: `client` is `kubectl apply`, `server` is `kubectl apply --server-side`, `helm` is a release that Helm
 * applies client-side, `helm4` one that it applies server-side, `replace` is a PUT.
 */
export type ApplyMode = (typeof APPLY_MODES)[number];

/** Tools that write objects. Each has its own rules for fields, refusals and hooks (`src/appliers/`). */
export type ApplyTool =
  | 'kubectl'
  | 'kubectl-server-side'
  | 'kubectl-replace'
  | 'helm-3'
  | 'helm-4'
  | 'flux'
  | 'flux-helm'
  | 'argo-cd'
  | 'argo-cd-server-side'
  | 'fleet'
  | 'pulumi';

/** Tool that is assumed to write an object, and the reason. */
export interface AssumedApplier {
  /** Name of the tool. */
  readonly tool: ApplyTool;
  /** What shows that this tool writes the object: `label "kustomize.toolkit.fluxcd.io/name"`. */
  readonly because: string;
}

/** Field whose live value a tool keeps although NEW says another one. */
export interface KeptField {
  /** Path of the field: `spec.replicas`. */
  readonly path: string;
  /** Live value, if it is a number or a boolean. */
  readonly value?: number | boolean;
}

/** How a tool runs an object as a hook instead of keeping it in the release. */
export interface HookRun {
  /** Phases in which it runs, as the tool names them: `pre-upgrade`, `PreSync`. Empty if the tool never applies it. */
  readonly phases: readonly string[];
  /** Whether an upgrade or a sync runs it. */
  readonly runsOnUpgrade: boolean;
  /** Order among the hooks of a phase, ascending. */
  readonly weight: number;
  /** When the tool deletes the object: `before-hook-creation`, `hook-succeeded`, `hook-failed`. */
  readonly deletePolicy: readonly string[];
}

/**
 * Effects that an apply can have on an object. If several are true, the object has the first of them; `create`, `delete`, `unknown`
 * and `hook` never occur with another.
 *
 * `docs/change.md` explains each effect.
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
  'hook',
] as const;

/** Effect of an apply on an object. */
export type ApplyEffect = (typeof APPLY_EFFECTS)[number];

/** Replacement for the value of a secret. */
export const REDACTED_VALUE = '(secret)';

/** One stored field that differs. */
export interface FieldChange {
  /** Path for people, with the items of a keyed list named by their key: `spec.template.spec.containers[web].image`. */
  readonly path: string;
  /** Old value, shortened if it is long; absent if the field did not exist. */
  readonly old?: unknown;
  /** New value, shortened if it is long; absent if the field is removed. */
  readonly new?: unknown;
  /** Whether the values are redacted and replaced with `(secret)`. */
  readonly secret?: true;
}

/** Reason why an object does not change, in the wording of the component that refuses it. */
export interface ApplyRejection {
  /** Path as the server writes it; empty if it names none. */
  readonly path: string;
  /** Message of the server after the path. */
  readonly message: string;
}

/** Desired pods of an object. */
export interface PodChange {
  /** Number before the apply. */
  readonly before: number;
  /** Number after the apply. */
  readonly after: number;
}

/** Effect of an apply on one object, with its causes. */
export interface ObjectChange {
  /** Object, as NEW names it. */
  readonly resource: ResourceRef;
  /** Effect on the object. */
  readonly effect: ApplyEffect;
  /** Map of the configuration that the effect follows from; only in a diff, because a plan marks the rollout. Absent if a system was analysed. */
  readonly mapped?: MappedRollout;
  /** What must happen before pods change: `it is resumed`. Only for the effect `held`. */
  readonly heldUntil?: string;
  /** Way in which the object reaches the cluster. */
  readonly apply: ApplyMode;
  /** Tool that is assumed to write it, and why; absent if `--apply` names it, and for the default of `kubectl apply`. */
  readonly applier?: AssumedApplier;
  /** Fields that the tool does not write, because its configuration ignores their differences; absent if it writes all of them. */
  readonly keeps?: readonly KeptField[];
  /** How the tool runs the object; only for the effect `hook`. */
  readonly hook?: HookRun;
  /** Stored fields that differ, at most 20, the decisive ones first. For a refused object, the fields that would differ. */
  readonly because: readonly FieldChange[];
  /** Number of fields omitted from `because`; absent if there are none. */
  readonly elided?: number;
  /** Pods before and after the apply; absent if they are not known or the object has none. */
  readonly pods?: PodChange;
  /** Names of the clusters that the change of a Fleet bundle reaches; absent if it reaches all, or if they are not known. */
  readonly clusters?: readonly string[];
  /** Objects whose change causes this effect, if the object's own change does not. */
  readonly causedBy?: readonly ResourceRef[];
  /** Reason for the refusal; only for a refused object. */
  readonly refusal?: ApplyRejection;
  /** Workloads whose pods keep the old values until they are restarted. */
  readonly restarts?: readonly RestartNeeded[];
  /** Location in NEW; absent for an object that was read from no file. */
  readonly source?: Source;
}

/** Kinds of configuration that pods reference by name. */
export type ConfigKind = 'ConfigMap' | 'Secret';

/** Way in which pods read a ConfigMap or Secret. */
export type ConfigReference = 'env' | 'envFrom' | 'subPath' | 'volume';

/** A workload whose pods read an object that changed in place. */
export interface RestartNeeded extends ResourceRef {
  /** Ways in which its containers read the object, each listed once. Empty if only its annotations name the object to Reloader. */
  readonly reads: readonly ConfigReference[];
  /** Whether its annotations make Stakater's Reloader restart its pods. @default false */
  readonly watchedByReloader?: boolean;
}

/** Fewest pods available at once, with the desired number. */
export interface LowestAvailability {
  /** Service that the numbers are of, or rollout whose pods no Service in view selects. */
  readonly resource: ResourceRef;
  /** Ready endpoints of the Service, or available pods of the rollout, at its worst moment. */
  readonly available: number;
  /** Ready endpoints that it has apart from that, or desired pods. */
  readonly replicas: number;
}

/** Numbers for the entire change: how many objects have each effect, and what happens to pods. */
export interface ChangeSummary extends Readonly<Record<Exclude<ApplyEffect, 'hook'>, number>> {
  /** Objects that the tool runs as hooks; absent if there are none. */
  readonly hook?: number;
  /** Objects that exist only in OLD and stay, since nothing is pruned. */
  readonly kept: number;
  /** Pods of an old template that are replaced by pods of a new one. */
  readonly podsReplaced: number;
  /**
   * Pods added by a scale or by a new object, if they fit. If several workloads compete for the last capacity, this counts as many pods as
   * can fit.
   */
  readonly podsAdded: number;
  /** Pods removed by a scale or by a deleted object. */
  readonly podsRemoved: number;
  /** Maximum number of pods at once above those that run before, if all rollouts of the change run together, limited to pods that fit. */
  readonly peakExtraPods: number;
  /**
   * Service, or rollout without a Service, that has the smallest part of its pods ready at its worst moment; absent if no pods are
   * replaced.
   */
  readonly lowest?: LowestAvailability;
}

/** Effect of applying NEW over OLD. */
export interface PlannedChange {
  /** Value of `--apply`; `auto` if each object uses its own default. */
  readonly apply: ApplyMode | 'auto';
  /** Whether objects that NEW lacks are deleted. */
  readonly pruned: boolean;
  /** Whether an object differs, so that admission webhooks and policies of the cluster may change it on apply. The plan does not know them. */
  readonly admissionNotChecked: boolean;
  /** Numbers for all objects. */
  readonly summary: ChangeSummary;
  /** Objects in the order of NEW, then those that only OLD has. */
  readonly objects: readonly ObjectChange[];
}

import type { ApplyMode, ApplyRejection, ApplyTool, HookRun } from '../core/document/change';
import type { Manifest } from '../core/manifest/manifest';

/** How the request is made: kubectl's three-way merge, Helm's merge with the last release, a PUT, or a server-side apply. */
export type WriteMethod = 'client' | 'server' | 'helm' | 'replace';

/** An entry of managedFields that a tool may take over. */
export interface FieldManager {
  readonly name: string;
  readonly operation: string;
  /** Subresource of the entry, such as `scale` for replicas that an autoscaler wrote. */
  readonly subresource?: string;
}

/** How a tool that applies server-side treats field managers. */
export interface ServerSideRules {
  /** Manager under which the tool applies. An existing manager that begins with this name is its own. */
  readonly manager: string;
  /** Whether it takes over fields of other managers instead of failing with a conflict. */
  readonly forcesConflicts: boolean;
  /**
   * Reports whether the tool makes the fields of another manager its own before it applies. Those that the manifest lacks are then removed.
   * @default - it takes over none
   */
  readonly takesOver?: (manager: FieldManager) => boolean;
  /** Whether it first applies without taking over fields, in a dry run or not, and ends there if that is refused. @default false */
  readonly triesFirst?: boolean;
  /**
   * Whether it converts an object of a built-in kind to its type before it sends it: fields that the type lacks, nulls,
   * and empty lists and maps are dropped, unless a value has another type than its field.
   * @default false
   */
  readonly convertsToTypes?: boolean;
}

/** Labels and annotations that a tool adds to every object that it writes, by name or, if it ends with a slash, by prefix. */
export interface ToolMarks {
  /** @default - none */
  readonly labels?: readonly string[];
  /** @default - none */
  readonly annotations?: readonly string[];
}

/** Why a tool deletes an object: the new manifests lack it, or its source is deleted. */
export type DeletionReason = 'pruned' | 'source-deleted';

/** How a tool writes objects. */
export interface Applier {
  readonly tool: ApplyTool;
  /** Name for messages: `Helm 4`. */
  readonly title: string;
  /** Value of `--apply` that selects it. */
  readonly mode: ApplyMode;
  readonly method: WriteMethod;
  /** Whether the server drops unknown fields of an object instead of refusing it. @default - as kubectl and Helm of this method do */
  readonly acceptsUnknownFields?: boolean;
  /** Rules for field managers. @default - those of `kubectl apply --server-side`, or it does not apply server-side */
  readonly serverSide?: ServerSideRules;
  /** Labels and annotations that it adds to what it writes. @default - none */
  readonly marks?: ToolMarks;
  /** Returns how the tool runs an object as a hook; undefined for an object that it applies. @default - it knows no hooks */
  readonly hookOf?: (object: Manifest) => HookRun | undefined;
  /** Reports whether it deletes and recreates an object that differs. @default - never */
  readonly recreatesAlways?: (next: Manifest) => boolean;
  /** Reports whether it deletes and recreates an object if the API server refuses the update for this reason. @default - never */
  readonly recreatesOnRefusal?: (next: Manifest, live: Manifest | undefined, refusal: ApplyRejection) => boolean;
  /** Returns the error with which the tool itself refuses to write an object. @default - it refuses none */
  readonly refuses?: (next: Manifest) => string | undefined;
  /** Reports whether it leaves an object as it is, although the manifest differs. @default - never */
  readonly skips?: (next: Manifest, live: Manifest) => boolean;
  /** Reports whether it keeps an object that it would delete. @default - never */
  readonly keeps?: (live: Manifest, because: DeletionReason) => boolean;
  /** Reports whether it deletes an object that the new manifests lack only once the pods of the new objects are ready. @default - never */
  readonly deletesLast?: (live: Manifest, applied: readonly Manifest[]) => boolean;
  /** Reports whether it deletes an object only once a user confirms it. @default - never */
  readonly awaitsConfirmation?: (live: Manifest, because: DeletionReason) => boolean;
  /** Whether it deletes no object if the API server refuses one. @default false */
  readonly keepsAllOnRefusal?: boolean;
  /** Fields whose change makes it replace an object of a kind, by kind. @default - none */
  readonly replacedFields?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reports whether the API server refuses an object as invalid (422) or for a conflict (409), for which `--force` of kubectl and Flux recreates
 * it. A patch that cannot be read or converted has no field.
 *
 * Sources: kubectl 0.36 pkg/cmd/apply/patcher.go; fluxcd/pkg/ssa 0.76.2 errors/immutable.go, `IsImmutableError`.
 */
export function isInvalidOrConflict({ path }: ApplyRejection): boolean {
  return path !== '';
}

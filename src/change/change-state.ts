import type { MaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import type { Deadline } from '../core/budget/deadline';
import type { PodChange } from '../core/document/change';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { Versions } from '../core/values/versions';
import type { createApplierLookup } from '../plan/appliers-in-view';
import type { PlanInput, RolloutWithObject } from '../plan/plan-input';
import type { ChangeOptions } from './change-options';
import type { AdmissionCheck, ObjectComparison } from './compare/object-comparison';
import type { ChangeContext, ObjectEffect } from './effects/object-effect';
import type { VersionUpgrade } from './effects/operator-upgrade';
import type { ObjectPair } from './match/match-objects';

/** Options of a run, which may include more about the cluster than the options of a program. */
export interface ChangeRunOptions extends ChangeOptions {
  readonly admission?: AdmissionCheck | undefined;
  /** Upgrade of an operator. The versions of the options are those after it. @default - the versions stay */
  readonly upgrade?: VersionUpgrade;
  /** Receives what is in the cluster for each object of NEW once it is applied, for a plan of NEW alone. @default - it is not needed */
  readonly onCompared?: (appliedFormOf: NonNullable<PlanInput['appliedFormOf']>) => void;
}

/** OLD of a change. */
export interface OldInput extends PlanInput {
  /** Reports whether an object is only context if NEW does not name it, as in a snapshot of a cluster. @default - none is */
  readonly isSurrounding?: (object: Manifest) => boolean;
  /** Reports whether OLD may contain an object that the user may not read. @default - OLD is complete */
  readonly isUnread?: (object: Manifest) => boolean;
  /** Returns why a cluster refuses a new object: it lacks the kind or the Namespace, and NEW brings none. @default - neither is known */
  readonly refuseNewObject?: (object: Manifest) => string | undefined;
}

/** What a change is planned from. Each step adds to it. */
export interface ChangeRun {
  readonly old: OldInput;
  readonly next: PlanInput;
  readonly options: ChangeRunOptions;
  /** Versions of all products; for an upgrade, those after it. */
  readonly versions: Versions;
  /** Every step checks it, so that a run ends within its budget. */
  readonly deadline: Deadline;
}

/** Both sides of a change, object by object. */
export interface MatchedSides extends ChangeRun {
  /** Findings of reading both sides. */
  readonly inputFindings: readonly Finding[];
  readonly isOldIncomplete: boolean;
  /** Objects that OLD contains a second time. They are not planned. */
  readonly duplicates: readonly Manifest[];
  /** Objects of OLD without duplicates, also those that controllers created. */
  readonly oldOnce: readonly Manifest[];
  /** Objects of OLD that no controller created, or that NEW names. */
  readonly oldObjects: readonly Manifest[];
  /** Every object of NEW, with that of OLD that it replaces. */
  readonly pairs: readonly ObjectPair[];
  /** Objects of OLD that NEW does not name. */
  readonly unmatched: readonly Manifest[];
  /** Objects of OLD that NEW does not name and that are only context. */
  readonly surroundings: ReadonlySet<Manifest>;
}

/** What the tool that applies NEW writes. */
export interface ComparedSides extends MatchedSides {
  /** Returns the tool that applies or prunes an object, with its settings. */
  readonly applierOf: ReturnType<typeof createApplierLookup>;
  /** Each object of NEW, with what is stored of it and what differs. */
  readonly comparisons: readonly ObjectComparison[];
  /** Comparisons of the objects that the apply changes. */
  readonly changed: readonly ObjectComparison[];
  /** Objects as NEW writes them. */
  readonly results: readonly Manifest[];
  /** Objects that are deleted if nothing is refused. */
  readonly prunable: readonly Manifest[];
}

/** What the apply does to each object, and which objects it deletes. */
export interface EvaluatedChange extends ComparedSides {
  readonly context: ChangeContext;
  /** In the order of the comparisons. */
  readonly objectEffects: readonly ObjectEffect[];
  readonly deleted: ReadonlySet<Manifest>;
  /** Objects of OLD that NEW does not name and that the apply leaves. */
  readonly kept: readonly Manifest[];
  /** The kept objects, and those that are only context. */
  readonly retained: readonly Manifest[];
}

/** The plan of NEW from the state of OLD, and what was counted for it. */
export interface PlannedResult extends EvaluatedChange {
  readonly planned: PlanDocument;
  /** Rollouts by their object and component. */
  readonly rollouts: ReadonlyMap<Manifest, ReadonlyMap<string, PlannedRollout>>;
  /** Rollouts of the retained objects, with their findings after the apply. They are not in the plan. */
  readonly retainedRollouts: readonly RolloutWithObject[];
  /** Pods by their object, before and after the apply. */
  readonly podsPlanned: ReadonlyMap<Manifest, PodChange>;
  /** What each unit has room for. */
  readonly capacityOfUnits: readonly MaxSchedulablePods[];
  /** Positions and units of the written objects, in the files of NEW. */
  readonly located: Pick<PlanInput, 'locate' | 'textOf'>;
  /** Live objects that controllers own and that surround the rollouts. */
  readonly ownedObjects: readonly Manifest[];
  /** Objects that the plan keeps although their tool deletes them, with the name of the tool. */
  readonly notPruned: ReadonlyMap<Manifest, string>;
}

/** Returns the options of a plan that is compared and not written, so that no rollout is missing from it. */
export function withUnlimitedOutput(options: ChangeRunOptions): ChangeRunOptions {
  return { ...options, budget: { ...options.budget, 'output-megabytes': Infinity } };
}

import type { Deadline } from '../core/budget/deadline';
import type { Finding, Source } from '../core/findings/finding';
import type { ApplyEffect, ApplyRejection } from '../core/document/change';
import type { FieldPath } from '../core/manifest/field-path';
import type { Manifest } from '../core/manifest/manifest';
import type { PlannedRollout } from '../core/document/rollout';
import type { Versions } from '../core/values/versions';
import type { MaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import type { PlanContext, RolloutSystem } from '../cluster/context/context';
import type { InputTree } from '../input/input-tree';
import type { ObjectSource } from './disambiguate-names';
import type { RolloutTrial } from '../cluster/rollout/rollout-trial';
import type { PodSet } from '../cluster/rollout/pod-set';

/** A rollout as the plan shows it, and its object. */
export interface RolloutWithObject {
  readonly object: Manifest;
  readonly rollout: PlannedRollout;
  /** Returns its trial. Returns undefined if no other strategy can be tried. */
  readonly trial?: () => RolloutTrial | undefined;
  /** Pods that it consists of while nothing rolls out. */
  readonly podSets?: readonly PodSet[];
}

/** The CRDs that the input itself contains. The apply brings them, so they decide about its custom resources. */
export interface InputDefinitions {
  /** Returns why a server with these CRDs refuses an object of the input, stored as `stored`, or created if there is no `old`. */
  refuse(object: Manifest, stored: Manifest, old: Manifest | undefined): ApplyRejection | undefined;
  /**
   * Returns the findings about CRDs that the API server refuses, and about custom resources: fields that the CRDs drop, and what they refuse.
   *
   * @param isOldKnown - whether the plan of a change reports what is refused
   * @param reported - findings whose problems are not reported again
   */
  check(isOldKnown: boolean, reported: readonly Finding[]): Finding[];
  /**
   * Lists the fields that the CRDs of an object do not know; undefined if none defines its kind.
   *
   * @param value - what to check. @default - the object
   */
  listUnknownFields(object: Manifest, value?: Manifest): readonly FieldPath[] | undefined;
}

/** Objects to plan, and where they come from. */
export interface PlanInput {
  /** In input order, lists flattened. */
  readonly objects: readonly Manifest[];
  /** Findings of reading the objects. */
  readonly findings?: readonly Finding[];
  /** Returns the file or stream of an object, and its unit. @default - all objects were given together */
  readonly textOf?: (object: object) => ObjectSource | undefined;
  /** Returns the source position of a field. */
  readonly locate?: (object: object, path: string) => Source | undefined;
  /** Files in input order, named as in sources. */
  readonly files?: readonly string[];
  /** Files of the folders that were read. @default - no folder was read */
  readonly tree?: InputTree;
  /** Systems to plan for. @default - all */
  readonly systems?: readonly RolloutSystem[];
  /** Whether a placeholder in a folder is an error, as what the API server gets instead is not checked. @default false */
  readonly refusesPlaceholders?: boolean;
  /** Lists the fields that a CRD of the options does not know; undefined if none defines the kind of an object. @default - there are none */
  readonly listUnknownFields?: (object: Manifest) => readonly FieldPath[] | undefined;
  /**
   * Returns an object as it is in the cluster once the input is applied. One that is refused stays as it was, or does not exist. A refused rollout
   * is planned all the same. @default - every object is accepted
   */
  readonly appliedFormOf?: (object: Manifest, versions: Versions) => Manifest | undefined;
  /** The CRDs among the objects of NEW. @default - it is no change */
  readonly definitions?: InputDefinitions;
  /** The apply that the plan is for. @default - every object rolls out, from one old template at rest */
  readonly change?: InputChange;
  /** Deadline of planning, if other work has used part of the time. @default - the seconds of the budget, from now */
  readonly deadline?: Deadline;
  /** Receives the rollouts of the plan, with their trials. The plan of a change may be made again: the last call counts. @default - none are needed */
  readonly onEvaluated?: (rollouts: readonly RolloutWithObject[]) => void;
}

/** The objects of a change on both sides. A Service changes at once, its pods one after another, so its plan needs both. */
export interface AppliedChange {
  /** Returns the effect on an object; undefined for an object that is only in OLD and stays. */
  readonly effectOf: (object: Manifest) => ApplyEffect | undefined;
  /** Returns the effect on one component of an object, also of one that only OLD has. */
  readonly componentEffectOf: (object: Manifest, component: string) => ApplyEffect | undefined;
  /** Returns an object as it is before the apply; undefined if the apply creates it. */
  readonly oldOf: (object: Manifest) => Manifest | undefined;
  /** Reports whether an object is refused after its tool deleted the old one, which is among the deleted objects. */
  readonly isLost: (object: Manifest) => boolean;
  /** Objects that the apply deletes. */
  readonly deleted: readonly Manifest[];
  /** Reports whether an object is deleted only once the pods of the apply are ready. */
  readonly isDeletedLast: (object: Manifest) => boolean;
  /** Context of the objects before the apply. */
  readonly oldContext: PlanContext;
}

/** What a plan must know of the change that it is for. */
export interface InputChange {
  /** What the apply does to the pods of an object or of one component. */
  readonly changedPods: NonNullable<PlanContext['changedPods']>;
  /** Reports whether the apply creates a quota that counts a resource, or lowers its limit. */
  readonly lowersQuota: NonNullable<PlanContext['lowersQuota']>;
  /** Reports whether the apply creates an object, or changes its stored form. */
  readonly isChanged: NonNullable<PlanContext['isChanged']>;
  /** Returns the tool that writes an object, if it is known. */
  readonly applierOf: NonNullable<PlanContext['applierOf']>;
  /** Objects of the cluster that stay as they are. They are context of the others, and the plan reports nothing about them. */
  readonly unchangedObjects: readonly Manifest[];
  /** The objects on both sides. */
  readonly applied: AppliedChange;
  /** Called before the objects are planned, and again for each part of them if planning fails on some. Only the last time counts. */
  readonly onStart: () => void;
  /** Receives, for each unit, how many pods of its objects can be scheduled. */
  readonly onCapacityKnown: (units: readonly MaxSchedulablePods[]) => void;
  /** Adds what is known of a rollout's change. `pods` is the desired number of pods, undefined if unknown. */
  readonly addChangeInfo: (object: Manifest, rollout: PlannedRollout, pods: number | undefined) => PlannedRollout;
}

/** Returns an input with some objects replaced. Positions are still those of the originals. */
export function replaceObjects<Input extends PlanInput>(input: Input, replace: (object: Manifest) => Manifest): Input {
  const originals = new Map<object, Manifest>();
  const objects = input.objects.map((object) => {
    const replaced = replace(object);
    if (replaced !== object) originals.set(replaced, object);
    return replaced;
  });
  if (originals.size === 0) return input;
  const { locate, textOf } = input;
  return {
    ...input,
    objects,
    ...(locate && { locate: (object: object, path: string) => locate(originals.get(object) ?? object, path) }),
    ...(textOf && { textOf: (object: object) => textOf(originals.get(object) ?? object) }),
  };
}

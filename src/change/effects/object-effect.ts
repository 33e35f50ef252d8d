import type { ApplyEffect, FieldChange, RestartNeeded } from '../../core/document/change';
import type { Finding } from '../../core/findings/finding';
import { nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import type { ResourceRef } from '../../core/document/rollout';
import type { InitialRolloutState } from '../../core/document/initial-state';
import type { Versions } from '../../core/values/versions';
import type { ChangedObject, PlanContext } from '../../cluster/context/context';
import type { PodChangeInput } from '../../cluster/rollout/initial-state';
import { bundleNameOf, isFleetYaml } from '../../systems/fleet/fleet-yaml';
import type { ObjectComparison } from '../compare/object-comparison';
import { ConfigConsumers } from './config-references';
import type { OwnedObjects } from '../match/live-objects';
import type { UnknownReaders } from './unknown-readers';
import type { VersionUpgrade } from './operator-upgrade';
import type { RaisedQuotas } from './quota-increases';
import { sortDecisiveFirst } from './workload-effect';

/** What an apply does to one object and to each of its rollouts. */
export interface ObjectEffect {
  readonly comparison: ObjectComparison;
  /** The error on which comparing or evaluating the object failed, so that its effect is unknown. @default - none */
  readonly failure?: unknown;
  readonly effect: ApplyEffect;
  /** The effect of an apply that knows no hooks. @default - it is no hook, or a Pod or Job, which runs in its phase */
  readonly withoutHook?: ObjectEffect;
  /** The effect of an apply that leaves no object as it is. @default - its tool does not leave it as it is */
  readonly withoutSkip?: ObjectEffect;
  /** Whether a refused object may be stored, because its controller may be what refuses it, after the apply. @default false */
  readonly mayBeStored?: boolean;
  /** Whether the effect of a recreated object would be unknown if the apply updated it. @default false */
  readonly isUnknownAsUpdate?: boolean;
  readonly because: readonly FieldChange[];
  readonly causedBy: readonly Manifest[];
  readonly restarts: readonly RestartNeeded[];
  /** The clusters that a bundle's change reaches, if not all. */
  readonly clusters?: readonly string[];
  /** Changes of pods by component; `''` for an object that is one rollout. */
  readonly pods: ReadonlyMap<string, PodChangeInput>;
  /** Effects by component; `''` for an object that is one rollout. */
  readonly effects: ReadonlyMap<string, ApplyEffect>;
  /** Findings of the object's system about the change, by component. */
  readonly findings?: ReadonlyMap<string, readonly Finding[]>;
  /** Pods that exist only during the rollouts. @default 0 */
  readonly temporaryPods?: number;
  /** Pods before the apply, if the object is one rollout with a known number of pods. */
  readonly podsBefore?: number;
  /** Pods that are deleted and created again under other names, because the ordinals of a StatefulSet move. */
  readonly movedPods?: number;
  /** Whether another object ran its pods, and no longer does after the apply. @default false */
  readonly isReleased?: boolean;
  /** Nodes that a DaemonSet leaves with its pods, because the new template excludes them. @default 0 */
  readonly leftNodes?: number;
  readonly start?: InitialRolloutState;
  /** What must happen before pods change, if the effect is `held`. */
  readonly heldUntil?: string;
  /** The ordinal of a pod that may not be ready, for a StatefulSet that rolls. */
  readonly waitsPerhapsFor?: number;
  /** Pods that are not ready by the status of a StatefulSet that rolls, which does not show which ones. @default 0 */
  readonly unreadyPods?: number;
}

/** The context in which the effect on one object is evaluated. */
export interface ChangeContext {
  readonly versions: Versions;
  readonly oldContext: PlanContext;
  readonly newContext: PlanContext;
  readonly owned: OwnedObjects;
  /** Workloads by the configuration that their pods read after the apply. */
  readonly consumers: ConfigConsumers;
  /** What the objects without a plan name after the apply. */
  readonly unknownReaders: UnknownReaders;
  /** Whether an autoscaler differs or is new. */
  readonly hasChangedAutoscalers: boolean;
  /** Returns the object of NEW that an autoscaler scales, if it is in view. */
  readonly findScaleTarget: (autoscaler: Manifest) => Manifest | undefined;
  /** Returns the autoscalers of a workload that differ or are new. */
  readonly changedAutoscalersOf: (workload: Manifest) => readonly Manifest[];
  readonly raisedQuotas: RaisedQuotas;
  /** Objects that differ or are deleted and that systems read to plan others. */
  readonly changedContext: readonly Manifest[];
  /** Reports whether an object of NEW is accepted by the server and differs from that of OLD or is new. */
  readonly isChanged: (object: Manifest) => boolean;
  /** ConfigMaps and Secrets that are new. */
  readonly newConfigs: ReadonlySet<Manifest>;
  /** Returns the objects that differ and that Fleet deploys from the folder of a fleet.yaml. */
  readonly contentOf: (fleetYaml: Manifest) => readonly Manifest[];
  /** Reports whether an object of NEW is created or recreated, so that `restarts` can leave it out. */
  readonly isNew: (object: Manifest) => boolean;
  /** Reports whether an object may exist although OLD does not contain it. */
  readonly isUnread: (object: Manifest) => boolean;
  /** The upgrade of an operator. @default - the objects change */
  readonly upgrade?: VersionUpgrade;
}

/** Returns the fields of an object that the API server keeps on the sides that have it, each in its context. */
export function toChangedObject({ old, result, known }: ObjectComparison, { oldContext, newContext }: ChangeContext): ChangedObject {
  return {
    ...(old && { old: { object: known?.old ?? old.manifest, context: oldContext } }),
    next: { object: known?.result ?? result, context: newContext },
  };
}

/** Lists the effects on the objects that the apply deletes and creates again. */
export function listRecreations(objectEffects: readonly ObjectEffect[]): readonly ObjectEffect[] {
  return objectEffects.filter(({ effect, comparison: { old } }) => effect === 'replace' && old !== undefined);
}

export function resourceRefOf(object: Manifest): ResourceRef {
  if (isFleetYaml(object)) return toResourceRef({ apiVersion: object.apiVersion, kind: 'Bundle' }, bundleNameOf(object));
  return toResourceRef(object, nameOf(object), namespaceOf(object));
}

const NO_POD_CHANGE = { rolls: false } as const;

type ObjectEffectParts = Pick<ObjectEffect, 'effect'> & Partial<Omit<ObjectEffect, 'comparison'>>;

/** Builds the effect on an object. Parts that are left out are those of an object that is one rollout and whose pods stay. */
export function buildObjectEffect(comparison: ObjectComparison, { effect, ...parts }: ObjectEffectParts): ObjectEffect {
  return {
    comparison,
    effect,
    because: sortDecisiveFirst(effect, comparison.differences),
    causedBy: [],
    restarts: [],
    pods: new Map([['', NO_POD_CHANGE]]),
    effects: new Map([['', effect]]),
    ...parts,
  };
}

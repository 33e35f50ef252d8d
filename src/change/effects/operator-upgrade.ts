import type { ApplyEffect, FieldChange } from '../../core/document/change';
import type { Manifest } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import type { SystemEffect } from '../../cluster/context/context';

/** What a new version of an operator writes differently for one rollout of an object that does not change. */
export interface WrittenDifference {
  /** Component of the rollout. @default - the only one of the object */
  readonly component?: string;
  /** Fields that it writes differently. */
  readonly because: readonly FieldChange[];
  /** Whether they are in the pod template, so that pods are replaced. @default false: only settings change */
  readonly replacesPods?: boolean;
  /** Whether Knative replaces the pods of a Revision in its Deployment, and creates no other Revision. @default false */
  readonly isInPlace?: boolean;
  /** What must happen before the new version writes them. @default - it writes them at once */
  readonly heldUntil?: string;
}

/** An upgrade: two versions of an operator over the same objects. */
export interface VersionUpgrade {
  /** Versions before the upgrade. */
  readonly oldVersions: Partial<Versions>;
  /** Returns what the new version writes differently for an object. */
  readonly compareWritten: (object: Manifest) => readonly WrittenDifference[];
  /** Reports whether an object configures the operator, so that its changes show in what the operator writes for others. */
  readonly isOperatorConfig: (object: Manifest) => boolean;
}

/** Effects of a component that becomes a roll because of a difference, and the effect that it then has. */
const EFFECTS_WITH_ROLL: Readonly<Partial<Record<ApplyEffect, SystemEffect['effect']>>> = {
  none: 'roll',
  metadata: 'roll',
  settings: 'roll',
  scale: 'roll-and-scale',
};

function addToEffect(effect: SystemEffect, { replacesPods = false, heldUntil }: WrittenDifference): SystemEffect {
  if (!replacesPods) return effect.effect === 'none' || effect.effect === 'metadata' ? { ...effect, effect: 'settings' } : effect;
  const combined = EFFECTS_WITH_ROLL[effect.effect] ?? effect.effect;
  if (heldUntil === undefined) return { ...effect, effect: combined };
  const replicas = effect.replicas && { old: effect.replicas.old, next: effect.replicas.old };
  return { ...effect, effect: 'held', heldUntil, ...(replicas && { replicas }) };
}

/** Adds what an upgrade writes differently to the effects of the components of an object. A component without an effect does not exist. */
export function addWrittenDifferences(
  effects: readonly SystemEffect[],
  differences: readonly WrittenDifference[],
): readonly SystemEffect[] {
  if (differences.length === 0) return effects;
  return effects.map((effect) =>
    differences.filter(({ component = '' }) => component === (effect.component ?? '')).reduce(addToEffect, effect),
  );
}

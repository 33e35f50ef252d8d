import type { PlannedRollout, ResourceRef } from '../core/document/rollout';
import type { ApplyUnit } from '../core/sources/apply-unit';
import type { FileNamespaces } from '../core/sources/file-namespaces';

/** File or stream of an object. */
export interface ObjectSource {
  readonly file: string;
  /** Unit that is rendered or applied together. @default - all of the input */
  readonly unit?: ApplyUnit;
  /** Namespaces to which files around it, such as a kustomization, may move its objects. @default - none */
  readonly namespaces?: FileNamespaces;
}

/** A rollout and the source of its object. */
export interface RolloutWithSource {
  readonly rollout: PlannedRollout;
  readonly text: ObjectSource | undefined;
}

function keyOf({ apiVersion, kind, namespace, name, component }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name, component]);
}

function unitKeyOf({ rollout, text }: RolloutWithSource): string {
  return JSON.stringify([keyOf(rollout.resource), text?.unit?.id]);
}

/** Adds the unit to each rollout that shares its name with another one, or the file if both are in one unit. */
export function disambiguateNames(placed: readonly RolloutWithSource[]): PlannedRollout[] {
  const namesakes = findNamesakes(placed);
  if (namesakes.length === 0) return placed.map(({ rollout }) => rollout);
  // Counted once, since one name can have many thousands of rollouts.
  const inInput = countBy(namesakes, ({ rollout }) => keyOf(rollout.resource));
  const inUnit = countBy(namesakes, unitKeyOf);
  return placed.map((one) => {
    const { rollout, text } = one;
    if (text === undefined || (inInput.get(keyOf(rollout.resource)) ?? 1) === 1) return rollout;
    const unit = inUnit.get(unitKeyOf(one)) === 1 ? text.unit?.name : undefined;
    return { ...rollout, unit: unit ?? text.file };
  });
}

function countBy(placed: readonly RolloutWithSource[], toKey: (one: RolloutWithSource) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of placed) {
    const key = toKey(one);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Returns the rollouts whose plain names several have, which may have the same whole resource. */
function findNamesakes(placed: readonly RolloutWithSource[]): readonly RolloutWithSource[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { rollout } of placed) (seen.has(rollout.resource.name) ? shared : seen).add(rollout.resource.name);
  return placed.filter(({ rollout }) => shared.has(rollout.resource.name));
}

import { addToGroup } from '../core/collections/group-by';
import type { PlannedRollout, ResourceRef } from '../core/document/rollout';
import type { ApplyUnit } from '../core/sources/apply-unit';

/** File or stream of an object. */
export interface ObjectSource {
  readonly file: string;
  /** Unit that is rendered or applied together. @default - all of the input */
  readonly unit?: ApplyUnit;
  /** Namespaces that files around it, such as a kustomization, may give to its objects. @default - none */
  readonly setNamespaces?: readonly string[];
}

/** A rollout and the source of its object. */
export interface RolloutWithSource {
  readonly rollout: PlannedRollout;
  readonly text: ObjectSource | undefined;
}

function keyOf({ apiVersion, kind, namespace, name, component }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name, component]);
}

/** Adds the unit to each rollout that shares its name with another one, or the file if both are in one unit. */
export function disambiguateNames(placed: readonly RolloutWithSource[]): PlannedRollout[] {
  const namesakesByKey = groupNamesakes(placed);
  if (namesakesByKey.size === 0) return placed.map(({ rollout }) => rollout);
  return placed.map(({ rollout, text }) => {
    const namesakes = namesakesByKey.get(keyOf(rollout.resource));
    if (text === undefined || !namesakes || namesakes.length === 1) return rollout;
    const inUnit = namesakes.filter((other) => other.text?.unit?.id === text.unit?.id);
    const unit = inUnit.length === 1 ? text.unit?.name : undefined;
    return { ...rollout, unit: unit ?? text.file };
  });
}

/** Groups the rollouts whose plain names several have by the whole resource. */
function groupNamesakes(placed: readonly RolloutWithSource[]): ReadonlyMap<string, readonly RolloutWithSource[]> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { rollout } of placed) (seen.has(rollout.resource.name) ? shared : seen).add(rollout.resource.name);
  const namesakes = new Map<string, RolloutWithSource[]>();
  for (const one of placed) {
    if (!shared.has(one.rollout.resource.name)) continue;
    const key = keyOf(one.rollout.resource);
    addToGroup(namesakes, key, one);
  }
  return namesakes;
}

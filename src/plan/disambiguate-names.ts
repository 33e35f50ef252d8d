import { nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlannedRollout, ResourceRef } from '../core/rollout';
import type { ApplyUnit } from '../core/apply-unit';

/** The file or stream that contains an object. */
export interface ObjectSource {
  readonly file: string;
  /** The unit its objects are rendered or applied with. @default - all of the input */
  readonly unit?: ApplyUnit;
}

/** A rollout, and the file of its object. */
export interface RolloutWithSource {
  readonly rollout: PlannedRollout;
  readonly text: ObjectSource | undefined;
}

function keyOf({ apiVersion, kind, namespace, name, component }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name, component]);
}

function toResourceRef(object: Manifest): ResourceRef {
  const { apiVersion, kind } = object;
  const namespace = namespaceOf(object);
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name: nameOf(object) };
}

/** Reports whether a rollout has the name of its object, and is not one of its components. */
export function hasSameNameAsObject({ resource }: PlannedRollout, object: Manifest): boolean {
  const { apiVersion, kind, namespace, name, component } = resource;
  if (component !== undefined || apiVersion !== object.apiVersion || kind !== object.kind) return false;
  return name === nameOf(object) && namespace === namespaceOf(object);
}

/** The files of the rollouts of each name. */
type SourcesByName = Map<string, (ObjectSource | undefined)[]>;

function groupSourcesByName(keys: readonly string[], placed: readonly RolloutWithSource[]): SourcesByName {
  const byName: SourcesByName = new Map();
  placed.forEach(({ text }, index) => {
    const known = byName.get(keys[index]!);
    if (known) known.push(text);
    else byName.set(keys[index]!, [text]);
  });
  return byName;
}

/**
 * Adds the unit to rollouts that share a name, or the file if both are in one unit.
 *
 * @param counted - the objects of rollouts that are only counted. They have the names of their rollouts
 */
export function disambiguateNames(
  placed: readonly RolloutWithSource[],
  counted: readonly Manifest[],
  textOf: (object: Manifest) => ObjectSource | undefined,
): PlannedRollout[] {
  const keys = placed.map(({ rollout }) => keyOf(rollout.resource));
  const byName = groupSourcesByName(keys, placed);
  if (placed.length > 0) for (const object of counted) byName.get(keyOf(toResourceRef(object)))?.push(textOf(object));
  return placed.map(({ rollout, text }, index) => {
    const namesakes = byName.get(keys[index]!)!;
    if (text === undefined || namesakes.length < 2) return rollout;
    const inUnit = namesakes.filter((other) => other?.unit?.id === text.unit?.id);
    const unit = inUnit.length === 1 ? text.unit?.name : undefined;
    return { ...rollout, unit: unit ?? text.file };
  });
}

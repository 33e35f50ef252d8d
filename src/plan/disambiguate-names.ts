import type { PlannedRollout, ResourceRef } from '../core/rollout';
import type { ApplyUnit } from '../core/apply-unit';

/** File or stream of an object. */
export interface ObjectSource {
  readonly file: string;
  /** Unit that is rendered or applied together. @default - all of the input */
  readonly unit?: ApplyUnit;
}

/** A rollout and the source of its object. */
export interface RolloutWithSource {
  readonly rollout: PlannedRollout;
  readonly text: ObjectSource | undefined;
}

function keyOf({ apiVersion, kind, namespace, name, component }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name, component]);
}

/** Sources of the rollouts of each name. */
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

/** Adds the unit to each rollout that shares its name with another one, or the file if both are in one unit. */
export function disambiguateNames(placed: readonly RolloutWithSource[]): PlannedRollout[] {
  const keys = placed.map(({ rollout }) => keyOf(rollout.resource));
  const byName = groupSourcesByName(keys, placed);
  return placed.map(({ rollout, text }, index) => {
    const namesakes = byName.get(keys[index]!)!;
    if (text === undefined || namesakes.length < 2) return rollout;
    const inUnit = namesakes.filter((other) => other?.unit?.id === text.unit?.id);
    const unit = inUnit.length === 1 ? text.unit?.name : undefined;
    return { ...rollout, unit: unit ?? text.file };
  });
}

import type { PlannedRollout } from '../core/rollout';
import type { Unit } from '../core/unit';
import type { NumberText } from './as-written';

/** The file or stream that holds an object. */
export interface ObjectText extends NumberText {
  /** What its objects are rendered or applied with. @default - all of the input */
  readonly unit?: Unit;
}

/** A rollout, and where its object stands. */
export interface PlacedRollout {
  readonly rollout: PlannedRollout;
  readonly text: ObjectText | undefined;
}

function keyOf({ resource: { apiVersion, kind, namespace, name, component } }: PlannedRollout): string {
  return JSON.stringify([apiVersion, kind, namespace, name, component]);
}

/** Names the unit of every rollout whose name another one has too; its file where their unit is one and the same. */
export function toldApart(placed: readonly PlacedRollout[]): PlannedRollout[] {
  const byName = new Map<string, PlacedRollout[]>();
  const keys = placed.map(({ rollout }) => keyOf(rollout));
  placed.forEach((each, index) => {
    const known = byName.get(keys[index]!);
    if (known) known.push(each);
    else byName.set(keys[index]!, [each]);
  });
  return placed.map(({ rollout, text }, index) => {
    const namesakes = byName.get(keys[index]!)!;
    if (text === undefined || namesakes.length < 2) return rollout;
    const inUnit = namesakes.filter((other) => other.text?.unit?.id === text.unit?.id);
    const unit = inUnit.length === 1 ? text.unit?.name : undefined;
    return { ...rollout, unit: unit ?? text.file };
  });
}

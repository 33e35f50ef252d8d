import type { ReadInput } from '../input/read';
import type { PlanInput } from './plan';

/** What was read from files, as a plan takes it: every object with its file and the places of its fields. */
export function inputOf({ objects, findings, files, locations }: ReadInput): PlanInput {
  return { objects, findings, files, locate: locations.locate, textOf: locations.textOf, whole: locations.whole };
}

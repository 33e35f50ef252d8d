import type { InputObjects } from '../input/read';
import type { PlanInput } from './plan';

/** What was read from files, as a plan takes it: every object with its file and the places of its fields. */
export function toPlanInput({ objects, aside, findings, files, locations }: InputObjects): PlanInput {
  const { locate, textOf, whole } = locations;
  return { objects, ...(aside && { aside }), findings, files, locate, textOf, whole };
}

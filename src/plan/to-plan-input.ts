import type { InputObjects } from '../input/read';
import type { PlanInput } from './plan-input';

/** Converts objects that were read from files to the input of a plan. */
export function toPlanInput({ objects, findings, files, tree, locations }: InputObjects): PlanInput {
  const { locate, textOf } = locations;
  return { objects, findings, files, locate, textOf, ...(tree && { tree }) };
}

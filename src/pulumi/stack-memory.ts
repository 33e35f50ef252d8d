import { PlanMemory } from '../props/plan-memory';

/** What the components of the program were given, for the preview of changes. A program is one stack. */
export const STACK_MEMORY = new PlanMemory();

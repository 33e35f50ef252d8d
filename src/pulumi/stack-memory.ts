import { PlanMemory } from '../props/plan-memory';
import { memoizePerProgram } from './program-context';

/** Returns what the components of the program were given, for the preview of changes. A program is one stack. */
export const stackMemory = memoizePerProgram(() => new PlanMemory());

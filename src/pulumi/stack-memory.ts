import { PlanMemory } from '../props/plan-memory';
import { perProgram } from './program-context';

/** Returns what the components of the program were given, for the preview of changes. A program is one stack. */
export const stackMemory = perProgram(() => new PlanMemory());

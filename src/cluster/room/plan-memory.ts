import { Memory } from '../../core/memory';
import { oncePerPlan } from '../context';

/** Where a plan keeps what it has worked out of pods and nodes. */
export const memoryOf = oncePerPlan(() => new Memory());

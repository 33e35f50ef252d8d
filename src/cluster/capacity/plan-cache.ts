import { PlanCache } from '../../core/plan-cache';
import { memoizePerPlan } from '../context';

/** Where a plan keeps what it has worked out of pods and nodes. */
export const planCacheOf = memoizePerPlan(() => new PlanCache());

import { PlanCache } from '../../core/plan-cache';
import { memoizePerPlan } from '../context';

/** Returns the per-plan cache of values derived from pods and nodes. */
export const planCacheOf = memoizePerPlan(() => new PlanCache());

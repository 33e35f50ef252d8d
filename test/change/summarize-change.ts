import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';

export const NONE = 'no pods are affected, 0 not planned';
export const UNKNOWN = 'affected pods is unknown, 1 not planned';

/** Plans a change that prunes, and returns its effects, what the headline says of pods, and how many objects are not planned. */
export function summarize(old: readonly object[], next: readonly object[]): string {
  const plan = expectValidPlan(planChange(old, next, { prune: true }));
  const pods = /no pods are affected|affected pods is unknown/.exec(renderPlanText(plan).split('\n')[0]!);
  const counted = plan.notPlanned.reduce((sum, { count }) => sum + count, 0);
  return [plan.change.objects.map(({ effect }) => effect).join(' '), String(pods), `${counted} not planned`].join(', ');
}

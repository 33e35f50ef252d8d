import { checkPlanSize } from '../core/plan-size-limit';
import { withOptionErrors } from '../core/option-error';
import type { PlanDocument } from '../core/plan-document';
import type * as PageModule from './html/page';
import type { HtmlOptions } from './html/page';
import type * as SvgModule from './svg/plan-svg';
import type { SvgOptions } from './svg/plan-svg';

/**
 * The rollouts of a plan as one picture, one under the other: SVG without script, without links out, in light and dark.
 *
 * What draws is loaded by the first picture, so that a plan without any does not wait for it.
 *
 * @example
 * writeFileSync('rollouts.svg', renderPlanSvg(planManifests(objects)));
 */
export function renderPlanSvg(plan: PlanDocument, options: SvgOptions = {}): string {
  const { drawPlanSvg } = require('./svg/plan-svg') as typeof SvgModule;
  return withOptionErrors('renderPlanSvg', 'plans', () => {
    checkPlanSize(plan);
    return drawPlanSvg(plan, options);
  });
}

/**
 * A plan as one page that needs nothing else: overview, what needs a decision, a row for each rollout with its picture, filters.
 *
 * What draws is loaded by the first page, so that a plan without any does not wait for it.
 *
 * @example
 * writeFileSync('plan.html', renderPlanHtml(planManifests(objects)));
 */
export function renderPlanHtml(plan: PlanDocument, options: HtmlOptions = {}): string {
  const { buildPlanPage } = require('./html/page') as typeof PageModule;
  return withOptionErrors('renderPlanHtml', 'plans', () => {
    checkPlanSize(plan);
    return buildPlanPage(plan, options);
  });
}

import { checkPlanSize } from '../core/document/plan-size-limit';
import { withOptionErrors } from '../core/errors/option-error';
import type { PlanDocument } from '../core/document/plan-document';
import type * as PageModule from './html/page';
import type { HtmlOptions } from './html/page';
import type * as SvgModule from './svg/plan-svg';
import type { SvgOptions } from './svg/plan-svg';

/**
 * Renders the rollouts of a plan as one SVG picture, one below the other. It has no script and no external links, and a light and a dark theme.
 *
 * The drawing code is loaded with the first picture, so that plans without pictures start faster.
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
 * Renders a plan as one self-contained page: an overview, findings that need a decision, a row with a picture for each rollout, filters.
 *
 * The drawing code is loaded with the first page, so that plans without pages start faster.
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

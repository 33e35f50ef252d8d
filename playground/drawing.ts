import { buildPlanPage } from '../src/render/html/page';
import { drawPlanSvg } from '../src/render/svg/plan-svg';
import type { TypedPlan } from './engine';

/** Draws a plan for a width in pixels. */
export function pictureOf({ plan, before }: TypedPlan, width: number): string {
  return drawPlanSvg(plan, { width, ...(before && { before: before() }) });
}

/** Renderers of the drawn formats, by their `--format` names. */
export const FORMATS: Readonly<Record<string, (typed: TypedPlan) => string>> = {
  svg: ({ plan, before }) => drawPlanSvg(plan, before && { before: before() }),
  html: ({ plan, before }) => buildPlanPage(plan, before && { before: before() }),
};

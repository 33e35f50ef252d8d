import { planWithBetterStrategies } from '../../advise/better-strategy';
import { addRefusedObjects } from '../../change/compare/refused-objects';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { hasUnrenderedFolder } from '../../core/rules/not-rendered';
import { joinWords } from '../../core/text/text-format';
import { renderPlanMarkdown } from '../../render/markdown/plan';
import { renderPlanJson } from '../../render/json/json';
import { renderPlanHtml, renderPlanSvg } from '../../render/pictures';
import { filterPlanByResource, dropFindingsBelow } from '../../render/filter-plan';
import { DETAIL_LEVELS, renderPlanText } from '../../render/text/plan';
import type { DetailLevel, TextOptions } from '../../render/text/plan';
import { createResourceFilter } from '../options/resource-filter';
import { EXIT } from '../output/exit-codes';
import { getRenderer } from '../options/formats';
import type { Renderers } from '../options/formats';
import { planChangePaths } from '../input/change-input';
import type { ChangePlanResult } from '../input/change-input';
import { assertChangeOptions, parseMinSeverity } from '../options/option-groups';
import type { ChangeOptionsOfCommand } from '../options/option-groups';
import { computeInputDigest } from '../input/input-digest';
import { readAndPlan } from '../input/input';
import type { PathsPlan } from '../input/input';
import type { InputOptions } from '../options/input-options';
import { selectMedium, UsageError } from '../output/io';
import type { Io, CommandResult } from '../output/io';
import { listPictureNotes } from '../input/unread-input';

export interface PlanCommandOptions extends InputOptions, ChangeOptionsOfCommand {
  readonly format: string;
  readonly output?: string;
  readonly resource?: readonly string[];
  readonly namespace?: readonly string[];
  readonly minSeverity?: string;
  readonly details?: string;
  /** Width of an SVG, in pixels. */
  readonly width?: string;
}

/** Plan, and options that select what is shown. */
export interface PlanView {
  readonly plan: PlanDocument;
  /** Objects that are planned. */
  readonly objects: readonly Manifest[];
  readonly options: TextOptions;
  /** Returns the plan of OLD; absent if no change is planned. */
  readonly before?: () => PlanDocument;
  /** Width of an SVG, in pixels. @default - the width of the renderer */
  readonly width?: number;
}

/** Removes unselected rollouts and findings from a plan, for formats without options for that. */
function filterPlan({ plan, options: { isSelected, minSeverity = 'info' } }: PlanView): PlanDocument {
  const chosen = isSelected ? filterPlanByResource(plan, isSelected) : plan;
  return minSeverity === 'info' ? chosen : dropFindingsBelow(chosen, minSeverity);
}

/** Returns the drawing options of a view: the plan of OLD, which is drawn next to the plan. */
function toDrawOptions({ before }: PlanView): { readonly before?: PlanDocument } {
  return before ? { before: before() } : {};
}

/** Renderers of plans, also of those of an upgrade. */
export const PLAN_RENDERERS: Renderers<'plan', PlanView> = {
  text: ({ plan, options }, medium) => renderPlanText(plan, { ...options, ...medium }),
  json: (view) => renderPlanJson({ ...filterPlan(view), inputDigest: computeInputDigest(view.objects) }),
  markdown: (view) => renderPlanMarkdown(filterPlan(view)),
  svg: (view) => renderPlanSvg(filterPlan(view), { ...toDrawOptions(view), ...(view.width !== undefined && { width: view.width }) }),
  html: (view) => renderPlanHtml(filterPlan(view), toDrawOptions(view)),
};

/** @throws UsageError with the supported levels */
export function parseDetails(given: string | undefined): DetailLevel | undefined {
  if (given === undefined) return undefined;
  const details = DETAIL_LEVELS.find((known) => known === given);
  if (!details) throw new UsageError(`--details ${given} is not supported; write ${joinWords(DETAIL_LEVELS, 'or')}`);
  return details;
}

/** Range of widths in pixels: from the narrowest drawing to more than any screen. */
const WIDTH_RANGE = { min: 280, max: 10_000 };

/** @throws UsageError if the value is not a number of pixels in range, or the format is not SVG */
function parseWidth(given: string | undefined, format: string): number | undefined {
  if (given === undefined) return undefined;
  if (format !== 'svg') throw new UsageError(`--width applies only to --format svg; omit it for --format ${format}`);
  const width = /^[0-9]{1,9}$/.test(given) ? Number(given) : 0;
  if (width >= WIDTH_RANGE.min && width <= WIDTH_RANGE.max) return width;
  throw new UsageError(`--width takes a number of pixels from ${WIDTH_RANGE.min} to ${WIDTH_RANGE.max}, not "${given}"`);
}

/** Runs `rolloutkit plan`: reports the plan, and does not fail because of findings. */
export async function runPlanCommand(paths: readonly string[], options: PlanCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(PLAN_RENDERERS, options.format);
  const { from = [] } = options;
  assertChangeOptions(options);
  const details = parseDetails(options.details);
  const width = parseWidth(options.width, options.format);
  const minSeverity = parseMinSeverity(options.minSeverity);
  const planned: PathsPlan & Partial<ChangePlanResult> =
    from.length > 0
      ? await planChangePaths(paths, { ...options, from }, io)
      : await readAndPlan(paths, options, io, (input, plan, limits) =>
          addRefusedObjects(planWithBetterStrategies(input, plan), input, limits),
        );
  const { plan, before, objects } = planned;
  const isSelected = createResourceFilter(options, plan);
  const view: PlanView = {
    plan,
    objects,
    ...(before && { before: () => before().plan }),
    ...(width !== undefined && { width }),
    options: { minSeverity, ...(details && { details }), ...(isSelected && { isSelected }) },
  };
  const isIncomplete = from.length > 0 && hasUnrenderedFolder(plan.findings);
  const notes = options.format === 'svg' ? listPictureNotes(plan.findings) : [];
  return { text: render(view, selectMedium(io, options.output)), notes, exitCode: isIncomplete ? EXIT.unable : EXIT.done };
}

import type { PlanDocument } from '../core/plan-document';
import { joinWords } from '../core/text-format';
import { renderPlanMarkdown } from '../render/change-markdown';
import { renderPlanJson } from '../render/json';
import { renderPlanHtml, renderPlanSvg } from '../render/pictures';
import { filterPlanByResource, dropFindingsBelow } from '../render/filter-plan';
import { DETAIL_LEVELS, renderPlanText } from '../render/text';
import type { DetailLevel, TextOptions } from '../render/text';
import { createResourceFilter, parseMinSeverity } from './resource-filter';
import { EXIT } from './exit-codes';
import { getRenderer } from './formats';
import type { Renderers } from './formats';
import { planChangePaths } from './change-input';
import type { ChangePlanResult } from './change-input';
import { planPaths } from './input';
import type { InputOptions } from './input-options';
import { selectMedium, UsageError } from './io';
import type { Io, CommandResult } from './io';

export interface PlanCommandOptions extends InputOptions {
  readonly format: string;
  readonly output?: string;
  readonly from?: readonly string[];
  readonly apply?: string;
  readonly prune?: boolean;
  readonly resource?: readonly string[];
  readonly namespace?: readonly string[];
  readonly minSeverity?: string;
  readonly details?: string;
  /** Pixels of a picture. */
  readonly width?: string;
}

/** A plan with what of it is to be shown. */
interface PlanView {
  readonly plan: PlanDocument;
  readonly options: TextOptions;
  /** The plan of OLD; absent where no change is planned. */
  readonly before?: () => PlanDocument;
  /** Pixels of a picture. @default - what the picture itself is drawn at */
  readonly width?: number;
}

/** The plan without what was not asked for, where a format has no words of its own for that. */
function filterPlan({ plan, options: { isSelected, minSeverity = 'info' } }: PlanView): PlanDocument {
  const chosen = isSelected ? filterPlanByResource(plan, isSelected) : plan;
  return minSeverity === 'info' ? chosen : dropFindingsBelow(chosen, minSeverity);
}

/** What a picture is drawn beside. */
function toDrawOptions({ before }: PlanView): { readonly before?: PlanDocument } {
  return before ? { before: before() } : {};
}

const RENDERERS: Renderers<'plan', PlanView> = {
  text: ({ plan, options }, medium) => renderPlanText(plan, { ...options, ...medium }),
  json: (view) => renderPlanJson(filterPlan(view)),
  markdown: (view) => renderPlanMarkdown(filterPlan(view)),
  svg: (view) => renderPlanSvg(filterPlan(view), { ...toDrawOptions(view), ...(view.width !== undefined && { width: view.width }) }),
  html: (view) => renderPlanHtml(filterPlan(view), toDrawOptions(view)),
};

/** @throws UsageError naming the levels that there are */
function parseDetails(given: string | undefined): DetailLevel | undefined {
  if (given === undefined) return undefined;
  const details = DETAIL_LEVELS.find((known) => known === given);
  if (!details) throw new UsageError(`--details ${given} is not offered; write ${joinWords(DETAIL_LEVELS, 'or')}`);
  return details;
}

/** Pixels: as narrow as a picture may be, and wider than any screen. */
const WIDTH_RANGE = { least: 280, most: 10_000 };

/** @throws UsageError for what is not a number of pixels, and for a format that is no picture of one width */
function parseWidth(given: string | undefined, format: string): number | undefined {
  if (given === undefined) return undefined;
  if (format !== 'svg') throw new UsageError(`--width is for --format svg, and ${format} has a width of its own; leave it out`);
  const width = /^[0-9]{1,9}$/.test(given) ? Number(given) : 0;
  if (width >= WIDTH_RANGE.least && width <= WIDTH_RANGE.most) return width;
  throw new UsageError(`--width takes a number of pixels from ${WIDTH_RANGE.least} to ${WIDTH_RANGE.most}, not "${given}"`);
}

/** `rolloutkit plan`: a plan reports and does not judge, whatever it finds. */
export async function runPlanCommand(paths: readonly string[], options: PlanCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(RENDERERS, options.format);
  const { from = [] } = options;
  if (from.length === 0 && (options.apply !== undefined || options.prune === true)) {
    throw new UsageError(
      `${options.prune === true ? '--prune' : '--apply'} says how a change reaches the cluster; name what is there with --from`,
    );
  }
  const details = parseDetails(options.details);
  const width = parseWidth(options.width, options.format);
  const minSeverity = parseMinSeverity(options.minSeverity);
  const planned: ChangePlanResult =
    from.length > 0 ? await planChangePaths(paths, { ...options, from }, io) : { plan: await planPaths(paths, options, io) };
  const { plan, before } = planned;
  const isSelected = createResourceFilter(options, plan);
  const view: PlanView = {
    plan,
    ...(before && { before }),
    ...(width !== undefined && { width }),
    options: { minSeverity, ...(details && { details }), ...(isSelected && { isSelected }) },
  };
  return { text: render(view, selectMedium(io, options.output)), exitCode: EXIT.done };
}

import type { PlanDocument } from '../core/plan-document';
import { listed } from '../core/words';
import { renderPlanMarkdown } from '../render/change-markdown';
import { renderPlanJson } from '../render/json';
import { renderPlanHtml, renderPlanSvg } from '../render/pictures';
import { selectedPlan, withoutFindingsBelow } from '../render/selection';
import { DETAILS, renderPlanText } from '../render/text';
import type { Details, TextOptions } from '../render/text';
import { chosenBy, severityOf } from './chosen';
import { EXIT } from './exit-codes';
import { rendererOf } from './formats';
import type { Renderers } from './formats';
import { planChangePaths } from './change-input';
import type { PlannedChangePaths } from './change-input';
import { planPaths } from './input';
import type { InputOptions } from './input-options';
import { mediumOf, UsageError } from './io';
import type { Io, Outcome } from './io';

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
interface ShownPlan {
  readonly plan: PlanDocument;
  readonly options: TextOptions;
  /** The plan of OLD; absent where no change is planned. */
  readonly before?: () => PlanDocument;
  /** Pixels of a picture. @default - what the picture itself is drawn at */
  readonly width?: number;
}

/** The plan without what was not asked for, where a format has no words of its own for that. */
function reduced({ plan, options: { isChosen, minSeverity = 'info' } }: ShownPlan): PlanDocument {
  const chosen = isChosen ? selectedPlan(plan, isChosen) : plan;
  return minSeverity === 'info' ? chosen : withoutFindingsBelow(chosen, minSeverity);
}

/** What a picture is drawn beside. */
function drawn({ before }: ShownPlan): { readonly before?: PlanDocument } {
  return before ? { before: before() } : {};
}

const RENDERERS: Renderers<'plan', ShownPlan> = {
  text: ({ plan, options }, medium) => renderPlanText(plan, { ...options, ...medium }),
  json: (shown) => renderPlanJson(reduced(shown)),
  markdown: (shown) => renderPlanMarkdown(reduced(shown)),
  svg: (shown) => renderPlanSvg(reduced(shown), { ...drawn(shown), ...(shown.width !== undefined && { width: shown.width }) }),
  html: (shown) => renderPlanHtml(reduced(shown), drawn(shown)),
};

/** @throws UsageError naming the levels that there are */
function detailsOf(given: string | undefined): Details | undefined {
  if (given === undefined) return undefined;
  const details = DETAILS.find((known) => known === given);
  if (!details) throw new UsageError(`--details ${given} is not offered; write ${listed(DETAILS, 'or')}`);
  return details;
}

/** Pixels: as narrow as a picture may be, and wider than any screen. */
const WIDTHS = { least: 280, most: 10_000 };

/** @throws UsageError for what is not a number of pixels, and for a format that is no picture of one width */
function widthOf(given: string | undefined, format: string): number | undefined {
  if (given === undefined) return undefined;
  if (format !== 'svg') throw new UsageError(`--width is for --format svg, and ${format} has a width of its own; leave it out`);
  const width = /^[0-9]{1,9}$/.test(given) ? Number(given) : 0;
  if (width >= WIDTHS.least && width <= WIDTHS.most) return width;
  throw new UsageError(`--width takes a number of pixels from ${WIDTHS.least} to ${WIDTHS.most}, not "${given}"`);
}

/** `rolloutkit plan`: a plan reports and does not judge, whatever it finds. */
export async function planCommand(paths: readonly string[], options: PlanCommandOptions, io: Io): Promise<Outcome> {
  const render = rendererOf(RENDERERS, options.format);
  const { from = [] } = options;
  if (from.length === 0 && (options.apply !== undefined || options.prune === true)) {
    throw new UsageError(
      `${options.prune === true ? '--prune' : '--apply'} says how a change reaches the cluster; name what is there with --from`,
    );
  }
  const details = detailsOf(options.details);
  const width = widthOf(options.width, options.format);
  const minSeverity = severityOf(options.minSeverity);
  const planned: PlannedChangePaths =
    from.length > 0 ? await planChangePaths(paths, { ...options, from }, io) : { plan: await planPaths(paths, options, io) };
  const { plan, before } = planned;
  const isChosen = chosenBy(options, plan);
  const shown: ShownPlan = {
    plan,
    ...(before && { before }),
    ...(width !== undefined && { width }),
    options: { minSeverity, ...(details && { details }), ...(isChosen && { isChosen }) },
  };
  return { text: render(shown, mediumOf(io, options.output)), exitCode: EXIT.done };
}

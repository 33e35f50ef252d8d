import type { PlanDocument } from '../core/plan-document';
import { renderPlanMarkdown } from '../render/change-markdown';
import { renderPlanJson } from '../render/json';
import { renderPlanText } from '../render/text';
import { EXIT } from './exit-codes';
import { rendererOf } from './formats';
import type { Renderers } from './formats';
import { planChangePaths } from './change-input';
import { planPaths } from './input';
import type { InputOptions } from './input-options';
import { UsageError, wantsColour } from './io';
import type { Io, Outcome } from './io';

export interface PlanCommandOptions extends InputOptions {
  readonly format: string;
  readonly output?: string;
  readonly from?: readonly string[];
  readonly apply?: string;
  readonly prune?: boolean;
}

const RENDERERS: Renderers<'plan', PlanDocument> = {
  text: (plan, colour) => renderPlanText(plan, { colour }),
  json: renderPlanJson,
  markdown: renderPlanMarkdown,
};

/** `rolloutkit plan`: a plan reports and does not judge, whatever it finds. */
export async function planCommand(paths: readonly string[], options: PlanCommandOptions, io: Io): Promise<Outcome> {
  const render = rendererOf(RENDERERS, options.format);
  const { from = [] } = options;
  if (from.length === 0 && (options.apply !== undefined || options.prune === true)) {
    throw new UsageError(
      `${options.prune === true ? '--prune' : '--apply'} says how a change reaches the cluster; name what is there with --from`,
    );
  }
  const plan = from.length > 0 ? await planChangePaths(paths, { ...options, from }, io) : await planPaths(paths, options, io);
  return { text: render(plan, wantsColour(io, options.output)), exitCode: EXIT.done };
}

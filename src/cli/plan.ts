import type { PlanDocument } from '../core/plan-document';
import { renderPlanJson } from '../render/json';
import { renderPlanText } from '../render/text';
import { EXIT } from './exit-codes';
import { rendererOf } from './formats';
import type { Renderers } from './formats';
import { planPaths } from './input';
import type { InputOptions } from './input';
import { wantsColour } from './io';
import type { Io, Outcome } from './io';

export interface PlanCommandOptions extends InputOptions {
  readonly format: string;
  readonly output?: string;
}

const RENDERERS: Renderers<'plan', PlanDocument> = {
  text: (plan, colour) => renderPlanText(plan, { colour }),
  json: renderPlanJson,
};

/** `rolloutkit plan`: a plan reports and does not judge, whatever it finds. */
export async function planCommand(paths: readonly string[], options: PlanCommandOptions, io: Io): Promise<Outcome> {
  const render = rendererOf(RENDERERS, options.format);
  const plan = await planPaths(paths, options, io);
  return { text: render(plan, wantsColour(io, options.output)), exitCode: EXIT.done };
}

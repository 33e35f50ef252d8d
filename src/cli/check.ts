import type { PlanDocument, PlanSummary } from '../core/plan-document';
import { listed } from '../core/words';
import { renderCheckJson } from '../render/json';
import { renderCheckText } from '../render/text';
import { BARS } from './bars';
import type { Bar } from './bars';
import { EXIT } from './exit-codes';
import { rendererOf } from './formats';
import type { Renderers } from './formats';
import { planPaths } from './input';
import type { InputOptions } from './input';
import { UsageError, wantsColour } from './io';
import type { Io, Outcome } from './io';

export interface CheckCommandOptions extends InputOptions {
  readonly format: string;
  readonly failOn: string;
  readonly requirePlanned?: boolean;
  readonly output?: string;
}

const RENDERERS: Renderers<'check', PlanDocument> = {
  text: (plan, colour) => renderCheckText(plan, { colour }),
  json: renderCheckJson,
};

/** How many findings are at or above a bar. */
const COUNTED: Readonly<Record<Bar, (summary: PlanSummary) => number>> = {
  error: ({ errors }) => errors,
  warning: ({ errors, warnings }) => errors + warnings,
};

/** `rolloutkit check`: a check judges, so it fails when a finding is at or above the bar. */
export async function checkCommand(paths: readonly string[], options: CheckCommandOptions, io: Io): Promise<Outcome> {
  const render = rendererOf(RENDERERS, options.format);
  const bar = BARS.find((known) => known === options.failOn);
  if (!bar) throw new UsageError(`--fail-on ${options.failOn} is not a bar; write ${listed(BARS, 'or')}`);
  const plan = await planPaths(paths, options, io);
  const fails = COUNTED[bar](plan.summary) > 0 || (options.requirePlanned === true && plan.summary.notPlanned > 0);
  return { text: render(plan, wantsColour(io, options.output)), exitCode: fails ? EXIT.failed : EXIT.done };
}

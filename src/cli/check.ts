import type { PlanDocument, PlanSummary } from '../core/plan-document';
import { renderCheckJson } from '../render/json';
import { renderCheckText } from '../render/text';
import { rendererOf } from './formats';
import { planPaths } from './input';
import type { InputOptions } from './input';
import { UsageError, wantsColour } from './io';
import type { Io, Outcome } from './io';

export interface CheckCommandOptions extends InputOptions {
  readonly format: string;
  readonly failOn: string;
  readonly output?: string;
}

const RENDERERS: Readonly<Record<string, (plan: PlanDocument, colour: boolean) => string>> = {
  text: (plan, colour) => renderCheckText(plan, { colour }),
  json: renderCheckJson,
};

/** How many findings are at or above a bar. */
const COUNTED: Readonly<Record<string, (summary: PlanSummary) => number>> = {
  error: ({ errors }) => errors,
  warning: ({ errors, warnings }) => errors + warnings,
};

/** `rolloutkit check`: a check judges, so it exits 1 when a finding is at or above the bar. */
export async function checkCommand(paths: readonly string[], options: CheckCommandOptions, io: Io): Promise<Outcome> {
  const render = rendererOf(RENDERERS, options.format);
  const count = Object.hasOwn(COUNTED, options.failOn) ? COUNTED[options.failOn] : undefined;
  if (!count) throw new UsageError(`--fail-on ${options.failOn} is no bar; write error or warning`);
  const plan = await planPaths(paths, options, io);
  return { text: render(plan, wantsColour(io, options.output)), exitCode: count(plan.summary) > 0 ? 1 : 0 };
}

import type { PlanDiff } from '../core/plan-diff';
import { diffPlans } from '../change/diff';
import { renderDiffJson } from '../render/diff-json';
import { renderDiffMarkdown } from '../render/diff-markdown';
import { renderDiffText } from '../render/diff-text';
import { EXIT } from './exit-codes';
import { rendererOf } from './formats';
import type { Renderers } from './formats';
import { readAndPlan } from './input';
import type { InputOptions } from './input-options';
import { UsageError, wantsColour } from './io';
import type { Io, Outcome } from './io';
import { STDIN } from './named-file';

export interface DiffCommandOptions extends InputOptions {
  readonly format: string;
  readonly failOnRiskier?: boolean;
  readonly output?: string;
}

const RENDERERS: Renderers<'diff', PlanDiff> = {
  text: (diff, colour) => renderDiffText(diff, { colour }),
  json: renderDiffJson,
  markdown: renderDiffMarkdown,
};

/** `rolloutkit diff`: it reports whatever differs, and judges where it is asked to. Both sides are planned with the same options. */
export async function diffCommand(oldPath: string, newPath: string, options: DiffCommandOptions, io: Io): Promise<Outcome> {
  const render = rendererOf(RENDERERS, options.format);
  if (oldPath === STDIN && newPath === STDIN) {
    throw new UsageError('- stands for both OLD and NEW, and standard input can be read once; name a file or a folder for one of them');
  }
  const before = await readAndPlan([oldPath], options, io);
  const after = await readAndPlan([newPath], options, io);
  const diff = diffPlans(before.plan, after.plan, { old: before.objects, new: after.objects });
  const fails = options.failOnRiskier === true && diff.riskier;
  return { text: render(diff, wantsColour(io, options.output)), exitCode: fails ? EXIT.failed : EXIT.done };
}

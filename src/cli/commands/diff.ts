import type { PlanDiff } from '../../core/document/plan-diff';
import { hasUnrenderedFolder } from '../../core/rules/not-rendered';
import { renderDiffJson } from '../../render/json/diff';
import { renderDiffMarkdown } from '../../render/markdown/diff';
import { renderDiffText } from '../../render/text/diff';
import { EXIT } from '../output/exit-codes';
import { getRenderer } from '../options/formats';
import type { Renderers } from '../options/formats';
import { diffPaths } from '../input/change-input';
import type { InputOptions } from '../options/input-options';
import { selectMedium, UsageError } from '../output/io';
import type { Io, CommandResult } from '../output/io';
import { STDIN } from '../options/option-file';

export interface DiffCommandOptions extends InputOptions {
  readonly format: string;
  readonly failOnRiskier?: boolean;
  readonly output?: string;
  readonly apply?: string;
  readonly prune?: boolean;
}

const RENDERERS: Renderers<'diff', PlanDiff> = {
  text: renderDiffText,
  json: renderDiffJson,
  markdown: renderDiffMarkdown,
};

/**
 * Runs `rolloutkit diff`: reports all differences, and fails only with `--fail-on-riskier`.
 *
 * Plans both sides with the same options: each side separately to compare their behavior, and NEW over OLD to show the effect of applying it.
 */
export async function runDiffCommand(oldPath: string, newPath: string, options: DiffCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(RENDERERS, options.format);
  if (oldPath === STDIN && newPath === STDIN) {
    throw new UsageError(
      '- is given for both OLD and NEW, but standard input can be read only once; name a file or a folder for one of them',
    );
  }
  const diff = await diffPaths(oldPath, newPath, options, io);
  const fails = options.failOnRiskier === true && (diff.riskier || diff.unread !== undefined);
  const isIncomplete = diff.unread !== undefined && hasUnrenderedFolder([...diff.unread.old, ...diff.unread.new]);
  const exitCode = isIncomplete ? EXIT.unable : fails ? EXIT.failed : EXIT.done;
  return { text: render(diff, selectMedium(io, options.output)), exitCode };
}

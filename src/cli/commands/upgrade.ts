import { shouldFailAt } from '../../core/findings/severity';
import { collectFindings } from '../../core/document/plan-document';
import { hasUnrenderedFolder } from '../../core/rules/not-rendered';
import { resolvePlanBudget } from '../../plan/plan-budget';
import { planUpgrade } from '../../upgrade/plan-upgrade';
import { parseUpgrade, UpgradeError } from '../../upgrade/version-pair';
import type { KnownUpgrade } from '../../upgrade/version-pair';
import { EXIT } from '../output/exit-codes';
import { getRenderer } from '../options/formats';
import { selectMedium, UsageError } from '../output/io';
import type { CommandResult, Io } from '../output/io';
import { withPlanningProgress } from '../output/progress';
import { parseDetails, PLAN_RENDERERS } from './plan';
import type { PlanView } from './plan';
import { parseMinSeverity, parseThreshold } from '../options/option-groups';
import { createResourceFilter } from '../options/resource-filter';
import { withTimeoutError } from '../input/time-limit';
import { readUpgradeInput } from '../input/upgrade-input';
import type { UpgradeInputOptions } from '../input/upgrade-input';
import { listPictureNotes } from '../input/unread-input';

export interface UpgradeCommandOptions extends UpgradeInputOptions {
  readonly format: string;
  readonly output?: string;
  readonly failOn: string;
  readonly resource?: readonly string[];
  readonly minSeverity?: string;
  readonly details?: string;
}

/** @throws UsageError for an upgrade whose differences are not known */
function readUpgrade(text: string): KnownUpgrade {
  try {
    return parseUpgrade(text);
  } catch (error) {
    throw error instanceof UpgradeError ? new UsageError(error.message) : error;
  }
}

/** Runs `rolloutkit upgrade`: reports what the new version of an operator rolls, and fails only with `--fail-on`. */
export async function runUpgradeCommand(
  text: string,
  paths: readonly string[],
  options: UpgradeCommandOptions,
  io: Io,
): Promise<CommandResult> {
  const render = getRenderer(PLAN_RENDERERS, options.format);
  const upgrade = readUpgrade(text);
  const threshold = parseThreshold(options.failOn);
  const details = parseDetails(options.details);
  const minSeverity = parseMinSeverity(options.minSeverity);
  if (paths.length === 0 && (options.from ?? []).length === 0) {
    throw new UsageError('there is nothing to plan the upgrade for; name a PATH, or --from cluster');
  }
  const given = (options.versions ?? []).find((pair) => pair.startsWith(`${upgrade.product}=`));
  if (given !== undefined)
    throw new UsageError(`--versions ${given} names the operator that is upgraded; omit it: ${text} says both versions`);
  const { input, configs, planOptions, finish } = await readUpgradeInput(paths, upgrade, options, io);
  const { seconds } = resolvePlanBudget(planOptions.budget);
  const planned = withPlanningProgress(input.objects.length, io, () =>
    withTimeoutError(seconds, 'comparing the versions', () => planUpgrade(input, upgrade, configs, planOptions)),
  );
  const plan = finish(planned);
  const isSelected = createResourceFilter(options, plan);
  const view: PlanView = {
    plan,
    objects: input.objects,
    options: { minSeverity, ...(details && { details }), ...(isSelected && { isSelected }) },
  };
  const fails = collectFindings(plan).some(({ severity, suppressed }) => !suppressed && shouldFailAt(threshold, severity));
  const exitCode = hasUnrenderedFolder(plan.findings) ? EXIT.unable : fails ? EXIT.failed : EXIT.done;
  const notes = options.format === 'svg' ? listPictureNotes(plan.findings) : [];
  return { text: render(view, selectMedium(io, options.output)), notes, exitCode };
}

import { adviseInput } from '../../advise/advise';
import type { AdvicePlanner } from '../../advise/advise';
import { GoalError, hasLimits, validateGoal } from '../../advise/goal';
import { incompleteInformation } from '../../change/rules/incomplete-information';
import type { AdviceDocument, RolloutGoal } from '../../core/document/advice';
import { escapeForTerminal } from '../../core/text/escape-output';
import type { ResourceRef } from '../../core/document/rollout';
import { DEFAULT_BUDGET } from '../../input/read-budget';
import { planInput } from '../../plan/plan';
import type { PlanInput } from '../../plan/plan-input';
import type { PlanOptions } from '../../plan/plan-options';
import { renderAdviceHtml, renderAdviceSvg } from '../../render/advice-pictures';
import { renderAdviceJson } from '../../render/json/advice';
import { renderAdviceMarkdown } from '../../render/markdown/advice';
import { renderAdviceText } from '../../render/text/advice';
import { createChangePlanner } from './advise-change';
import { readChangedInput } from '../input/change-input';
import { EXIT } from '../output/exit-codes';
import { getRenderer } from '../options/formats';
import type { Renderers } from '../options/formats';
import { readPlannableInput } from '../input/input';
import type { InputOptions } from '../options/input-options';
import { selectMedium, UsageError } from '../output/io';
import type { Io, CommandResult } from '../output/io';
import { createResourceNotFoundError, matchesResource, parseResourceName } from '../options/resource-name';
import { withPlanningProgress } from '../output/progress';
import { withTimeoutError } from '../input/time-limit';
import { listUnreadInput } from '../input/unread-input';

export interface AdviseCommandOptions extends InputOptions {
  readonly from?: readonly string[];
  readonly format: string;
  readonly output?: string;
  readonly resource?: readonly string[];
  readonly available?: string;
  readonly extraPods?: string;
  readonly extraGpus?: string;
  readonly within?: string;
  readonly prefer?: string;
}

const RENDERERS: Renderers<'advise', AdviceDocument> = {
  text: renderAdviceText,
  json: renderAdviceJson,
  markdown: renderAdviceMarkdown,
  svg: renderAdviceSvg,
  html: renderAdviceHtml,
};

/** Options of the fields of a goal. */
const GOAL_OPTIONS: Readonly<Record<keyof RolloutGoal, string>> = {
  available: '--available',
  extraPods: '--extra-pods',
  extraGpus: '--extra-gpus',
  within: '--within',
  prefer: '--prefer',
};

/** Reads a number of pods as a number. Returns anything else, such as a percentage, as it is written. */
function readNumber(text: string): unknown {
  return /^[0-9]{1,10}$/.test(text) ? Number(text) : text;
}

/** @throws UsageError with the option that cannot be read */
function readGoal({ available, extraPods, extraGpus, within, prefer }: AdviseCommandOptions): RolloutGoal {
  const goal = {
    ...(available !== undefined && { available: readNumber(available) }),
    ...(extraPods !== undefined && { extraPods: readNumber(extraPods) }),
    ...(extraGpus !== undefined && { extraGpus: readNumber(extraGpus) }),
    ...(within !== undefined && { within }),
    ...(prefer !== undefined && { prefer }),
  } as RolloutGoal;
  try {
    return validateGoal(goal);
  } catch (error) {
    if (error instanceof GoalError) throw new UsageError(`${GOAL_OPTIONS[error.field as keyof RolloutGoal]} ${error.message}`);
    throw error;
  }
}

/** Objects to advise on, and how they are planned. */
interface AdvisedInput {
  readonly input: PlanInput;
  readonly planOptions: PlanOptions;
  /** Planner of a change. @default - each object is planned from rest */
  readonly plan?: AdvicePlanner;
  /** Manifests before a change. @default - there is no change */
  readonly old?: Pick<PlanInput, 'findings'>;
}

async function readAdvisedInput(paths: readonly string[], options: AdviseCommandOptions, io: Io): Promise<AdvisedInput> {
  const { from = [] } = options;
  if (from.length === 0) return readPlannableInput(paths, options, io);
  const changed = await readChangedInput(paths, { ...options, from }, io);
  // An advice has no findings, so what limits its knowledge is said here.
  for (const { code, message } of changed.old.findings ?? [])
    if (code === incompleteInformation.code) io.stderr.write(`rolloutkit: ${escapeForTerminal(message)}\n`);
  return { input: changed.next, planOptions: changed.options, plan: createChangePlanner(changed), old: changed.old };
}

/** Runs `rolloutkit advise`: shows the strategies of each rollout that no other beats, and fails if a goal cannot be met, or if a part of the input is not read: a quota may be there. */
export async function runAdviseCommand(paths: readonly string[], options: AdviseCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(RENDERERS, options.format);
  const goal = readGoal(options);
  const selectors = (options.resource ?? []).map((name) => ({ name, selector: parseResourceName(name) }));
  const { input, planOptions, plan = planInput, old = {} } = await readAdvisedInput(paths, options, io);
  const resources: ResourceRef[] = [];
  const isSelected = ({ resource }: { readonly resource: ResourceRef }) => {
    resources.push(resource);
    return selectors.length === 0 || selectors.some(({ selector }) => matchesResource(resource, selector));
  };
  let unread = listUnreadInput(old.findings ?? []);
  const planAndCollect: AdvicePlanner = (each, settings) => {
    const document = plan(each, settings);
    unread = [...new Set([...unread, ...listUnreadInput(document.findings)])];
    return document;
  };
  const advise = () =>
    withPlanningProgress(input.objects.length, io, () => adviseInput(input, planOptions, goal, isSelected, planAndCollect));
  const { seconds } = { ...DEFAULT_BUDGET, ...planOptions.budget };
  const advice = withTimeoutError(seconds, 'the advice', advise, { reduce: 'name fewer rollouts with --resource' });
  for (const { name, selector } of selectors) {
    if (!resources.some((resource) => matchesResource(resource, selector))) throw createResourceNotFoundError(name, selector, resources);
  }
  const isUnmet = hasLimits(goal) && advice.rollouts.some(({ unmet }) => unmet !== undefined);
  const exitCode = unread.length > 0 ? EXIT.unable : isUnmet ? EXIT.failed : EXIT.done;
  return { text: render(advice, selectMedium(io, options.output)), notes: unread, exitCode };
}

import type { RolloutExplanation, Explanation } from '../../core/document/explanation';
import type { Finding } from '../../core/findings/finding';
import type { PlanDocument } from '../../core/document/plan-document';
import type { PlannedRollout } from '../../core/document/rollout';
import type { RunBudget } from '../../input/read-budget';
import { measureSize, truncateToBudget } from '../../plan/plan-budget';
import { RejectionReasons } from '../../plan/rejection-reasons';
import { renderExplanation } from '../../render/text/explain';
import { renderExplanationJson } from '../../render/json/explain';
import { EXIT } from '../output/exit-codes';
import { getRenderer } from '../options/formats';
import { parseBudget } from '../options/plan-options';
import type { Renderers } from '../options/formats';
import { planPaths } from '../input/input';
import type { InputOptions } from '../options/input-options';
import { selectMedium, UsageError } from '../output/io';
import type { Io, CommandResult } from '../output/io';
import { matchesResource, createResourceNotFoundError, formatResourceArgument, parseResourceName } from '../options/resource-name';
import { listUnreadInput } from '../input/unread-input';

export interface ExplainCommandOptions extends InputOptions {
  readonly format: string;
  readonly output?: string;
  /** Resource to explain. @default - all rollouts */
  readonly resource?: string;
  readonly component?: string;
  readonly field?: string;
}

const RENDERERS: Renderers<'explain', Explanation> = {
  text: renderExplanation,
  json: renderExplanationJson,
};

function filterByName(resource: string | undefined, rollouts: readonly PlannedRollout[]): readonly PlannedRollout[] {
  if (resource === undefined) return rollouts;
  const selector = parseResourceName(resource);
  const found = rollouts.filter((rollout) => matchesResource(rollout.resource, selector));
  if (found.length === 0)
    throw createResourceNotFoundError(
      resource,
      selector,
      rollouts.map((rollout) => rollout.resource),
    );
  const names = [...new Set(found.map((rollout) => formatResourceArgument(rollout.resource)))];
  if (names.length > 1) throw new UsageError(`${resource} matches ${names.join(', ')}; write one of them`);
  return found;
}

/** Describes where a component or field was searched: the resource, or the input. */
function describeScope(resource: string | undefined, found: readonly PlannedRollout[]): string {
  return resource === undefined ? 'the input' : formatResourceArgument(found[0]!.resource);
}

function filterByComponent(found: readonly PlannedRollout[], { resource, component }: ExplainCommandOptions): readonly PlannedRollout[] {
  if (component === undefined) return found;
  const chosen = found.filter((rollout) => rollout.resource.component === component);
  if (chosen.length > 0) return chosen;
  const components = [...new Set(found.flatMap((rollout) => rollout.resource.component ?? []))];
  // A rejected object has no components and no strategy. The explanation says why.
  if (components.length === 0 && found.every(({ strategy }) => strategy === null)) return found;
  const help = components.length === 0 ? ', nor any other; omit --component' : `; write one of ${components.join(', ')}`;
  throw new UsageError(`${describeScope(resource, found)} has no component "${component}"${help}`);
}

/** Keeps the rollouts that have the field, and those without any field, because their explanation says why. */
function filterByField(chosen: readonly PlannedRollout[], { resource, field }: ExplainCommandOptions): readonly PlannedRollout[] {
  if (field === undefined) return chosen;
  const fields = [...new Set(chosen.flatMap((rollout) => rollout.provenance.map((provenance) => provenance.field)))];
  if (fields.length > 0 && !fields.includes(field)) {
    throw new UsageError(`${describeScope(resource, chosen)} has no field "${field}"; write one of ${fields.join(', ')}`);
  }
  return chosen
    .map((rollout) => ({ rollout, provenance: rollout.provenance.filter((entry) => entry.field === field) }))
    .filter(({ rollout, provenance }) => provenance.length > 0 || rollout.provenance.length === 0)
    .map(({ rollout, provenance }) => ({ ...rollout, provenance }));
}

function explainRollout(rollout: PlannedRollout, findings: readonly Finding[]): RolloutExplanation {
  const { system, resource, unit, strategy, provenance, simulation } = rollout;
  const explanation = { system, resource, ...(unit !== undefined && { unit }), strategy, provenance };
  if (strategy !== null) return explanation;
  return { ...explanation, noStrategy: { because: simulation?.kind === 'revision' ? 'revision' : 'findings', findings } };
}

/** Explains rollouts, and omits what exceeds the output budget: each rollout may list all errors of its system. */
function explainWithinBudget(
  chosen: readonly PlannedRollout[],
  shown: readonly Finding[],
  { findings: all }: PlanDocument,
  budget: RunBudget,
): { readonly rollouts: readonly RolloutExplanation[]; readonly findings: readonly Finding[] } {
  const reasons = new RejectionReasons(all);
  const listReasons = (rollout: PlannedRollout) => (rollout.simulation?.kind === 'revision' ? [] : reasons.listsOf(rollout));
  const sizes = new WeakMap<readonly Finding[], number>();
  const measureList = (list: readonly Finding[]) => {
    const size = sizes.get(list) ?? measureSize(list);
    sizes.set(list, size);
    return size;
  };
  const measure = (rollout: PlannedRollout) =>
    listReasons(rollout).reduce((sum, list) => sum + measureList(list), measureSize(explainRollout(rollout, [])));
  const { rollouts, findings } = truncateToBudget({ rollouts: chosen, findings: shown }, budget, measure);
  return { rollouts: rollouts.map((rollout) => explainRollout(rollout, listReasons(rollout).flat())), findings };
}

/** Runs `rolloutkit explain`: shows which level of configuration sets each field, for one resource or for all rollouts. */
export async function runExplainCommand(paths: readonly string[], options: ExplainCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(RENDERERS, options.format);
  const plan = await planPaths(paths, options, io);
  const chosen = filterByField(filterByComponent(filterByName(options.resource, plan.rollouts), options), options);
  const { formatVersion, notPlanned, findings: all } = plan;
  const isWhole = options.resource === undefined;
  const { rollouts, findings } = explainWithinBudget(chosen, isWhole ? all : [], plan, parseBudget(options.budget ?? []));
  const explanation: Explanation = { formatVersion, rollouts, ...(isWhole && { notPlanned, findings }) };
  const notes = isWhole ? [] : listUnreadInput([...all, ...findings]);
  return { text: render(explanation, selectMedium(io, options.output)), notes, exitCode: EXIT.done };
}

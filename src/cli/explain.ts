import type { RolloutExplanation, Explanation } from '../core/explanation';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { collectRejectionReasons } from '../plan/rejection-reasons';
import { renderExplanation } from '../render/explain';
import { renderExplanationJson } from '../render/explain-json';
import { EXIT } from './exit-codes';
import { getRenderer } from './formats';
import type { Renderers } from './formats';
import { planPaths } from './input';
import type { InputOptions } from './input-options';
import { selectMedium, UsageError } from './io';
import type { Io, CommandResult } from './io';
import { matchesResource, createResourceNotFoundError, formatResourceArgument, parseResourceName } from './resource-name';

export interface ExplainCommandOptions extends InputOptions {
  readonly format: string;
  readonly output?: string;
  /** @default - every rollout is explained */
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
  if (names.length > 1) throw new UsageError(`${resource} stands for ${names.join(', ')}; write one of them`);
  return found;
}

/** What a component or a field is looked for in: the resource by its name, or all that there is. */
function describeScope(resource: string | undefined, found: readonly PlannedRollout[]): string {
  return resource === undefined ? 'the input' : formatResourceArgument(found[0]!.resource);
}

function filterByComponent(found: readonly PlannedRollout[], { resource, component }: ExplainCommandOptions): readonly PlannedRollout[] {
  if (component === undefined) return found;
  const chosen = found.filter((rollout) => rollout.resource.component === component);
  if (chosen.length > 0) return chosen;
  const components = [...new Set(found.flatMap((rollout) => rollout.resource.component ?? []))];
  // What is refused as a whole has neither components nor a strategy: the explanation says why.
  if (components.length === 0 && found.every(({ strategy }) => strategy === null)) return found;
  const hint = components.length === 0 ? 'it has none; leave --component out' : `write one of ${components.join(', ')}`;
  throw new UsageError(`${describeScope(resource, found)} has no component "${component}"; ${hint}`);
}

/** The rollouts that have the field, and those where no field was decided: the explanation says why, whichever is asked for. */
function filterByField(chosen: readonly PlannedRollout[], { resource, field }: ExplainCommandOptions): readonly PlannedRollout[] {
  if (field === undefined) return chosen;
  const fields = [...new Set(chosen.flatMap((rollout) => rollout.provenance.map((provenance) => provenance.field)))];
  if (fields.length > 0 && !fields.includes(field)) {
    throw new UsageError(`${describeScope(resource, chosen)} has no field "${field}"; write one of ${fields.join(', ')}`);
  }
  return chosen
    .map((rollout) => ({ rollout, own: rollout.provenance.filter((provenance) => provenance.field === field) }))
    .filter(({ rollout, own }) => own.length > 0 || rollout.provenance.length === 0)
    .map(({ rollout, own }) => ({ ...rollout, provenance: own }));
}

function explainRollout(rollout: PlannedRollout, plan: PlanDocument): RolloutExplanation {
  const { system, resource, unit, strategy, provenance, simulation } = rollout;
  const shown = { system, resource, ...(unit !== undefined && { unit }), strategy, provenance };
  if (strategy !== null) return shown;
  if (simulation?.kind === 'revision') return { ...shown, noStrategy: { because: 'revision', findings: [] } };
  return { ...shown, noStrategy: { because: 'findings', findings: collectRejectionReasons(rollout, plan) } };
}

/** `rolloutkit explain`: which level of configuration decided each field, of one resource or of all that is planned. */
export async function runExplainCommand(paths: readonly string[], options: ExplainCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(RENDERERS, options.format);
  const plan = await planPaths(paths, options, io);
  const chosen = filterByField(filterByComponent(filterByName(options.resource, plan.rollouts), options), options);
  const { formatVersion, notPlanned, findings } = plan;
  const explanation: Explanation = {
    formatVersion,
    rollouts: chosen.map((rollout) => explainRollout(rollout, plan)),
    ...(options.resource === undefined && { notPlanned, findings }),
  };
  return { text: render(explanation, selectMedium(io, options.output)), exitCode: EXIT.done };
}

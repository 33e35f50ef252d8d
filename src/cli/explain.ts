import type { ExplainedRollout, Explanation } from '../core/explanation';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { refusalReasons } from '../plan/refusal';
import { renderExplanation } from '../render/explain';
import { renderExplanationJson } from '../render/explain-json';
import { EXIT } from './exit-codes';
import { rendererOf } from './formats';
import type { Renderers } from './formats';
import { planPaths } from './input';
import type { InputOptions } from './input-options';
import { mediumOf, UsageError } from './io';
import type { Io, Outcome } from './io';
import { matches, missing, nameOf, wantedOf } from './resource-name';

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

function withName(resource: string | undefined, rollouts: readonly PlannedRollout[]): readonly PlannedRollout[] {
  if (resource === undefined) return rollouts;
  const wanted = wantedOf(resource);
  const found = rollouts.filter((rollout) => matches(rollout.resource, wanted));
  if (found.length === 0)
    throw missing(
      resource,
      wanted,
      rollouts.map((rollout) => rollout.resource),
    );
  const names = [...new Set(found.map((rollout) => nameOf(rollout.resource)))];
  if (names.length > 1) throw new UsageError(`${resource} stands for ${names.join(', ')}; write one of them`);
  return found;
}

/** What a component or a field is looked for in: the resource by its name, or all that there is. */
function whereText(resource: string | undefined, found: readonly PlannedRollout[]): string {
  return resource === undefined ? 'the input' : nameOf(found[0]!.resource);
}

function withComponent(found: readonly PlannedRollout[], { resource, component }: ExplainCommandOptions): readonly PlannedRollout[] {
  if (component === undefined) return found;
  const chosen = found.filter((rollout) => rollout.resource.component === component);
  if (chosen.length > 0) return chosen;
  const components = [...new Set(found.flatMap((rollout) => rollout.resource.component ?? []))];
  // What is refused as a whole has neither components nor a strategy: the explanation says why.
  if (components.length === 0 && found.every(({ strategy }) => strategy === null)) return found;
  const offered = components.length === 0 ? 'it has none; leave --component out' : `write one of ${components.join(', ')}`;
  throw new UsageError(`${whereText(resource, found)} has no component "${component}"; ${offered}`);
}

/** The rollouts that have the field, and those where no field was decided: the explanation says why, whichever is asked for. */
function withField(chosen: readonly PlannedRollout[], { resource, field }: ExplainCommandOptions): readonly PlannedRollout[] {
  if (field === undefined) return chosen;
  const fields = [...new Set(chosen.flatMap((rollout) => rollout.provenance.map((provenance) => provenance.field)))];
  if (fields.length > 0 && !fields.includes(field)) {
    throw new UsageError(`${whereText(resource, chosen)} has no field "${field}"; write one of ${fields.join(', ')}`);
  }
  return chosen
    .map((rollout) => ({ rollout, own: rollout.provenance.filter((provenance) => provenance.field === field) }))
    .filter(({ rollout, own }) => own.length > 0 || rollout.provenance.length === 0)
    .map(({ rollout, own }) => ({ ...rollout, provenance: own }));
}

function explained(rollout: PlannedRollout, plan: PlanDocument): ExplainedRollout {
  const { system, resource, unit, strategy, provenance, simulation } = rollout;
  const shown = { system, resource, ...(unit !== undefined && { unit }), strategy, provenance };
  if (strategy !== null) return shown;
  if (simulation?.kind === 'revision') return { ...shown, noStrategy: { because: 'revision', findings: [] } };
  return { ...shown, noStrategy: { because: 'findings', findings: refusalReasons(rollout, plan) } };
}

/** `rolloutkit explain`: which level of configuration decided each field, of one resource or of all that is planned. */
export async function explainCommand(paths: readonly string[], options: ExplainCommandOptions, io: Io): Promise<Outcome> {
  const render = rendererOf(RENDERERS, options.format);
  const plan = await planPaths(paths, options, io);
  const chosen = withField(withComponent(withName(options.resource, plan.rollouts), options), options);
  const { formatVersion, notPlanned, findings } = plan;
  const explanation: Explanation = {
    formatVersion,
    rollouts: chosen.map((rollout) => explained(rollout, plan)),
    ...(options.resource === undefined && { notPlanned, findings }),
  };
  return { text: render(explanation, mediumOf(io, options.output)), exitCode: EXIT.done };
}

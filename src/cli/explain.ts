import type { PlannedRollout } from '../core/rollout';
import { refusalReasons } from '../plan/refusal';
import { renderExplanation } from '../render/explain';
import { EXIT } from './exit-codes';
import { planPaths } from './input';
import type { InputOptions } from './input-options';
import { mediumOf, UsageError } from './io';
import type { Io, Outcome } from './io';
import { matches, missing, nameOf, wantedOf } from './resource-name';

export interface ExplainCommandOptions extends InputOptions {
  readonly resource: string;
  readonly component?: string;
  readonly field?: string;
}

function find(resource: string, rollouts: readonly PlannedRollout[]): readonly PlannedRollout[] {
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

function withComponent(found: readonly PlannedRollout[], component: string | undefined): readonly PlannedRollout[] {
  if (component === undefined) return found;
  const chosen = found.filter((rollout) => rollout.resource.component === component);
  if (chosen.length > 0) return chosen;
  const components = found.flatMap((rollout) => rollout.resource.component ?? []);
  const offered = components.length === 0 ? 'it has none; leave --component out' : `write one of ${components.join(', ')}`;
  throw new UsageError(`${nameOf(found[0]!.resource)} has no component "${component}"; ${offered}`);
}

/** Where no field was decided, the explanation says why, whichever field is asked for. */
function checkField(chosen: readonly PlannedRollout[], field: string | undefined): void {
  const fields = [...new Set(chosen.flatMap((rollout) => rollout.provenance.map((provenance) => provenance.field)))];
  if (field === undefined || fields.length === 0 || fields.includes(field)) return;
  throw new UsageError(`${nameOf(chosen[0]!.resource)} has no field "${field}"; write one of ${fields.join(', ')}`);
}

/** `rolloutkit explain`: which level of configuration decided each field of one resource. */
export async function explainCommand(paths: readonly string[], options: ExplainCommandOptions, io: Io): Promise<Outcome> {
  const plan = await planPaths(paths, options, io);
  const chosen = withComponent(find(options.resource, plan.rollouts), options.component);
  checkField(chosen, options.field);
  const explained = chosen.map((rollout) => ({ rollout, refusals: refusalReasons(rollout, plan) }));
  const text = renderExplanation(explained, options.field, mediumOf(io, undefined));
  return { text, exitCode: EXIT.done };
}

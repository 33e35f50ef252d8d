import { distance } from 'fastest-levenshtein';
import type { ResourceRef, PlannedRollout } from '../core/rollout';
import { refusalReasons } from '../plan/refusal';
import { renderExplanation } from '../render/explain';
import { EXIT } from './exit-codes';
import { planPaths } from './input';
import type { InputOptions } from './input-options';
import { UsageError, wantsColour } from './io';
import type { Io, Outcome } from './io';

export interface ExplainCommandOptions extends InputOptions {
  readonly resource: string;
  readonly component?: string;
  readonly field?: string;
}

interface Wanted {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** How many resources an error lists. */
const LISTED = 5;

function wantedOf(resource: string): Wanted {
  const parts = resource.split('/');
  const [kind = '', ...path] = parts;
  if (parts.length < 2 || parts.length > 3 || parts.includes('')) {
    throw new UsageError(`--resource takes KIND/NAME or KIND/NAMESPACE/NAME, not "${resource}"; write for example Deployment/shop/web`);
  }
  return path.length === 2 ? { kind, namespace: path[0]!, name: path[1]! } : { kind, name: path[0]! };
}

/** As `--resource` names it: `Deployment/shop/web`. */
function nameOf({ kind, namespace, name }: ResourceRef): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}

function matches({ kind, namespace, name }: ResourceRef, wanted: Wanted): boolean {
  return (
    kind.toLowerCase() === wanted.kind.toLowerCase() &&
    name === wanted.name &&
    (wanted.namespace === undefined || wanted.namespace === namespace)
  );
}

/** A namespace that was not given does not make a resource any farther. */
function distanceTo(wanted: Wanted, { kind, namespace, name }: ResourceRef): number {
  const text = (resource: Wanted) => nameOf({ apiVersion: '', ...resource }).toLowerCase();
  return distance(text(wanted), text({ kind, name, ...(wanted.namespace !== undefined && { namespace }) }));
}

function missing(resource: string, wanted: Wanted, rollouts: readonly PlannedRollout[]): UsageError {
  const sorted = rollouts
    .map((rollout) => ({ name: nameOf(rollout.resource), far: distanceTo(wanted, rollout.resource) }))
    .toSorted((a, b) => a.far - b.far);
  const names = [...new Set(sorted.map(({ name }) => name))];
  if (names.length === 0) return new UsageError(`there is no ${resource}: the input holds no rollout`);
  const nearest = names.slice(0, LISTED);
  const more = names.length > nearest.length ? ` and ${names.length - nearest.length} more` : '';
  return new UsageError(`there is no ${resource} among the rollouts; nearest are ${nearest.join(', ')}${more}`);
}

function find(resource: string, rollouts: readonly PlannedRollout[]): readonly PlannedRollout[] {
  const wanted = wantedOf(resource);
  const found = rollouts.filter((rollout) => matches(rollout.resource, wanted));
  if (found.length === 0) throw missing(resource, wanted, rollouts);
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
  const text = renderExplanation(explained, options.field, { colour: wantsColour(io, undefined) });
  return { text, exitCode: EXIT.done };
}

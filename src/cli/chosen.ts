import type { Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { SEVERITIES } from '../core/severity';
import { listed } from '../core/words';
import type { IsChosen } from '../render/selection';
import { UsageError } from './io';
import { matches, missing, wantedOf } from './resource-name';

/** What of a plan is asked for. */
export interface ChosenOptions {
  readonly resource?: readonly string[];
  readonly namespace?: readonly string[];
}

function resourcesOf({ rollouts, change }: PlanDocument): ResourceRef[] {
  return [...rollouts.map(({ resource }) => resource), ...(change?.objects ?? []).map(({ resource }) => resource)];
}

/**
 * Which resources are asked for; undefined where all are.
 *
 * @throws UsageError for a resource or a namespace of which the plan has nothing
 */
export function chosenBy({ resource = [], namespace = [] }: ChosenOptions, plan: PlanDocument): IsChosen | undefined {
  if (resource.length === 0 && namespace.length === 0) return undefined;
  const known = resourcesOf(plan);
  const wanted = resource.map((name) => {
    const one = wantedOf(name);
    if (!known.some((each) => matches(each, one))) throw missing(name, one, known);
    return one;
  });
  const namespaces = [...new Set(known.flatMap((each) => each.namespace ?? []))];
  for (const name of namespace) {
    if (namespaces.includes(name)) continue;
    const there = namespaces.length === 0 ? 'none of its objects names one' : `write ${listed(namespaces.slice(0, 5), 'or')}`;
    throw new UsageError(`--namespace ${name} is none of this plan; ${there}`);
  }
  return (each) =>
    (wanted.length === 0 || wanted.some((one) => matches(each, one))) &&
    (namespace.length === 0 || namespace.includes(each.namespace ?? ''));
}

/** @throws UsageError naming the severities that there are */
export function severityOf(given: string | undefined): Severity {
  const severity = SEVERITIES.find((known) => known === (given ?? 'info'));
  if (!severity) throw new UsageError(`--min-severity ${given} is not a severity; write ${listed(SEVERITIES, 'or')}`);
  return severity;
}

import type { PlanDocument } from '../../core/document/plan-document';
import type { ResourceRef } from '../../core/document/rollout';
import { joinWords } from '../../core/text/text-format';
import type { ResourcePredicate } from '../../render/filter-plan';
import { UsageError } from '../output/io';
import { matchesResource, createResourceNotFoundError, parseResourceName } from './resource-name';

/** Options that select a part of a plan. */
export interface ResourceFilterOptions {
  readonly resource?: readonly string[];
  readonly namespace?: readonly string[];
}

function listResources({ rollouts, change }: PlanDocument): ResourceRef[] {
  return [...rollouts.map(({ resource }) => resource), ...(change?.objects ?? []).map(({ resource }) => resource)];
}

/**
 * Creates a predicate for the selected resources. Returns undefined if all are selected.
 *
 * @throws UsageError if a resource or namespace is not in the plan
 */
export function createResourceFilter(
  { resource = [], namespace = [] }: ResourceFilterOptions,
  plan: PlanDocument,
): ResourcePredicate | undefined {
  if (resource.length === 0 && namespace.length === 0) return undefined;
  const known = listResources(plan);
  const selectors = resource.map((name) => {
    const selector = parseResourceName(name);
    if (!known.some((each) => matchesResource(each, selector))) throw createResourceNotFoundError(name, selector, known);
    return selector;
  });
  const namespaces = [...new Set(known.flatMap((each) => each.namespace ?? []))];
  for (const name of namespace) {
    if (namespaces.includes(name)) continue;
    const help =
      namespaces.length === 0 ? 'omit it, because no object has a namespace' : `write ${joinWords(namespaces.slice(0, 5), 'or')}`;
    throw new UsageError(`--namespace ${name} is not in this plan; ${help}`);
  }
  return (each) =>
    (selectors.length === 0 || selectors.some((selector) => matchesResource(each, selector))) &&
    (namespace.length === 0 || namespace.includes(each.namespace ?? ''));
}

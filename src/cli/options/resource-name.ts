import { distance } from 'fastest-levenshtein';
import type { ResourceRef } from '../../core/document/rollout';
import { UsageError } from '../output/io';

/** Resource that `--resource` selects. */
interface ResourceSelector {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Maximum number of resources that an error lists. */
const MAX_SUGGESTIONS = 5;

export function parseResourceName(resource: string): ResourceSelector {
  const parts = resource.split('/');
  const [kind = '', ...path] = parts;
  if (parts.length < 2 || parts.length > 3 || parts.includes('')) {
    throw new UsageError(`--resource takes KIND/NAME or KIND/NAMESPACE/NAME, not "${resource}"; write for example Deployment/shop/web`);
  }
  return path.length === 2 ? { kind, namespace: path[0]!, name: path[1]! } : { kind, name: path[0]! };
}

/** Formats a resource as an argument of `--resource`: `Deployment/shop/web`. */
export function formatResourceArgument({ kind, namespace, name }: ResourceRef): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}

export function matchesResource({ kind, namespace, name }: ResourceRef, selector: ResourceSelector): boolean {
  return (
    kind.toLowerCase() === selector.kind.toLowerCase() &&
    name === selector.name &&
    (selector.namespace === undefined || selector.namespace === namespace)
  );
}

/** Computes the edit distance of a resource from a selector. The namespace counts only if the selector has one. */
function computeDistance(selector: ResourceSelector, { kind, namespace, name }: ResourceRef): number {
  const text = (resource: ResourceSelector) => formatResourceArgument({ apiVersion: '', ...resource }).toLowerCase();
  return distance(text(selector), text({ kind, name, ...(selector.namespace !== undefined && { namespace }) }));
}

/** Creates the error for a resource that does not exist, with the closest names. */
export function createResourceNotFoundError(resource: string, selector: ResourceSelector, resources: readonly ResourceRef[]): UsageError {
  const sorted = resources
    .map((known) => ({ name: formatResourceArgument(known), distanceToSelector: computeDistance(selector, known) }))
    .toSorted((a, b) => a.distanceToSelector - b.distanceToSelector);
  const names = [...new Set(sorted.map(({ name }) => name))];
  if (names.length === 0) return new UsageError(`there is no ${resource}: the input contains no rollout`);
  const nearest = names.slice(0, MAX_SUGGESTIONS);
  const more = names.length > nearest.length ? ` and ${names.length - nearest.length} more` : '';
  return new UsageError(`there is no ${resource} among the rollouts; the closest are ${nearest.join(', ')}${more}`);
}

import { getFieldsAt, isFields, getListAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';

const WORKLOAD_KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

const PATCH_DIRECTIVE = '$patch';

/** Reports whether a map or list contains the directive of a strategic merge patch, at any level. */
function hasPatchDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPatchDirective);
  if (!isFields(value)) return false;
  for (const name in value) if (name === PATCH_DIRECTIVE || hasPatchDirective(value[name])) return true;
  return false;
}

/** Reports whether a text may contain the directive, possibly with escapes. Searching a file is faster than walking thousands of objects. */
export function mayContainPatchDirective(text: string): boolean {
  return text.includes(PATCH_DIRECTIVE) || text.includes('\\');
}

/**
 * Reports whether a workload has no selector or no containers, so the API server refuses it.
 * Below a kustomization that includes resources, such a workload is a patch of one of them.
 */
function isIncompleteWorkload(object: Manifest): boolean {
  if (!WORKLOAD_KINDS.has(object.kind)) return false;
  const selects = Object.keys(getFieldsAt(object, 'spec', 'selector')).length > 0;
  const containers = getListAt(object, 'spec', 'template', 'spec', 'containers');
  return !selects || containers.length === 0;
}

/**
 * Reports whether an object is a kustomize patch, which changes another object.
 *
 * @param mayHaveDirective - whether the text of its file may contain a patch directive
 * @param mayPatch - whether a kustomization around it includes other resources
 */
export function isPatch(object: Manifest, mayHaveDirective: boolean, mayPatch: boolean): boolean {
  return (mayHaveDirective && hasPatchDirective(object)) || (mayPatch && isIncompleteWorkload(object));
}

import { getFieldsAt, isFields, getListAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';

const WORKLOAD_KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

const PATCH_DIRECTIVE = '$patch';

/** Does a map or list hold the directive of a strategic merge patch, at whatever level? */
function hasPatchDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPatchDirective);
  if (!isFields(value)) return false;
  for (const name in value) if (name === PATCH_DIRECTIVE || hasPatchDirective(value[name])) return true;
  return false;
}

/** May a text hold it? Its name may be written with escapes. To ask this of a file takes less than to walk each of thousands of objects. */
export function mayContainPatchDirective(text: string): boolean {
  return text.includes(PATCH_DIRECTIVE) || text.includes('\\');
}

/** Without a selector or containers the API server refuses a workload: where kustomize takes in others, it is a patch of one of them. */
function isIncompleteWorkload(object: Manifest): boolean {
  if (!WORKLOAD_KINDS.has(object.kind)) return false;
  const selects = Object.keys(getFieldsAt(object, 'spec', 'selector')).length > 0;
  const containers = getListAt(object, 'spec', 'template', 'spec', 'containers');
  return !selects || containers.length === 0;
}

/**
 * Is an object a patch of kustomize, which says what to change in another one?
 *
 * @param mayHold - may the text around it hold a directive?
 * @param mayPatch - does a kustomization around it take others in?
 */
export function isPatch(object: Manifest, mayHaveDirective: boolean, mayPatch: boolean): boolean {
  return (mayHaveDirective && hasPatchDirective(object)) || (mayPatch && isIncompleteWorkload(object));
}

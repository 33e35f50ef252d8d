import { fieldsAt, isFields, listAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';

const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

/** Does a map or list hold the directive of a strategic merge patch, at whatever level? */
function holdsDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsDirective);
  if (!isFields(value)) return false;
  for (const name in value) if (name === '$patch' || holdsDirective(value[name])) return true;
  return false;
}

/** Without a selector or containers the API server refuses a workload: where kustomize takes in others, it is a patch of one of them. */
function lacksWhatServersNeed(object: Manifest): boolean {
  if (!WORKLOADS.has(object.kind)) return false;
  const selects = Object.keys(fieldsAt(object, 'spec', 'selector')).length > 0;
  const containers = listAt(object, 'spec', 'template', 'spec', 'containers');
  return !selects || containers.length === 0;
}

/** Is an object a patch of kustomize, which says what to change in another one? `mayPatch` says whether a kustomization around it takes others in. */
export function isPatch(object: Manifest, mayPatch: boolean): boolean {
  return holdsDirective(object) || (mayPatch && lacksWhatServersNeed(object));
}

import { parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath, PathPart } from '../../core/manifest/field-path';
import { isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

/** Removes the field at the end of a path, and drops lifecycle maps that become empty. */
function removeAtPath(value: unknown, [part, ...rest]: readonly PathPart[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === part ? removeAtPath(item, rest) : item));
  if (!isFields(value) || typeof part !== 'string') return value;
  const { [part]: inner, ...others } = value;
  if (rest.length === 0) return others;
  const remaining = removeAtPath(inner, rest);
  return isHookField(part) && isFields(remaining) && Object.keys(remaining).length === 0 ? others : { ...value, [part]: remaining };
}

const HOOK_FIELDS: readonly PathPart[] = ['lifecycle', 'postStart', 'preStop'];

function isHookField(part: PathPart): boolean {
  return HOOK_FIELDS.includes(part);
}

/** Removes image volumes together with their mounts. */
function removeImageVolumes(pod: Fields): Fields {
  const images = getListAt(pod, 'volumes').flatMap((volume) => (isFields(volume) && isFields(volume.image) ? [volume.name] : []));
  const isNotImage = (item: unknown) => !isFields(item) || !images.includes(item.name);
  const unmountImages = (container: unknown) =>
    isFields(container) ? { ...container, volumeMounts: getListAt(container, 'volumeMounts').filter(isNotImage) } : container;
  return {
    ...pod,
    volumes: getListAt(pod, 'volumes').filter(isNotImage),
    ...(Array.isArray(pod.containers) && { containers: pod.containers.map(unmountImages) }),
    ...(Array.isArray(pod.initContainers) && { initContainers: pod.initContainers.map(unmountImages) }),
  };
}

/**
 * Returns a workload without the fields that the version knows but drops, as the API server validates it.
 *
 * @param dropped the paths of these fields
 */
export function dropDisabledFields(object: Manifest, dropped: readonly FieldPath[]): Manifest {
  if (dropped.length === 0) return object;
  const paths = dropped.map(parseFieldPath);
  const isImage = (path: readonly PathPart[]) => path.includes('volumes') && path.at(-1) === 'image';
  const remaining = paths.filter((path) => !isImage(path)).reduce<unknown>(removeAtPath, object) as Manifest;
  if (!paths.some(isImage)) return remaining;
  const { spec } = remaining;
  if (!isFields(spec) || !isFields(spec.template) || !isFields(spec.template.spec)) return remaining;
  return { ...remaining, spec: { ...spec, template: { ...spec.template, spec: removeImageVolumes(spec.template.spec) } } };
}

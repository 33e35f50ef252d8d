import { fieldPathParts } from '../../core/field-path';
import type { FieldPath, PathPart } from '../../core/field-path';
import { isFields, listAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';

/** A value without the field at the end of a path; maps that hold nothing else than hooks go with their last one. */
function without(value: unknown, [part, ...rest]: readonly PathPart[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === part ? without(item, rest) : item));
  if (!isFields(value) || typeof part !== 'string') return value;
  const { [part]: inner, ...others } = value;
  if (rest.length === 0) return others;
  const left = without(inner, rest);
  return isHook(part) && isFields(left) && Object.keys(left).length === 0 ? others : { ...value, [part]: left };
}

const HOOKS: readonly PathPart[] = ['lifecycle', 'postStart', 'preStop'];

function isHook(part: PathPart): boolean {
  return HOOKS.includes(part);
}

/** A volume of an image goes with its mounts. */
function withoutImageVolumes(pod: Fields): Fields {
  const images = listAt(pod, 'volumes').flatMap((volume) => (isFields(volume) && isFields(volume.image) ? [volume.name] : []));
  const isKept = (item: unknown) => !isFields(item) || !images.includes(item.name);
  const unmounted = (container: unknown) =>
    isFields(container) ? { ...container, volumeMounts: listAt(container, 'volumeMounts').filter(isKept) } : container;
  return {
    ...pod,
    volumes: listAt(pod, 'volumes').filter(isKept),
    ...(Array.isArray(pod.containers) && { containers: pod.containers.map(unmounted) }),
    ...(Array.isArray(pod.initContainers) && { initContainers: pod.initContainers.map(unmounted) }),
  };
}

/**
 * A workload as the server looks at it: without the fields that its version knows and drops.
 *
 * @param dropped where they stand
 */
export function keptPart(object: Manifest, dropped: readonly FieldPath[]): Manifest {
  if (dropped.length === 0) return object;
  const paths = dropped.map(fieldPathParts);
  const isImage = (path: readonly PathPart[]) => path.includes('volumes') && path.at(-1) === 'image';
  const left = paths.filter((path) => !isImage(path)).reduce<unknown>(without, object) as Manifest;
  if (!paths.some(isImage)) return left;
  const { spec } = left;
  if (!isFields(spec) || !isFields(spec.template) || !isFields(spec.template.spec)) return left;
  return { ...left, spec: { ...spec, template: { ...spec.template, spec: withoutImageVolumes(spec.template.spec) } } };
}

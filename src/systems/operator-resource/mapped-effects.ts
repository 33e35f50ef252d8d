import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { parseFieldPath } from '../../core/manifest/field-path';
import type { PathPart } from '../../core/manifest/field-path';
import { isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { hasOperatorAnnotationChange } from '../../core/sources/operator-annotations';
import type { OperatorResourceMap } from '../../core/sources/operator-resource-map';
import { selectDesiredFields } from './effects';
import { readMappedField, readMappedResource } from './mapped-resource';

/** Returns a copy of a value without the field at a path. A missing parent counts as an empty map. */
function removeAt(value: unknown, [field, ...rest]: readonly PathPart[]): unknown {
  if (field === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item, index) => (index === field ? removeAt(item, rest) : item));
  const fields = value ?? {};
  return isFields(fields) ? { ...fields, [field]: removeAt(fields[field], rest) } : value;
}

/** Returns an object without the mapped fields. Only the operator knows the effect of the others. */
function excludeMappedFields(object: Manifest, { replicas, template, image, strategy, size }: OperatorResourceMap): unknown {
  const paths = [replicas, template, image, strategy, size].filter((path) => path !== undefined && path !== null);
  return paths.reduce<unknown>((all, path) => removeAt(all, parseFieldPath(path)), selectDesiredFields(object));
}

/** Reports whether a number becomes text or the reverse. The definition of the resource accepts one of them, unless it accepts both. */
function changesType(old: Manifest, next: Manifest, path: string | undefined): boolean {
  const [before, after] = [old, next].map((object) => typeof readMappedField(object, path));
  return before !== 'undefined' && after !== 'undefined' && before !== after;
}

/**
 * Computes the effect of a change to a mapped resource: another template, image or size rolls, other replicas scale, and another strategy is
 * a setting. The effect of any other field, of a number that becomes text, and of an annotation of the operator, is unknown.
 */
export function computeMappedEffects(old: ObjectInContext, next: ObjectInContext, map: OperatorResourceMap): SystemEffect[] {
  const before = readMappedResource(old.object, map, old.context.versions);
  const after = readMappedResource(next.object, map, next.context.versions);
  if (!('replicas' in before) || !('replicas' in after)) return [{ effect: 'unknown' }];
  if ([map.replicas, map.size].some((path) => changesType(old.object, next.object, path))) return [{ effect: 'unknown' }];
  const differs = (path: string | undefined) => !isDeepEqual(readMappedField(old.object, path), readMappedField(next.object, path));
  const replicas = { old: before.replicas, next: after.replicas };
  const scales = replicas.old !== replicas.next;
  if (differs(map.template) || differs(map.image) || differs(map.size)) {
    const { heldUntil } = after.rollout;
    if (heldUntil !== undefined) return [{ effect: 'held', heldUntil, replicas }];
    return [{ effect: scales ? 'roll-and-scale' : 'roll', replicas }];
  }
  const hasSameOthers = isDeepEqual(excludeMappedFields(old.object, map), excludeMappedFields(next.object, map));
  if (!hasSameOthers || hasOperatorAnnotationChange(old.object, next.object)) return [{ effect: 'unknown' }];
  if (scales) return [{ effect: 'scale', replicas }];
  return [{ effect: differs(map.strategy) ? 'settings' : 'none', replicas }];
}

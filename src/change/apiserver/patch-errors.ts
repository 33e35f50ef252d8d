import { checkTime } from '../../core/budget/deadline';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isFields, getOwnValue } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { redactValue } from './redact-secrets';

/* Cases in which kubectl and Helm cannot create a patch from two manifests and stop before sending anything. Source: apimachinery strategicpatch/patch.go `diffMaps`, `diffListsOfMaps`. */

/** Formats a value as Go's `%v` does. */
function formatGoValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  if (!isFields(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const entries = Object.keys(value).toSorted();
  return `map[${entries.map((name) => `${name}:${formatGoValue(value[name])}`).join(' ')}]`;
}

/** Go names of the types that users most often add unknown fields to, by the field that contains them. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  template: 'PodTemplateSpec',
  containers: 'Container',
  initContainers: 'Container',
  volumes: 'Volume',
};

function goTypeNameOf(kind: string, path: readonly string[]): string {
  if (path.length === 1) return `${kind}Spec`;
  if (path.at(-1) === 'spec' && path.at(-2) === 'template') return 'PodSpec';
  return getOwnValue(TYPE_NAMES, path.at(-1)!) ?? '…';
}

/** A location in both manifests. */
interface PatchLocation {
  readonly kind: string;
  readonly path: readonly string[];
}

function findListPatchError(
  before: readonly unknown[],
  next: readonly unknown[],
  field: ApiField,
  location: PatchLocation,
): string | undefined {
  const key = field.merge?.key;
  if (!key || before.length === 0) return undefined;
  const types = new Set([...before, ...next].map((item) => (isFields(item) ? 'map' : typeof item)));
  if (types.size > 1) return `list element types are not identical: ${formatGoValue(redactValue([before, next]))}`;
  const nameless = next.find((item) => isFields(item) && !Object.hasOwn(item, key));
  if (nameless !== undefined) return `map: ${formatGoValue(redactValue(nameless))} does not contain declared merge key: ${key}`;
  const items = new Map(before.filter(isFields).map((item) => [item[key], item]));
  for (const item of next) {
    const known = isFields(item) ? items.get(item[key]) : undefined;
    const reason = known && field.fields && findMapPatchError(known, item as Fields, field.fields, location);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function isUnknownStructField(before: unknown, next: unknown, path: readonly string[]): boolean {
  const isBoth = (is: (value: unknown) => boolean) => is(before) && is(next);
  return path.length > 0 && (isBoth(isFields) || isBoth(Array.isArray)) && !isDeepEqual(before, next);
}

function findMapPatchError(before: Fields, next: Fields, known: ApiFields, { kind, path }: PatchLocation): string | undefined {
  checkTime();
  for (const [name, value] of Object.entries(next)) {
    if (!Object.hasOwn(before, name)) continue;
    const oldValue = before[name];
    const field = getOwnValue(known, name);
    if (!field && isUnknownStructField(oldValue, value, path)) {
      return `unable to find api field in struct ${goTypeNameOf(kind, path)} for the json field ${JSON.stringify(name)}`;
    }
    const location = { kind, path: [...path, name] };
    const isList = Array.isArray(oldValue) && Array.isArray(value);
    const isMap = isFields(oldValue) && isFields(value) && field?.fields;
    const below = isMap ? findMapPatchError(oldValue, value, isMap, location) : undefined;
    const reason = field && isList ? findListPatchError(oldValue, value, field, location) : below;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Returns why no patch can be created from one of these objects to the next manifest; undefined if it can. */
export function findPatchError(befores: readonly Fields[], next: Fields, kind: string, known: ApiFields | undefined): string | undefined {
  if (!known) return undefined;
  for (const before of befores) {
    const reason = findMapPatchError(before, next, known, { kind, path: [] });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

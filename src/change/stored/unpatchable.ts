import { deepEqual } from '../../core/deep-equal';
import { isFields, ownValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';

/* Where kubectl and Helm cannot make a patch of two manifests, and stop before anything is sent. Source: apimachinery strategicpatch/patch.go `diffMaps`, `diffListsOfMaps`. */

/** A value as Go's `%v` prints it. */
function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isFields(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const entries = Object.keys(value).toSorted();
  return `map[${entries.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

/** What Go calls the types that people add fields to, by the field that holds them. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  template: 'PodTemplateSpec',
  containers: 'Container',
  initContainers: 'Container',
  volumes: 'Volume',
};

function typeName(kind: string, path: readonly string[]): string {
  if (path.length === 1) return `${kind}Spec`;
  if (path.at(-1) === 'spec' && path.at(-2) === 'template') return 'PodSpec';
  return ownValue(TYPE_NAMES, path.at(-1)!) ?? '…';
}

/** A place in both manifests. */
interface Place {
  readonly kind: string;
  readonly path: readonly string[];
}

function listReason(before: readonly unknown[], next: readonly unknown[], field: ApiField, place: Place): string | undefined {
  const key = field.merge?.key;
  if (!key || before.length === 0) return undefined;
  const types = new Set([...before, ...next].map((item) => (isFields(item) ? 'map' : typeof item)));
  if (types.size > 1) return `list element types are not identical: ${goText([before, next])}`;
  const nameless = next.find((item) => isFields(item) && !Object.hasOwn(item, key));
  if (nameless !== undefined) return `map: ${goText(nameless)} does not contain declared merge key: ${key}`;
  const items = new Map(before.filter(isFields).map((item) => [item[key], item]));
  for (const item of next) {
    const known = isFields(item) ? items.get(item[key]) : undefined;
    const reason = known && field.fields && mapReason(known, item as Fields, field.fields, place);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function isUnknown(before: unknown, next: unknown, path: readonly string[]): boolean {
  const isBoth = (is: (value: unknown) => boolean) => is(before) && is(next);
  return path.length > 0 && (isBoth(isFields) || isBoth(Array.isArray)) && !deepEqual(before, next);
}

function mapReason(before: Fields, next: Fields, known: ApiFields, { kind, path }: Place): string | undefined {
  for (const [name, value] of Object.entries(next)) {
    if (!Object.hasOwn(before, name)) continue;
    const was = before[name];
    const field = ownValue(known, name);
    if (!field && isUnknown(was, value, path)) {
      return `unable to find api field in struct ${typeName(kind, path)} for the json field ${JSON.stringify(name)}`;
    }
    const place = { kind, path: [...path, name] };
    const isList = Array.isArray(was) && Array.isArray(value);
    const isMap = isFields(was) && isFields(value) && field?.fields;
    const below = isMap ? mapReason(was, value, isMap, place) : undefined;
    const reason = field && isList ? listReason(was, value, field, place) : below;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Why no patch can be made that leads from one of these objects to the next manifest; undefined where one can. */
export function unpatchable(befores: readonly Fields[], next: Fields, kind: string, known: ApiFields | undefined): string | undefined {
  if (!known) return undefined;
  for (const before of befores) {
    const reason = mapReason(before, next, known, { kind, path: [] });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

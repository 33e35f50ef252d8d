import { getListAt, getValueAt, groupOf, isFields, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { IgnoredFields } from './deploy-source';

function isAbout({ group, kind, name, namespace }: IgnoredFields, object: Manifest): boolean {
  const isGroup = group === '*' || group === groupOf(object);
  const isKind = kind === '*' || kind === object.kind;
  return (
    isGroup && isKind && (name === undefined || name === nameOf(object)) && (namespace === undefined || namespace === namespaceOf(object))
  );
}

/** Lists the fields of a map in managedFields, without those below list items. */
function listFieldPaths(fields: unknown, parents: readonly string[] = []): readonly string[][] {
  if (!isFields(fields)) return [];
  return Object.entries(fields).flatMap(([key, below]) => {
    if (!key.startsWith('f:')) return [];
    const path = [...parents, key.slice(2)];
    const inner = listFieldPaths(below, path);
    return inner.length > 0 ? inner : [path];
  });
}

function listManagedPaths(live: Manifest, managers: readonly string[]): readonly string[][] {
  return getListAt(live, 'metadata', 'managedFields')
    .filter(isFields)
    .filter(({ manager }) => typeof manager === 'string' && managers.includes(manager))
    .flatMap(({ fieldsV1 }) => listFieldPaths(fieldsV1));
}

/** Returns a map with the value of another one at a path. A value that the other lacks is removed. Lists are not entered. */
function copyField(target: Fields, source: Fields, [name, ...rest]: readonly string[]): Fields {
  if (name === undefined) return target;
  const own = Object.hasOwn(target, name) ? target[name] : undefined;
  const other = Object.hasOwn(source, name) ? source[name] : undefined;
  const value = rest.length === 0 ? other : copyBelow(own, other, rest);
  const { [name]: _, ...others } = target;
  return value === undefined ? others : { ...others, [name]: value };
}

function copyBelow(own: unknown, other: unknown, path: readonly string[]): unknown {
  if (!isFields(own) && !isFields(other)) return own;
  if (own !== undefined && !isFields(own)) return own;
  const copied = copyField(isFields(own) ? own : {}, isFields(other) ? other : {}, path);
  return Object.keys(copied).length === 0 && own === undefined ? undefined : copied;
}

/** A manifest as a tool writes it that keeps live values. */
export interface ManifestWithLiveFields {
  readonly manifest: Manifest;
  /** Fields whose value in NEW is not written. */
  readonly kept: readonly (readonly string[])[];
}

/**
 * Returns the manifest as Argo CD writes it with RespectIgnoreDifferences=true: the live values replace those of the ignored fields.
 * Source: Argo CD 3.6, controller/sync.go, `normalizeTargetResources`.
 */
export function keepLiveFields(next: Manifest, live: Manifest, ignored: readonly IgnoredFields[]): ManifestWithLiveFields {
  const paths = ignored
    .filter((entry) => isAbout(entry, next))
    .flatMap((entry) => [...entry.paths, ...listManagedPaths(live, entry.managers)])
    .filter(([root]) => root !== 'status' && root !== 'kind' && root !== 'apiVersion');
  const manifest = paths.reduce<Fields>((object, path) => copyField(object, live, path), next) as Manifest;
  const kept = paths.filter((path) => JSON.stringify(getValueAt(next, ...path)) !== JSON.stringify(getValueAt(manifest, ...path)));
  return { manifest, kept };
}

/** Reports whether the tool keeps the live value of a field, by its path alone. */
export function isFieldKept(object: Manifest, path: readonly string[], ignored: readonly IgnoredFields[]): boolean {
  return ignored.some((entry) => isAbout(entry, object) && entry.paths.some((kept) => kept.every((name, index) => name === path[index])));
}

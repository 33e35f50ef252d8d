import { DAEMON_SET_SPEC } from '../../src/workloads/daemonset/spec';
import { DEPLOYMENT_SPEC } from '../../src/workloads/deployment/spec';
import type { ApiField, ApiFields } from '../../src/workloads/pod/field';
import { OBJECT_META } from '../../src/workloads/pod/object-meta';
import { STATEFUL_SET_SPEC } from '../../src/workloads/statefulset/spec';
import { recorded } from './recording';

/** A field of a Go type. */
interface UpstreamField {
  readonly of: string;
  readonly name: string;
  /** `*[]Container` */
  readonly type: string;
  readonly patch?: string;
  readonly key?: string;
  readonly apply?: string;
  readonly since?: string;
  readonly until?: string;
}

const UPSTREAM = new Map<string, UpstreamField[]>();
for (const field of recorded('kubernetes-pod-fields') as readonly UpstreamField[]) {
  UPSTREAM.set(field.of, [...(UPSTREAM.get(field.of) ?? []), field]);
}

/** Go types of our field types. Maps and lists of maps are compared recursively instead. */
const GO_TYPES: Readonly<Partial<Record<ApiField['type'], string>>> = {
  any: 'FieldsV1',
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  'int-or-percent': 'IntOrString',
  'int-or-string': 'IntOrString',
  quantity: 'Quantity',
  time: 'Time',
  'string-map': 'map[string]string',
  'quantity-map': 'map[string]Quantity',
  'string-list': '[]string',
  'int32-list': '[]int32',
  'int64-list': '[]int64',
};

function appliedAs({ merge, isAtomic }: ApiField): string | undefined {
  if (isAtomic) return 'atomic';
  if (!merge) return undefined;
  return merge.applyKeys.length > 0 ? merge.applyKeys.join(',') : 'set';
}

function patchedAs({ merge, retainsKeys }: ApiField): string | undefined {
  const strategies = [...(merge?.key === undefined ? [] : ['merge']), ...(retainsKeys ? ['retainKeys'] : [])];
  return strategies.length > 0 ? strategies.join(',') : undefined;
}

/** Converts one of our fields to a row of the recording. The type name of a map is taken from there; its fields are compared separately. */
function row(name: string, field: ApiField, upstreamType: string) {
  const goType = GO_TYPES[field.type] ?? (field.type === 'list' ? '[]' : '') + upstreamType.replace(/^\*?(\[\])?/, '');
  const merge = field.merge?.key === 'value' ? undefined : field.merge?.key;
  return {
    name,
    type: (field.isPointer ? '*' : '') + goType,
    patch: patchedAs(field),
    key: merge,
    apply: appliedAs(field),
    since: field.since,
    until: field.until,
  };
}

/** Returns the recorded fields of a type. If the whole type was added in one version, its fields have no `since` of their own. */
function upstreamRows(type: string) {
  const fields = UPSTREAM.get(type) ?? [];
  const first = fields.every(({ since }) => since !== undefined) ? fields.map(({ since }) => since!).toSorted()[0] : undefined;
  return fields.map(({ name, type: goType, patch, key, apply, since, until }) => ({
    name,
    type: goType,
    patch,
    key,
    apply,
    until,
    since: since === first ? undefined : since,
  }));
}

function byName<T extends { readonly name: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Compares our fields with those of a Go type, recursively. */
function compare(type: string, fields: ApiFields, done: Set<string>): void {
  if (done.has(type)) return;
  done.add(type);
  const upstream = upstreamRows(type);
  const types = new Map(upstream.map(({ name, type: goType }) => [name, goType]));
  const ours = Object.entries(fields).map(([name, field]) => row(name, field, types.get(name) ?? ''));
  expect({ type, fields: byName(ours) }).toEqual({ type, fields: byName(upstream) });
  for (const [name, field] of Object.entries(fields)) {
    if (field.fields) compare(types.get(name)!.replace(/^\*?(\[\])?/, ''), field.fields, done);
  }
}

test('our workload fields match the Go types from 1.21 to 1.37, including type, since, until and merge strategy', () => {
  const done = new Set<string>();
  compare('DeploymentSpec', DEPLOYMENT_SPEC, done);
  compare('StatefulSetSpec', STATEFUL_SET_SPEC, done);
  compare('DaemonSetSpec', DAEMON_SET_SPEC, done);
  compare('ObjectMeta', OBJECT_META, done);
  expect([...done].toSorted()).toEqual([...UPSTREAM.keys()].toSorted());
});

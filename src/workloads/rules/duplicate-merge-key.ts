import { READY_WEB, renderDeploymentOf } from '../../cluster/pods/rules/examples';
import { checkTime } from '../../core/budget/deadline';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { appendLazily, resolveLazyPath, toFieldPath } from '../../core/manifest/field-path';
import type { LazyFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { getOwnValue, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { formatDisplayValue, toDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { collectFromEach, joinLists } from '../../core/text/join-lists';
import type { ApiField, ApiFields } from '../pod/field';

interface DuplicateData {
  readonly list: string;
  readonly key: string;
  readonly value: DisplayValue;
  /** Index of the first item with this key. */
  readonly first: number;
  readonly index: number;
  /** Another field by which a server-side apply distinguishes the two. @default - there is none */
  readonly otherKey?: string;
}

function renderConstraint(topologyKey: string, whenUnsatisfiable: string): string {
  return `        - maxSkew: 1
          topologyKey: ${topologyKey}
          whenUnsatisfiable: ${whenUnsatisfiable}
          labelSelector: { matchLabels: { app: web } }
          matchLabelKeys: [pod-template-hash]
`;
}

function renderConstraints(first: string, second: string): string {
  const podSpec = `      topologySpreadConstraints:
${renderConstraint(first, 'DoNotSchedule')}${renderConstraint(second, 'ScheduleAnyway')}`;
  return renderDeploymentOf({ containers: READY_WEB, podSpec });
}

/** Reports items of a list of which kubectl may store only one. */
export const duplicateMergeKey = defineRule({
  code: 'kubernetes/duplicate-merge-key',
  since: '0.1.0',
  severity: 'warning',
  fires: 'Two different items of a list in a Deployment, StatefulSet or DaemonSet have the same merge key.',
  why:
    '`kubectl apply`, Argo CD and Helm 3 create such an object with both items. When they update it, they take the two for the same item, ' +
    'so the object that is stored may lack one, while the plan counts both. ' +
    'Ports with the same number are not reported here, since many containers serve TCP and UDP on one number. [A change](../change/dropped-by-merge.md) reports every item that its merge loses.',
  fix: 'Merge the two items into one, or apply them with `kubectl apply --server-side` if that distinguishes them.',
  example: renderConstraints('topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'),
  fixedExample: renderConstraints('topology.kubernetes.io/zone', 'kubernetes.io/hostname'),
  messages: {
    items: defineMessage<DuplicateData>({
      text: ({ list, key, value, first, index }) =>
        `${list}[${first}] and ${list}[${index}] both have the ${key} ${formatDisplayValue(value)}. An update with kubectl apply or Helm 3 takes them for the same item and may store only one of them.`,
      help: ({ otherKey }) =>
        otherKey === undefined
          ? 'Delete one of the two.'
          : `Delete one of the two, or apply the object with "kubectl apply --server-side", which also compares ${otherKey}.`,
      sample: {
        list: 'topologySpreadConstraints',
        key: 'topologyKey',
        value: 'topology.kubernetes.io/zone',
        first: 0,
        index: 1,
        otherKey: 'whenUnsatisfiable',
      },
      variants: [{ list: 'env', key: 'name', value: 'MODE', first: 0, index: 2 }],
    }),
  },
});

/** Many containers serve two protocols on one port number, and no plan reads their numbers. */
const PORTS = 'ports';

function checkItems(items: readonly unknown[], list: string, { merge }: ApiField, location: LazyFieldPath): readonly Finding[] {
  const key = merge?.key;
  if (key === undefined || list === PORTS) return [];
  const indexes = new Map<string, number>();
  return collectFromEach(items, (item, index) => {
    const value = getValueAt(item, key);
    if (value === undefined || value === null) return [];
    const text = JSON.stringify(value);
    const first = indexes.get(text) ?? index;
    indexes.set(text, first);
    if (isDeepEqual(items[first], item)) return [];
    const otherKey = merge!.applyKeys.find((name) => !isDeepEqual(getValueAt(items[first], name), getValueAt(item, name)));
    const data = { list, key, value: toDisplayValue(value), first, index, ...(otherKey !== undefined && { otherKey }) };
    return [duplicateMergeKey.createFinding('items', { path: resolveLazyPath(appendLazily(location, index)), data })];
  });
}

function checkFields(value: unknown, fields: ApiFields, location: LazyFieldPath): readonly Finding[] {
  checkTime();
  if (!isFields(value)) return [];
  return collectFromEach(Object.entries(value), ([name, inner]) => {
    const field = getOwnValue(fields, name);
    if (!field?.fields && !field?.merge) return [];
    const path = appendLazily(location, name);
    if (!Array.isArray(inner)) return checkFields(inner, field.fields ?? {}, path);
    const below = collectFromEach(inner as readonly unknown[], (item, index) =>
      checkFields(item, field.fields ?? {}, appendLazily(path, index)),
    );
    return joinLists(checkItems(inner, name, field, path), below);
  });
}

/** Warns about different items of a list with one merge key, in an object that the API server accepts. */
export function checkDuplicateMergeKey({ spec }: Manifest, fields: ApiFields): readonly Finding[] {
  return checkFields(spec, fields, toFieldPath`spec`);
}

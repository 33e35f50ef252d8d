import { checkTime } from '../../core/budget/deadline';
import { addToGroup } from '../../core/collections/group-by';
import { describeObject, getFieldsAt, groupOf, kindKeyOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { MergedNamespacesData } from '../../core/rules/kustomization';
import type { SourceMap } from '../source-map';
import { CLUSTER_KINDS } from './kustomize-builds';

/** Groups whose kinds decide about no rollout of another object: workloads, and budgets, which guardrails find in each namespace. */
const UNDECIDING_GROUPS: ReadonlySet<string> = new Set(['apps', 'batch', 'policy']);

/** Reports whether an object may decide about rollouts of others in its namespace. */
function mayDecide(object: Manifest): boolean {
  return !UNDECIDING_GROUPS.has(groupOf(object)) && kindKeyOf(object) !== '/Service';
}

/** Kinds that are in no namespace. The object of a fleet.yaml is the file itself. */
const KINDS_OUTSIDE: ReadonlySet<string> = new Set([...CLUSTER_KINDS, 'fleet.cattle.io/FleetYaml']);

/** Label with which a Namespace makes the API server refuse pods. */
const POD_SECURITY = 'pod-security.kubernetes.io/enforce';

/** An object in a namespace, and the namespace in which it is planned. */
interface Member {
  readonly object: Manifest;
  readonly writes: string | undefined;
}

/** Returns the namespace in which an object is planned; undefined if it is about none. */
function toMember(object: Manifest): Member | undefined {
  const kind = kindKeyOf(object);
  if (kind === '/Namespace') {
    const isDeciding = getFieldsAt(object, 'metadata', 'labels')[POD_SECURITY] !== undefined;
    return isDeciding ? { object, writes: nameOf(object) } : undefined;
  }
  return KINDS_OUTSIDE.has(kind) ? undefined : { object, writes: namespaceOf(object) };
}

/** Two objects that a kustomization or a fleet.yaml puts into one namespace. */
export interface MergedPair {
  readonly object: Manifest;
  readonly data: MergedNamespacesData;
}

/**
 * Finds the namespaces into which kustomizations or a fleet.yaml put objects that are planned in different ones, although one of them decides about
 * others of its namespace: a ResourceQuota that writes another namespace than a Deployment counts for it then.
 */
export function findMergedNamespaces(
  objects: readonly Manifest[],
  textOf: SourceMap['textOf'],
  isPlannedObject: (object: Manifest) => boolean,
): readonly MergedPair[] {
  const targets = new Set<string>();
  for (const object of objects) for (const namespace of textOf(object)?.movedTo ?? []) targets.add(namespace);
  if (targets.size === 0) return [];
  const members = new Map<string, Member[]>();
  for (const object of objects) {
    checkTime();
    const member = isPlannedObject(object) ? toMember(object) : undefined;
    if (!member) continue;
    const finals = textOf(object)?.movedTo ?? (member.writes === undefined ? [] : [member.writes]);
    for (const namespace of finals) if (targets.has(namespace)) addToGroup(members, namespace, member);
  }
  return [...members].flatMap(([namespace, inIt]) => {
    const deciding = inIt.find(({ object }) => mayDecide(object));
    const other = deciding && inIt.find(({ writes }) => writes !== deciding.writes);
    if (!other) return [];
    return [{ object: deciding.object, data: { object: describeObject(deciding.object), other: describeObject(other.object), namespace } }];
  });
}

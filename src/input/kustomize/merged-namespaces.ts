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

/** Kinds that are in no namespace, or that only deploy others. The object of a fleet.yaml is the file itself. */
const KINDS_OUTSIDE: ReadonlySet<string> = new Set([
  ...CLUSTER_KINDS,
  'argoproj.io/AppProject',
  'argoproj.io/Application',
  'argoproj.io/ApplicationSet',
  'fleet.cattle.io/Bundle',
  'fleet.cattle.io/FleetYaml',
  'fleet.cattle.io/GitRepo',
  'helm.toolkit.fluxcd.io/HelmRelease',
  'karpenter.sh/NodePool',
  'kustomize.toolkit.fluxcd.io/Kustomization',
  'resource.k8s.io/DeviceClass',
  'resource.k8s.io/ResourceSlice',
  'serving.kserve.io/ClusterServingRuntime',
]);

/** Groups without a kind that is in a namespace. */
const GROUPS_OUTSIDE: ReadonlySet<string> = new Set(['pkg.crossplane.io']);

/** Label with which a Namespace makes the API server refuse pods. */
const POD_SECURITY = 'pod-security.kubernetes.io/enforce';

/** An object in a namespace, and the namespace in which it is planned. */
interface Member {
  readonly object: Manifest;
  readonly writes: string | undefined;
  /** Whether a kustomization or a fleet.yaml may put it into other namespaces. */
  readonly isMoved: boolean;
}

/** Returns the namespace in which an object is planned; undefined if it is about none. */
function toMember(object: Manifest, isMoved: boolean): Member | undefined {
  const kind = kindKeyOf(object);
  if (kind === '/Namespace') {
    const isDeciding = getFieldsAt(object, 'metadata', 'labels')[POD_SECURITY] !== undefined;
    return isDeciding ? { object, writes: nameOf(object), isMoved } : undefined;
  }
  return KINDS_OUTSIDE.has(kind) || GROUPS_OUTSIDE.has(groupOf(object)) ? undefined : { object, writes: namespaceOf(object), isMoved };
}

/** Two objects that a kustomization or a fleet.yaml puts into one namespace. */
export interface MergedPair {
  readonly object: Manifest;
  readonly data: MergedNamespacesData;
}

/** Finds two objects of a namespace that are planned in different ones because one of them is moved. The first one decides. */
function findPair(members: readonly Member[]): readonly [Member, Member] | undefined {
  // Those that are planned in the same way have the same counterparts.
  const deciding = new Map(
    members.filter(({ object }) => mayDecide(object)).map((each) => [JSON.stringify([each.writes, each.isMoved]), each]),
  );
  for (const each of deciding.values()) {
    const other = members.find(({ writes, isMoved }) => writes !== each.writes && (isMoved || each.isMoved));
    if (other) return [each, other];
  }
  return undefined;
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
  for (const object of objects) for (const namespace of textOf(object)?.namespaces?.forced ?? []) targets.add(namespace);
  if (targets.size === 0) return [];
  const members = new Map<string, Member[]>();
  for (const object of objects) {
    checkTime();
    const forced = textOf(object)?.namespaces?.forced ?? [];
    const isMoved = forced.length > 0;
    const member = isPlannedObject(object) ? toMember(object, isMoved) : undefined;
    if (!member) continue;
    for (const namespace of isMoved ? forced : [member.writes ?? 'default'])
      if (targets.has(namespace)) addToGroup(members, namespace, member);
  }
  return [...members].flatMap(([namespace, inIt]) => {
    const pair = findPair(inIt);
    if (!pair) return [];
    const [{ object }, other] = pair;
    return [{ object, data: { object: describeObject(object), other: describeObject(other.object), namespace } }];
  });
}

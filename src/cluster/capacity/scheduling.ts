import { matchesLabelSelector } from '../../core/label-selector';
import { getFieldsAt, isFields, getListAt, nameOf, getValueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { collectFromEach, joinLists } from '../../core/join-lists';
import { memoizePerPlan } from '../context';
import type { PlanContext } from '../context';
import { CONTEXT_KINDS } from '../context-kinds';
import { withPodSets } from '../workload';
import type { PodSet, SystemRollout } from '../workload';
import type { Revision } from './node-affinity';

const HOSTNAME = 'kubernetes.io/hostname';
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/** Pods of a set that share no node: those of one revision with each other, and old ones with new ones. */
interface AntiAffinity {
  readonly withinRevision: boolean;
  readonly betweenRevisions: boolean;
}

const getLabelsByNamespace = memoizePerPlan(
  (context) =>
    new Map(context.all(CONTEXT_KINDS.namespace).map((namespace) => [nameOf(namespace), getFieldsAt(namespace, 'metadata', 'labels')])),
);

/** Rollouts with the labels of their namespaces, which a namespaceSelector asks for. */
export function withNamespaceLabels(rollout: SystemRollout, context: PlanContext): SystemRollout {
  const labels = getLabelsByNamespace(context);
  const addNamespaceLabels = <Pods extends PodSet>(pods: Pods): Pods => {
    const namespaceLabels = labels.get(pods.namespace ?? 'default');
    return namespaceLabels ? { ...pods, namespaceLabels } : pods;
  };
  return labels.size === 0 ? rollout : withPodSets(rollout, addNamespaceLabels);
}

/** No namespaces and no selector stand for the pod's own. Source: k/k pkg/scheduler/framework, `getNamespacesFromPodAffinityTerm`. */
function includesOwnNamespace(term: unknown, { namespace = 'default', namespaceLabels }: PodSet): boolean {
  const selector = getValueAt(term, 'namespaceSelector');
  const namespaces = getListAt(term, 'namespaces');
  if (namespaces.length === 0 && !isFields(selector)) return true;
  return namespaces.includes(namespace) || matchesLabelSelector(selector, { ...namespaceLabels, [NAMESPACE_NAME]: namespace });
}

/**
 * Which pods of a set an anti-affinity term keeps apart.
 *
 * The revision's label among the `matchLabelKeys` lets old pods be beside new ones, among the `mismatchLabelKeys` pods of one revision.
 * Source: k/k pkg/registry/core/pod/strategy.go, `applyMatchLabelKeysAndMismatchLabelKeys`, on from 1.31.
 */
function resolveAntiAffinityTerm(term: unknown, podSet: PodSet): AntiAffinity {
  const isOwn =
    getValueAt(term, 'topologyKey') === HOSTNAME &&
    includesOwnNamespace(term, podSet) &&
    matchesLabelSelector(getValueAt(term, 'labelSelector'), getValueAt(podSet.template, 'metadata', 'labels'));
  const revision = podSet.revisionLabel;
  const names = (field: string) => revision !== undefined && getListAt(term, field).includes(revision);
  return { withinRevision: isOwn && !names('mismatchLabelKeys'), betweenRevisions: isOwn && !names('matchLabelKeys') };
}

/** Does a required term keep apart pods of the set, node by node, as placing them does? */
export function isModelledAntiAffinity(term: unknown, podSet: PodSet): boolean {
  const { withinRevision, betweenRevisions } = resolveAntiAffinityTerm(term, podSet);
  return withinRevision || betweenRevisions;
}

function resolveAntiAffinity(podSet: PodSet): AntiAffinity {
  const terms = getListAt(podSet.template.spec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const antiAffinities = terms.map((term) => resolveAntiAffinityTerm(term, podSet));
  return {
    withinRevision: antiAffinities.some(({ withinRevision }) => withinRevision),
    betweenRevisions: antiAffinities.some(({ betweenRevisions }) => betweenRevisions),
  };
}

/** The port of the node that a container's port takes, if any. */
function resolveHostPort(port: Fields, isHostNetwork: boolean): Fields {
  return isHostNetwork && !port.hostPort ? { ...port, hostPort: port.containerPort } : port;
}

/**
 * The ports of the node that a pod takes. With hostNetwork every port of a container is one; init containers count where they stay.
 *
 * Source: k/k pkg/apis/core/v1/defaults.go, `defaultHostNetworkPorts`; pkg/scheduler/util, `GetHostPorts`.
 */
function listHostPorts(podSpec: unknown): readonly Fields[] {
  const sidecars = getListAt(podSpec, 'initContainers').filter((container) => getValueAt(container, 'restartPolicy') === 'Always');
  const isHostNetwork = getValueAt(podSpec, 'hostNetwork') === true;
  const portsOf = (container: unknown) =>
    collectFromEach(getListAt(container, 'ports'), (port) => {
      if (!isFields(port)) return [];
      const resolvedPort = resolveHostPort(port, isHostNetwork);
      return resolvedPort.hostPort ? [resolvedPort] : [];
    });
  return joinLists(collectFromEach(getListAt(podSpec, 'containers'), portsOf), collectFromEach(sidecars, portsOf));
}

/**
 * Why no two pods of a set, old or new, fit on one node; undefined where they do.
 *
 * Required anti-affinity by node name that selects the set's own labels, or a port of the node.
 */
export function findOwnNodeReason(podSet: PodSet): 'required anti-affinity' | 'hostNetwork' | 'a hostPort' | undefined {
  const { withinRevision, betweenRevisions } = resolveAntiAffinity(podSet);
  if (withinRevision && betweenRevisions) return 'required anti-affinity';
  if (listHostPorts(podSet.template.spec).length === 0) return undefined;
  return getValueAt(podSet.template.spec, 'hostNetwork') === true ? 'hostNetwork' : 'a hostPort';
}

/** What a pod leaves on its node, and what keeps it off a node where another pod left it. */
export interface NodeMarks {
  readonly leaves: readonly unknown[];
  readonly avoids: readonly unknown[];
}

const ALL_ADDRESSES = '0.0.0.0';

/** Ports clash on one address, and on all addresses with any. Source: k/k pkg/scheduler/framework/types.go, `CheckConflict`. */
function buildPortMarks(podSpec: unknown): NodeMarks {
  const leaves: string[] = [];
  const avoids: string[] = [];
  for (const { hostPort, protocol, hostIP } of listHostPorts(podSpec)) {
    const port = JSON.stringify([protocol || 'TCP', hostPort]);
    const address = typeof hostIP === 'string' && hostIP !== '' ? hostIP : ALL_ADDRESSES;
    leaves.push(`${port} ${address}`, `${port} on any`);
    avoids.push(...(address === ALL_ADDRESSES ? [`${port} on any`] : [`${port} ${address}`, `${port} ${ALL_ADDRESSES}`]));
  }
  return { leaves, avoids };
}

/** What the pods of each revision of a set leave on their nodes and avoid there; where they keep off each other, marks of their own. */
export function buildNodeMarks(podSet: PodSet): Readonly<Record<Revision, NodeMarks>> & { readonly areOwn: boolean } {
  const { withinRevision, betweenRevisions } = resolveAntiAffinity(podSet);
  const ports = buildPortMarks(podSet.template.spec);
  const areOwn = withinRevision || betweenRevisions;
  if (!areOwn) return { old: ports, new: ports, areOwn };
  const pods = { old: Symbol('old'), new: Symbol('new') };
  const marks = (own: Revision, other: Revision): NodeMarks => ({
    leaves: [...ports.leaves, pods[own]],
    avoids: [...ports.avoids, ...(withinRevision ? [pods[own]] : []), ...(betweenRevisions ? [pods[other]] : [])],
  });
  return { old: marks('old', 'new'), new: marks('new', 'old'), areOwn };
}

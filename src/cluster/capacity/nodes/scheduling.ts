import { getFieldsAt, isFields, getListAt, nameOf, getValueAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';
import { withPodSets } from '../../rollout/system-rollout';
import type { PodSet } from '../../rollout/pod-set';
import type { SystemRollout } from '../../rollout/system-rollout';
import type { Revision } from './node-affinity';
import { listAffinityTerms, toShape } from './pod-shape';
import { listSidecars } from '../../rollout/sidecars';

const HOSTNAME = 'kubernetes.io/hostname';

/** Which pods of a set avoid each other's nodes: pods of the same revision, and old and new pods. */
interface AntiAffinity {
  readonly withinRevision: boolean;
  readonly betweenRevisions: boolean;
}

const getLabelsByNamespace = memoizePerPlan(
  (context) =>
    new Map(context.all(CONTEXT_KINDS.namespace).map((namespace) => [nameOf(namespace), getFieldsAt(namespace, 'metadata', 'labels')])),
);

/** Returns the labels of a namespace; undefined if the Namespace is not in the input. */
export function getNamespaceLabels(namespace: string, context: PlanContext): Fields | undefined {
  return getLabelsByNamespace(context).get(namespace);
}

/** Adds the labels of its namespace to a rollout. A namespaceSelector matches them. */
export function withNamespaceLabels(rollout: SystemRollout, context: PlanContext): SystemRollout {
  const labels = getLabelsByNamespace(context);
  const addNamespaceLabels = <Pods extends PodSet>(pods: Pods): Pods => {
    const namespaceLabels = labels.get(pods.namespace ?? 'default');
    return namespaceLabels ? { ...pods, namespaceLabels } : pods;
  };
  return labels.size === 0 ? rollout : withPodSets(rollout, addNamespaceLabels);
}

/**
 * Returns which pods of a set each required anti-affinity term of it separates by node.
 *
 * The revision label in `matchLabelKeys` allows old pods next to new ones. In `mismatchLabelKeys` it allows pods of the same revision next
 * to each other. Source: k/k pkg/registry/core/pod/strategy.go, `applyMatchLabelKeysAndMismatchLabelKeys`, on by default since 1.31.
 */
export function listOwnAntiAffinities(podSet: PodSet): readonly AntiAffinity[] {
  const { template, revisionLabel } = podSet;
  // Most pods have none, and shapes take memory.
  if (getValueAt(template.spec, 'affinity', 'podAntiAffinity') === undefined) return [];
  const shapeOf = (revision: Revision) => {
    const labels = { ...getFieldsAt(template, 'metadata', 'labels'), ...(revisionLabel !== undefined && { [revisionLabel]: revision }) };
    return toShape(podSet, labels, getFieldsAt(template, 'spec'));
  };
  const [old, next] = [shapeOf('old'), shapeOf('new')];
  return listAffinityTerms(next, 'podAntiAffinity').map((term) => {
    const isByNode = term.topologyKey === HOSTNAME;
    return { withinRevision: isByNode && term.matches(next), betweenRevisions: isByNode && term.matches(old) };
  });
}

function resolveAntiAffinity(podSet: PodSet): AntiAffinity {
  const antiAffinities = listOwnAntiAffinities(podSet);
  return {
    withinRevision: antiAffinities.some(({ withinRevision }) => withinRevision),
    betweenRevisions: antiAffinities.some(({ betweenRevisions }) => betweenRevisions),
  };
}

/** Returns a port with the host port that it uses, if any. */
function resolveHostPort(port: Fields, isHostNetwork: boolean): Fields {
  return isHostNetwork && !port.hostPort ? { ...port, hostPort: port.containerPort } : port;
}

/**
 * Returns the host ports that a pod uses. With hostNetwork, every container port is one. Init containers count if they keep running.
 *
 * Source: k/k pkg/apis/core/v1/defaults.go, `defaultHostNetworkPorts`; pkg/scheduler/util, `GetHostPorts`.
 */
function listHostPorts(podSpec: unknown): readonly Fields[] {
  const isHostNetwork = getValueAt(podSpec, 'hostNetwork') === true;
  const portsOf = (container: unknown) =>
    collectFromEach(getListAt(container, 'ports'), (port) => {
      if (!isFields(port)) return [];
      const resolvedPort = resolveHostPort(port, isHostNetwork);
      return resolvedPort.hostPort ? [resolvedPort] : [];
    });
  return joinLists(collectFromEach(getListAt(podSpec, 'containers'), portsOf), collectFromEach(listSidecars(podSpec), portsOf));
}

/**
 * Returns why no two pods of a set, old or new, fit on one node: required anti-affinity by hostname that selects the set's own labels, or a
 * host port. Returns undefined if two pods fit.
 */
export function findOwnNodeReason(podSet: PodSet): 'required anti-affinity' | 'hostNetwork' | 'a hostPort' | undefined {
  const { withinRevision, betweenRevisions } = resolveAntiAffinity(podSet);
  if (withinRevision && betweenRevisions) return 'required anti-affinity';
  if (listHostPorts(podSet.template.spec).length === 0) return undefined;
  return getValueAt(podSet.template.spec, 'hostNetwork') === true ? 'hostNetwork' : 'a hostPort';
}

/** Marks that a pod leaves on its node, and marks of other pods that it avoids. */
export interface NodeMarks {
  readonly leaves: readonly unknown[];
  readonly avoids: readonly unknown[];
}

const ALL_ADDRESSES = '0.0.0.0';

/**
 * Builds the marks for host ports. A port conflicts on the same address, and on all addresses with any address. Source: k/k
 * pkg/scheduler/framework/types.go, `CheckConflict`.
 */
export function buildPortMarks(podSpec: unknown): NodeMarks {
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

/** Reports whether a pod may not be on a node with another one, because of a host port. */
export function hasPortConflict(leaving: unknown, arriving: unknown): boolean {
  const leaves = new Set(buildPortMarks(leaving).leaves);
  return buildPortMarks(arriving).avoids.some((mark) => leaves.has(mark));
}

/** Reports whether a new pod of a set never fits on the node of an old one: a required anti-affinity of either, or a host port. */
export function isExclusiveWithOldPods(podSet: PodSet): boolean {
  const { oldTemplate = podSet.template, template } = podSet;
  if (resolveAntiAffinity(podSet).betweenRevisions) return true;
  if (resolveAntiAffinity({ ...podSet, template: { ...template, spec: oldTemplate.spec } }).betweenRevisions) return true;
  return hasPortConflict(oldTemplate.spec, template.spec);
}

/** Builds the marks that the pods of each revision leave on their nodes and avoid. Pods that avoid each other get marks of their own. */
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

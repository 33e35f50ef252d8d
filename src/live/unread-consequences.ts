import type { UnreadResource } from '../core/document/cluster-source';
import type { SnapshotHeader, UnreadKind } from './snapshot-file';

const FITS_ON_NODES = 'whether pods fit on the nodes';

/** What a plan does not know without a resource type, by its plural name. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  configmaps: 'which ConfigMaps and operator settings exist',
  controllerrevisions: 'which revisions run',
  daemonsets: 'which DaemonSets run',
  deployments: 'which Deployments run',
  endpointslices: 'which Services lose endpoints',
  horizontalpodautoscalers: 'which autoscalers set replicas',
  limitranges: 'which defaults and limits LimitRanges set',
  nodes: FITS_ON_NODES,
  persistentvolumeclaims: 'which volumes the pods use',
  poddisruptionbudgets: 'which budgets cover the pods',
  pods: FITS_ON_NODES,
  replicasets: 'which revisions run',
  resourcequotas: 'whether quotas have enough left',
  scaledobjects: 'which autoscalers set replicas',
  services: 'which Services lose endpoints',
  statefulsets: 'which StatefulSets run',
};

/** Returns what a plan does not know without some resource types, each once. */
export function listUnreadConsequences(unread: readonly UnreadResource[]): string[] {
  return [
    ...new Set(
      unread.map(({ resource }) => {
        const plural = resource.split('.', 1)[0]!;
        return Object.hasOwn(CONSEQUENCES, plural) ? CONSEQUENCES[plural]! : `what ${resource} decide`;
      }),
    ),
  ];
}

/** Formats a type that the user may not read: `nodes`, `services in shop`, `pods of all namespaces`. */
export function formatUnreadResource({ resource, kind, namespace }: UnreadKind, { clusterScopedKinds }: SnapshotHeader): string {
  if (namespace !== undefined) return `${resource} in ${namespace}`;
  return clusterScopedKinds.includes(kind) ? resource : `${resource} of all namespaces`;
}

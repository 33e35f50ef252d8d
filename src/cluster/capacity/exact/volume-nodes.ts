import { getFieldsAt, getListAt, getValueAt, isFields, nameOf, namespaceOf } from '../../../core/manifest';
import type { Fields, Manifest } from '../../../core/manifest';
import { memoizePerPlan } from '../../context';
import type { PlanContext } from '../../context';
import { CONTEXT_KINDS } from '../../context-kinds';
import type { PodSet } from '../../workload';

function formatKey(namespace: string, name: unknown): string {
  return JSON.stringify([namespace, name]);
}

const listVolumes = memoizePerPlan((context) => ({
  claims: new Map(
    context
      .all(CONTEXT_KINDS.persistentVolumeClaim)
      .map((claim): [string, Manifest] => [formatKey(namespaceOf(claim) ?? 'default', nameOf(claim)), claim]),
  ),
  volumes: new Map(context.all(CONTEXT_KINDS.persistentVolume).map((volume): [unknown, Manifest] => [nameOf(volume), volume])),
}));

/** Returns the node selector terms of the volume that a claim is bound to. Returns undefined if it is bound to none, or to one on any node. */
function findVolumeTerms(claimName: unknown, namespace: string, context: PlanContext): readonly unknown[] | undefined {
  const { claims, volumes } = listVolumes(context);
  const volume = volumes.get(getValueAt(claims.get(formatKey(namespace, claimName)), 'spec', 'volumeName'));
  const required = getValueAt(volume, 'spec', 'nodeAffinity', 'required');
  return isFields(required) ? getListAt(required, 'nodeSelectorTerms') : undefined;
}

function joinTerms(a: unknown, b: unknown): Fields {
  const join = (field: string) => [...getListAt(a, field), ...getListAt(b, field)];
  return { matchExpressions: join('matchExpressions'), matchFields: join('matchFields') };
}

/**
 * Returns a pod set that also requires the nodes of the volumes that its pods mount: the zone of a disk in the cloud, or the node of a local
 * one.
 *
 * Source: k/k pkg/scheduler/framework/plugins/volumebinding/binder.go, `checkBoundClaims`.
 */
export function withVolumeNodes<Pods extends PodSet>(podSet: Pods, context: PlanContext): Pods {
  const spec = getFieldsAt(podSet.template, 'spec');
  const names = getListAt(spec, 'volumes').map((volume) => getValueAt(volume, 'persistentVolumeClaim', 'claimName'));
  const required = names.flatMap((name) => {
    const terms = typeof name === 'string' ? findVolumeTerms(name, podSet.namespace ?? 'default', context) : undefined;
    return terms ? [terms] : [];
  });
  if (required.length === 0) return podSet;
  const affinity = getFieldsAt(spec, 'affinity');
  const nodeAffinity = getFieldsAt(affinity, 'nodeAffinity');
  const own = nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  const all = isFields(own) ? [getListAt(own, 'nodeSelectorTerms'), ...required] : required;
  const nodeSelectorTerms = all.reduce((joined, terms) => joined.flatMap((a) => terms.map((b) => joinTerms(a, b))));
  const merged = { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { ...podSet, template: { ...podSet.template, spec: { ...spec, affinity: { ...affinity, nodeAffinity: merged } } } };
}

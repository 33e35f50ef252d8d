import { mayChangeObjects } from './definition-change';
import { mayChangeRevisions } from './knative-config';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { matchesLabelSelector } from '../../core/values/label-selector';
import { annotationOf, getFieldsAt, getListAt, getValueAt, groupOf, isFields, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import { SYSTEMS } from '../../plan/registry';
import { memoizePerPlan } from '../../cluster/context/context';
import type { ChangedObject, ObjectInContext } from '../../cluster/context/context';
import { findOwnedConfig, findWrittenConfig } from './written-secrets';

/** The object of one or both sides. */
type Sides = { readonly [Side in keyof ChangedObject]: Manifest };

/** Reports whether an object differs in one of these parts, is new or is deleted. */
function differsIn({ old, next }: Sides, ...parts: readonly (readonly string[])[]): boolean {
  return !old || !next || parts.some((part) => !isDeepEqual(getValueAt(old, ...part), getValueAt(next, ...part)));
}

function isDeletion({ next }: Sides): boolean {
  return next === undefined;
}

function isUpdate({ old, next }: Sides): boolean {
  return old !== undefined && next !== undefined;
}

/** Reports whether a Node accepts pods that a taint kept off before. */
function losesTaint(old: Manifest, next: Manifest): boolean {
  const left = getListAt(next, 'spec', 'taints');
  return getListAt(old, 'spec', 'taints').some((taint) => !left.some((other) => isDeepEqual(taint, other)));
}

/** Reports whether Karpenter may drain a node that an annotation kept as it is. */
function losesProtection(old: Manifest, next: Manifest): boolean {
  const isProtected = (node: Manifest) => annotationOf(node, 'karpenter.sh/do-not-disrupt') === 'true';
  return isProtected(old) && !isProtected(next);
}

/** Reports whether the next Job of a CronJob replaces one that still runs, and did not before. */
function startsReplacing(old: Manifest, next: Manifest): boolean {
  const [before, after] = [old, next].map((cronJob) => getValueAt(cronJob, 'spec', 'concurrencyPolicy'));
  return after === 'Replace' && before !== 'Replace';
}

/** Label with which a Secret is a cluster of Argo CD. */
const ARGO_CD_SECRET_TYPE = 'argocd.argoproj.io/secret-type';

function isArgoCdCluster(secret: Manifest | undefined): boolean {
  return getFieldsAt(secret, 'metadata', 'labels')[ARGO_CD_SECRET_TYPE] === 'cluster';
}

/** Reports whether the controller of Jobs leaves a Job alone. */
function isManagedElsewhere(job: Manifest | undefined): boolean {
  const manager = getValueAt(job, 'spec', 'managedBy');
  return typeof manager === 'string' && manager !== 'kubernetes.io/job-controller';
}

/** Reports whether an ExternalSecret writes an object that is neither a Secret nor a ConfigMap. */
function writesOtherKind(externalSecret: Manifest | undefined): boolean {
  const target = getValueAt(externalSecret, 'spec', 'target', 'manifest');
  return target !== undefined && target !== null && !['ConfigMap', 'Secret'].includes(toSafeText(getValueAt(target, 'kind')));
}

/** By kind, reports whether what happens to an object may concern pods although its kind is configuration. */
const EXCEPTIONS: ReadonlyMap<string, (sides: Sides) => boolean> = new Map([
  // The objects in a namespace and those of a definition are deleted with it.
  ['/Namespace', isDeletion],
  [
    'apiextensions.k8s.io/CustomResourceDefinition',
    (sides) => isDeletion(sides) || (isUpdate(sides) && mayChangeObjects(sides.old!, sides.next!)),
  ],
  // Another controller decides about its pods.
  ['batch/Job', ({ old, next }) => old === undefined && isManagedElsewhere(next)],
  // The garbage collector deletes its Jobs that still run. With Replace, its controller does so once the next one is due.
  ['batch/CronJob', (sides) => isDeletion(sides) || (isUpdate(sides) && startsReplacing(sides.old!, sides.next!))],
  ['/ConfigMap', ({ old, next }) => mayChangeRevisions(old, next)],
  // The generators of ApplicationSets create and delete Applications for each cluster, and select it by its labels.
  [
    '/Secret',
    (sides) =>
      (isArgoCdCluster(sides.old) || isArgoCdCluster(sides.next)) && differsIn(sides, ['data'], ['stringData'], ['metadata', 'labels']),
  ],
  // The Secrets that it writes in each selected namespace change or are deleted with it.
  ['external-secrets.io/ClusterExternalSecret', (sides) => sides.old !== undefined && differsIn(sides, ['spec'])],
  // KEDA scales the target to the number that it had before. Source: KEDA 2.17 controllers/keda/scaledobject_finalizer.go.
  [
    'keda.sh/ScaledObject',
    (sides) => isDeletion(sides) && getValueAt(sides.old, 'spec', 'advanced', 'restoreToOriginalReplicaCount') === true,
  ],
  // A DaemonSet gets a pod on a node without a taint that kept it off, and Karpenter may drain one without its annotation.
  ['/Node', (sides) => isUpdate(sides) && (losesTaint(sides.old!, sides.next!) || losesProtection(sides.old!, sides.next!))],
  // It may write objects of any kind instead of a Secret. Source: External Secrets 1.0, "Targeting Custom Resources".
  ['external-secrets.io/ExternalSecret', (sides) => [sides.old, sides.next].some(writesOtherKind) && differsIn(sides, ['spec'])],
  // Karpenter then replaces nodes that it left before, or keeps another number of them.
  ['karpenter.sh/NodePool', (sides) => isUpdate(sides) && differsIn(sides, ['spec', 'disruption'], ['spec', 'replicas'])],
  // A device may get a taint that evicts pods, also if another slice of its pool had it before.
  ['resource.k8s.io/ResourceSlice', (sides) => !isDeletion(sides) && differsIn(sides, ['spec'])],
]);

/** Reports whether a ClusterExternalSecret selects a Namespace by its labels. */
function selectsNamespace({ spec }: Manifest, namespace: Manifest): boolean {
  const selectors = [getValueAt(spec, 'namespaceSelector'), ...getListAt(spec, 'namespaceSelectors')];
  return selectors.some((selector) => isFields(selector) && matchesLabelSelector(selector, getFieldsAt(namespace, 'metadata', 'labels')));
}

const clusterSecretsOf = memoizePerPlan((context): readonly Manifest[] =>
  context.objects.filter((one) => one.kind === 'ClusterExternalSecret' && groupOf(one) === 'external-secrets.io'),
);

/** Reports whether a Namespace gets other labels, so that External Secrets deletes a Secret in it that pods may need. */
function losesClusterSecret({ old, next }: ChangedObject): boolean {
  if (!old || !next || next.object.kind !== 'Namespace' || groupOf(next.object) !== '') return false;
  return clusterSecretsOf(next.context).some((one) => selectsNamespace(one, old.object) && !selectsNamespace(one, next.object));
}

/** Returns the Secret or ConfigMap that a controller writes of an object. Its data differs if anything else of the object does. */
function toWrittenConfig(
  side: ObjectInContext | undefined,
  findSecret: (object: Manifest) => Manifest | undefined,
): ObjectInContext | undefined {
  const secret = side && findSecret(side.object);
  return secret && { ...side, object: { ...secret, data: side.object.spec } };
}

/** Reports whether what happens to what a controller writes of an object may concern such pods. */
function writesConfigOfUnseenPods({ old, next }: ChangedObject): boolean {
  const before = toWrittenConfig(old, next ? findWrittenConfig : findOwnedConfig);
  const after = toWrittenConfig(next, findWrittenConfig);
  return (before ?? after) !== undefined && mayConcernUnseenPods({ ...(before && { old: before }), ...(after && { next: after }) });
}

/**
 * Reports whether an object that is created, changed or deleted may start, replace or stop pods that no object in view shows, although its
 * kind is configuration.
 */
export function mayConcernUnseenPods(changed: ChangedObject): boolean {
  const sides: Sides = { ...(changed.old && { old: changed.old.object }), ...(changed.next && { next: changed.next.object }) };
  const object = (sides.next ?? sides.old)!;
  return (
    EXCEPTIONS.get(kindKeyOf(object))?.(sides) === true ||
    losesClusterSecret(changed) ||
    writesConfigOfUnseenPods(changed) ||
    SYSTEMS.some((system) => system.concernsUnseenPods?.(changed) === true)
  );
}

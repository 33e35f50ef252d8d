import { ROOT_PATH, toFieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding, Severity } from '../../core/finding';
import { formatDisplayValue, toDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { describeObject, getListAt, getValueAt, groupOf, listOwnerUids, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { pluralize } from '../../core/text-format';
import type { PlanInput } from '../../plan/plan-input';
import type { ObjectComparison } from '../object-comparison';

interface GarbageCollectedData {
  /** `Deployment shop/web` */
  readonly object: string;
  /** Kind and name of the first owner, as the reference has them. */
  readonly ownerKind: DisplayValue;
  readonly ownerName: DisplayValue;
}

interface DeletedWithData {
  /** `Namespace shop` */
  readonly object: string;
  /** Number of objects of NEW that are deleted with it. */
  readonly objects: number;
  /** The first of them: `Deployment shop/web` */
  readonly first: string;
}

const OWNERS_PATH = toFieldPath`metadata.ownerReferences`;

function render(image: string, metadata: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop${metadata} }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
}

function renderChange(metadata: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${render('web:1', '')}# new.yaml
${render('web:2', metadata)}`;
}

/** An object of NEW that a controller deletes: it names an owner that does not exist, or its Namespace or CustomResourceDefinition is pruned. */
export const garbageCollected = defineRule({
  code: 'change/garbage-collected',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'An object gets ownerReferences with this change, and no owner that they name is a live object of OLD; or the apply deletes the Namespace or the CustomResourceDefinition of objects that NEW has.',
  why:
    'The garbage collector deletes an object if none of its owners exists in its namespace with the uid of the reference, and with it the pods that it owns. ' +
    'Deleting a Namespace deletes all objects in it, and deleting a CustomResourceDefinition all objects of its kind. ' +
    'The uid of an object is given by the server, so a manifest that contains one is right only for one cluster. ' +
    'Source: Kubernetes 1.36 pkg/controller/garbagecollector/garbagecollector.go, `attemptToDeleteItem`.',
  fix: 'Remove metadata.ownerReferences from the manifest, or keep the Namespace or the CustomResourceDefinition.',
  example: renderChange(', ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, uid: 5b5b1a3e-0000-4000-8000-000000000001 }]'),
  fixedExample: renderChange(''),
  messages: {
    ownerMissing: defineMessage<GarbageCollectedData>({
      text: ({ object, ownerKind, ownerName }) =>
        `${object} names the owner ${formatDisplayValue(ownerKind)} ${formatDisplayValue(ownerName)}, and OLD has no live object with its uid: if the cluster has none either, the garbage collector deletes ${object} soon after the apply.`,
      help: () => 'Remove metadata.ownerReferences, or read OLD from the cluster together with the owner.',
      sample: { object: 'Deployment shop/web', ownerKind: 'ConfigMap', ownerName: 'a' },
    }),
    deletedWith: defineMessage<DeletedWithData>({
      text: ({ object, objects, first }) =>
        `The apply deletes ${object}, and the cluster deletes with it ${objects === 1 ? first : `${pluralize(objects, 'object')} that NEW has, such as ${first}`}.`,
      help: ({ object }) => `Keep ${object} in NEW, or remove what is deleted with it too.`,
      sample: { object: 'Namespace shop', objects: 3, first: 'Deployment shop/web' },
      variants: [{ object: 'Namespace shop', objects: 1, first: 'Deployment shop/web' }],
    }),
  },
});

/**
 * Reports an object whose owners are all new with this change and no live objects.
 *
 * @param liveUids - the uids of the live objects of OLD
 */
export function checkGarbageCollected(
  { next, result, old }: ObjectComparison,
  liveUids: ReadonlySet<unknown>,
  severity: Severity,
  locate: PlanInput['locate'],
): Finding[] {
  const uids = listOwnerUids(result);
  const had = new Set(old ? listOwnerUids(old.manifest) : []);
  if (uids.length === 0 || uids.some((uid) => had.has(uid) || liveUids.has(uid))) return [];
  const [owner] = getListAt(result, 'metadata', 'ownerReferences');
  const data = {
    object: describeObject(next),
    ownerKind: toDisplayValue(getValueAt(owner, 'kind')),
    ownerName: toDisplayValue(getValueAt(owner, 'name')),
  };
  const source = locate?.(next, OWNERS_PATH);
  return [garbageCollected.createFinding('ownerMissing', { path: OWNERS_PATH, data, severity, ...(source && { source }) })];
}

/** Returns a test of the objects that the cluster deletes with one; undefined if there are none. */
function findMembership(object: Manifest): ((other: Manifest) => boolean) | undefined {
  if (object.kind === 'Namespace' && groupOf(object) === '') return (other) => namespaceOf(other) === nameOf(object);
  if (object.kind !== 'CustomResourceDefinition' || groupOf(object) !== 'apiextensions.k8s.io') return undefined;
  const [group, kind] = [getValueAt(object, 'spec', 'group'), getValueAt(object, 'spec', 'names', 'kind')];
  return (other) => other.kind === kind && groupOf(other) === group;
}

/** Reports the Namespaces and CustomResourceDefinitions that the apply deletes although NEW has objects in them. */
export function checkDeletedWith(deleted: Iterable<Manifest>, objects: readonly Manifest[]): Finding[] {
  return [...deleted].flatMap((object) => {
    const isMember = findMembership(object);
    const members = isMember ? objects.filter(isMember) : [];
    const [first] = members;
    if (first === undefined) return [];
    const data = { object: describeObject(object), objects: members.length, first: describeObject(first) };
    return [garbageCollected.createFinding('deletedWith', { path: ROOT_PATH, data, severity: 'error' })];
  });
}

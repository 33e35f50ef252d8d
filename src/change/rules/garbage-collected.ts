import { findFirstByName } from '../../core/collections/first-by-name';
import { isBeingDeleted } from '../../appliers/live-object';
import { ROOT_PATH, toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding, Severity, Source } from '../../core/findings/finding';
import { formatDisplayValue, toDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { describeObject, getListAt, getValueAt, groupOf, listOwnerUids, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { pluralize } from '../../core/text/text-format';

interface GarbageCollectedData {
  /** `Deployment shop/web` */
  readonly object: string;
  /** Kind and name of the first owner, as the reference has them. */
  readonly ownerKind: DisplayValue;
  readonly ownerName: DisplayValue;
}

interface OwnerData {
  /** `Deployment shop/web` */
  readonly object: string;
  /** `ConfigMap shop/a` */
  readonly owner: string;
}

interface DeletedWithData {
  /** `Namespace shop`, or `Kustomization flux-system/apps` */
  readonly object: string;
  /** Number of objects of NEW that are deleted with it. */
  readonly objects: number;
  /** The first of them: `Deployment shop/web` */
  readonly first: string;
  /** Name of the tool that deletes it, if that is not the apply. */
  readonly deletedBy?: string;
  /** Whether it is created again. @default false */
  readonly isRecreated?: true;
}

/** How an object goes. */
export interface Deletion {
  /** Name of the tool that deletes it. @default - the apply */
  readonly deletedBy?: string | undefined;
  /** Whether the cluster already deletes it. @default false */
  readonly isBeingDeleted?: true;
  /** Whether the apply creates it again. @default false */
  readonly isRecreated?: true;
}

interface DeletedWithSourceData extends DeletedWithData {
  /** Name of the tool for messages. */
  readonly title: string;
  /** Another object that makes its tool apply the objects. Absent if there is none. */
  readonly other?: string;
  /** Whether the cluster is deleting it already, whatever the apply does. @default - the apply deletes it */
  readonly isBeingDeleted?: true;
  /** Whether Argo CD waits until a user confirms it. @default false */
  readonly awaitsConfirmation?: true;
}

interface BeingDeletedData {
  /** `Deployment shop/web` */
  readonly object: string;
}

export const OWNERS_PATH = toFieldPath`metadata.ownerReferences`;

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

/**
 * An object of NEW that the cluster deletes: it names an owner that does not exist, or one that is pruned, or its Namespace or CustomResourceDefinition
 * is pruned, or the cluster deletes one of these already.
 */
export const garbageCollected = defineRule({
  code: 'change/garbage-collected',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'An object gets ownerReferences with this change, and no owner that they name is a live object of OLD in its namespace; or the apply deletes all of its owners, the Namespace or the CustomResourceDefinition of objects that NEW has, or the Kustomization, HelmRelease, Application or ApplicationSet that applied them, also if their own tool deletes these; ' +
    'or a live object of OLD is being deleted, and NEW has it or objects in it.',
  why:
    'The garbage collector deletes an object if none of its owners exists in its namespace with the uid of the reference, and with it the pods that it owns. ' +
    'Deleting a Namespace deletes all objects in it, and deleting a CustomResourceDefinition all objects of its kind. ' +
    'The uid of an object is given by the server, so a manifest that contains one is right only for one cluster. ' +
    'An object with metadata.deletionTimestamp is deleted once its finalizers are removed, whatever is applied before, and nothing is created in such a Namespace. ' +
    'Source: Kubernetes 1.36 pkg/controller/garbagecollector/garbagecollector.go, `attemptToDeleteItem`.',
  fix: 'Remove metadata.ownerReferences from the manifest, or keep the owner, the Namespace or the CustomResourceDefinition.',
  example: renderChange(', ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, uid: 5b5b1a3e-0000-4000-8000-000000000001 }]'),
  fixedExample: renderChange(''),
  messages: {
    ownerMissing: defineMessage<GarbageCollectedData>({
      text: ({ object, ownerKind, ownerName }) =>
        `${object} names the owner ${formatDisplayValue(ownerKind)} ${formatDisplayValue(ownerName)}, and OLD has no live object with its uid: if the cluster has none either, the garbage collector deletes ${object} soon after the apply.`,
      help: () => 'Remove metadata.ownerReferences, or read OLD from the cluster together with the owner.',
      sample: { object: 'Deployment shop/web', ownerKind: 'ConfigMap', ownerName: 'a' },
    }),
    ownerElsewhere: defineMessage<OwnerData>({
      text: ({ object, owner }) =>
        `${object} names the owner ${owner}, which is in another namespace: for the garbage collector it does not exist, so it deletes ${object} soon after the apply.`,
      help: () => 'Remove metadata.ownerReferences: an owner is in the namespace of the object, or in none.',
      sample: { object: 'Deployment shop/web', owner: 'ConfigMap platform/a' },
    }),
    ownerDeleted: defineMessage<OwnerData>({
      text: ({ object, owner }) =>
        `The apply deletes ${owner}, the last owner of ${object}, so the garbage collector deletes ${object} too.`,
      help: ({ object, owner }) => `Keep ${owner}, or remove it from metadata.ownerReferences of ${object} before.`,
      sample: { object: 'Deployment shop/web', owner: 'ConfigMap shop/a' },
    }),
    deletedWith: defineMessage<DeletedWithData>({
      text: ({ object, objects, first, deletedBy = 'The apply', isRecreated }) =>
        `${deletedBy} deletes ${isRecreated ? 'and recreates ' : ''}${object}, and the cluster deletes with it ${objects === 1 ? first : `${pluralize(objects, 'object')} that NEW has, such as ${first}`}.`,
      help: ({ object, isRecreated }) =>
        isRecreated ? `Let ${object} be updated instead of recreated.` : `Keep ${object} in NEW, or remove what is deleted with it too.`,
      sample: { object: 'Namespace shop', objects: 3, first: 'Deployment shop/web' },
      variants: [
        { object: 'Namespace shop', objects: 1, first: 'Deployment shop/web' },
        { object: 'Namespace shop', objects: 1, first: 'Deployment shop/web', deletedBy: 'Flux' },
        { object: 'Namespace shop', objects: 1, first: 'Deployment shop/web', deletedBy: 'Argo CD', isRecreated: true },
      ],
    }),
    deletedWithSource: defineMessage<DeletedWithSourceData>({
      text: ({ object, title, objects, first, other, deletedBy = 'The apply', isBeingDeleted: isGoing, isRecreated, awaitsConfirmation }) =>
        `${isGoing ? 'The cluster is deleting' : `${deletedBy} deletes${isRecreated ? ' and recreates' : ''}`} ${object}, so ${title} deletes ${objects === 1 ? first : `${pluralize(objects, 'object')} that NEW has, such as ${first}`}${awaitsConfirmation ? ', once a user confirms it with the annotation argocd.argoproj.io/deletion-approved' : ''}${other === undefined ? '' : `, unless ${other} applies ${objects === 1 ? 'it' : 'them'} first`}.`,
      help: ({ object, isBeingDeleted: isGoing, isRecreated }) => {
        if (isRecreated) return `Let ${object} be updated instead of recreated.`;
        return isGoing
          ? `Wait until ${object} is gone, and read OLD again.`
          : `Keep ${object}, or first let it keep what it applied, in a change of its own.`;
      },
      sample: { object: 'Kustomization flux-system/apps', title: 'Flux', objects: 3, first: 'Deployment shop/web' },
      variants: [
        { object: 'Application argocd/shop', title: 'Argo CD', objects: 1, first: 'Deployment shop/web', other: 'Application argocd/web' },
        { object: 'Kustomization flux-system/apps', title: 'Flux', objects: 1, first: 'Deployment shop/web', isBeingDeleted: true },
        { object: 'Application argocd/shop', title: 'Argo CD', objects: 1, first: 'Deployment shop/web', awaitsConfirmation: true },
        { object: 'HelmRelease shop/web', title: 'Flux', objects: 1, first: 'Deployment shop/web', deletedBy: 'Flux' },
        {
          object: 'Kustomization flux-system/apps',
          title: 'Flux',
          objects: 1,
          first: 'Deployment shop/web',
          deletedBy: 'Argo CD',
          isRecreated: true,
        },
      ],
    }),
    beingDeleted: defineMessage<BeingDeletedData>({
      text: ({ object }) => `${object} is being deleted: it goes once its finalizers are removed, whatever the apply changes.`,
      help: ({ object }) => `Wait until ${object} is gone, and read OLD again: the apply then creates it.`,
      sample: { object: 'Deployment shop/web' },
    }),
    beingDeletedWith: defineMessage<DeletedWithData>({
      text: ({ object, objects, first }) =>
        `${object} is being deleted: the cluster deletes what is in it, and refuses new objects. NEW has ${objects === 1 ? first : `${pluralize(objects, 'object')} in it, such as ${first}`}.`,
      help: ({ object }) => `Wait until ${object} is gone, and create it again before the apply.`,
      sample: { object: 'Namespace shop', objects: 3, first: 'Deployment shop/web' },
      variants: [{ object: 'Namespace shop', objects: 1, first: 'Deployment shop/web' }],
    }),
  },
});

/** What is known about the owners in the cluster. */
export interface LiveOwners {
  /** Live objects of OLD by uid. */
  readonly byUid: ReadonlyMap<unknown, Manifest>;
  /** Returns the manifest of OLD that a reference names and that the apply deletes, if it shows no uid. */
  readonly findDeleted: (reference: unknown, dependent: Manifest) => Manifest | undefined;
  /** Reports whether the apply deletes a live object, or creates it again with another uid. */
  readonly isDeleted: (owner: Manifest) => boolean;
}

/** An object whose owners are checked, and what it was. */
export interface OwnedObject {
  readonly object: Manifest;
  /** What OLD has of it. @default - it is new */
  readonly old?: Manifest;
}

function isInOtherNamespace(owner: Manifest, { object, old }: OwnedObject): boolean {
  const [of, own] = [namespaceOf(owner), namespaceOf(object) ?? (old && namespaceOf(old))];
  return of !== undefined && own !== undefined && of !== own;
}

/** Explains why none of the owners that an object names exists after the apply. Returns undefined if one may, or if it names none. */
function explainMissingOwners(owned: OwnedObject, { byUid, findDeleted, isDeleted }: LiveOwners) {
  const { object: dependent, old } = owned;
  const references = getListAt(dependent, 'metadata', 'ownerReferences');
  const had = new Set(old ? listOwnerUids(old) : []);
  const ownerOf = (reference: unknown) => byUid.get(getValueAt(reference, 'uid')) ?? findDeleted(reference, dependent);
  const isMissing = (reference: unknown) => {
    const isNew = !had.has(getValueAt(reference, 'uid'));
    const owner = ownerOf(reference);
    if (owner) return isDeleted(owner) || (isNew && isInOtherNamespace(owner, owned));
    return isNew;
  };
  if (references.length === 0 || !references.every(isMissing)) return undefined;
  const object = describeObject(dependent);
  const owner = references.map(ownerOf).find((found) => found !== undefined);
  if (owner)
    return { messageId: isDeleted(owner) ? 'ownerDeleted' : 'ownerElsewhere', data: { object, owner: describeObject(owner) } } as const;
  const [first] = references;
  const [ownerKind, ownerName] = [toDisplayValue(getValueAt(first, 'kind')), toDisplayValue(getValueAt(first, 'name'))];
  return { messageId: 'ownerMissing', data: { object, ownerKind, ownerName } } as const;
}

/** Reports an object whose owners do not exist after the apply, so that the garbage collector deletes it. */
export function checkGarbageCollected(owned: OwnedObject, owners: LiveOwners, severity: Severity, source: Source | undefined): Finding[] {
  const found = explainMissingOwners(owned, owners);
  if (!found) return [];
  const base = { path: OWNERS_PATH, severity, ...(source && { source }) };
  return found.messageId === 'ownerMissing'
    ? [garbageCollected.createFinding('ownerMissing', { ...base, data: found.data })]
    : [garbageCollected.createFinding(found.messageId, { ...base, data: found.data })];
}

/** Returns a test of the objects that the cluster deletes with one; undefined if there are none. */
function findMembership(object: Manifest): ((other: Manifest) => boolean) | undefined {
  if (object.kind === 'Namespace' && groupOf(object) === '') return (other) => namespaceOf(other) === nameOf(object);
  if (object.kind !== 'CustomResourceDefinition' || groupOf(object) !== 'apiextensions.k8s.io') return undefined;
  const [group, kind] = [getValueAt(object, 'spec', 'group'), getValueAt(object, 'spec', 'names', 'kind')];
  return (other) => other.kind === kind && groupOf(other) === group;
}

/** Returns the data of a Namespace or CustomResourceDefinition that is deleted, if NEW has objects in it. */
function describeDeletedWith(object: Manifest, objects: readonly Manifest[]): DeletedWithData | undefined {
  const isMember = findMembership(object);
  const members = isMember ? objects.filter(isMember) : [];
  const first = findFirstByName(members, describeObject);
  return first && { object: describeObject(object), objects: members.length, first: describeObject(first) };
}

/**
 * Reports the Namespaces and CustomResourceDefinitions that the apply deletes although NEW has objects in them.
 *
 * @param deleted - objects that are deleted, and how
 */
export function checkDeletedWith(deleted: ReadonlyMap<Manifest, Deletion>, objects: readonly Manifest[]): Finding[] {
  return [...deleted].flatMap(([object, { deletedBy, isRecreated }]) => {
    const found = describeDeletedWith(object, objects);
    const data = found && { ...found, ...(deletedBy !== undefined && { deletedBy }), ...(isRecreated && { isRecreated }) };
    return data ? [garbageCollected.createFinding('deletedWith', { path: ROOT_PATH, data, severity: 'error' })] : [];
  });
}

/**
 * Reports what a cluster is deleting already: an object that NEW has, and one that objects of NEW are in.
 *
 * @param object - an object of OLD
 * @param isInNew - whether NEW has it too
 */
export function checkDeletedByCluster(object: Manifest, isInNew: boolean, objects: readonly Manifest[]): Finding[] {
  if (!isBeingDeleted(object)) return [];
  const severity = 'error';
  const data = describeDeletedWith(object, objects);
  return [
    ...(isInNew
      ? [garbageCollected.createFinding('beingDeleted', { path: ROOT_PATH, data: { object: describeObject(object) }, severity })]
      : []),
    ...(data ? [garbageCollected.createFinding('beingDeletedWith', { path: ROOT_PATH, data, severity })] : []),
  ];
}

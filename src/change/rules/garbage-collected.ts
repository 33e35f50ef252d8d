import { toFieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding, Severity } from '../../core/finding';
import { formatDisplayValue, toDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { describeObject, getListAt, getValueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { PlanInput } from '../../plan/plan-input';
import type { ObjectComparison } from '../object-comparison';

interface GarbageCollectedData {
  /** `Deployment shop/web` */
  readonly object: string;
  /** Kind and name of the first owner, as the reference has them. */
  readonly ownerKind: DisplayValue;
  readonly ownerName: DisplayValue;
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

/** An object that the garbage collector deletes, because a manifest names an owner that does not exist. */
export const garbageCollected = defineRule({
  code: 'change/garbage-collected',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'An object gets ownerReferences with this change, and no owner that they name is a live object of OLD.',
  why:
    'The garbage collector deletes an object if none of its owners exists in its namespace with the uid of the reference, and with it the pods that it owns. ' +
    'The uid of an object is given by the server, so a manifest that contains one is right only for one cluster. ' +
    'Source: Kubernetes 1.36 pkg/controller/garbagecollector/garbagecollector.go, `attemptToDeleteItem`.',
  fix: 'Remove metadata.ownerReferences from the manifest.',
  example: renderChange(', ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, uid: 5b5b1a3e-0000-4000-8000-000000000001 }]'),
  fixedExample: renderChange(''),
  messages: {
    ownerMissing: defineMessage<GarbageCollectedData>({
      text: ({ object, ownerKind, ownerName }) =>
        `${object} names the owner ${formatDisplayValue(ownerKind)} ${formatDisplayValue(ownerName)}, and OLD has no live object with its uid: if the cluster has none either, the garbage collector deletes ${object} soon after the apply.`,
      help: () => 'Remove metadata.ownerReferences, or read OLD from the cluster together with the owner.',
      sample: { object: 'Deployment shop/web', ownerKind: 'ConfigMap', ownerName: 'a' },
    }),
  },
});

function listOwnerUids(object: Manifest | undefined): unknown[] {
  return object ? getListAt(object, 'metadata', 'ownerReferences').map((owner) => getValueAt(owner, 'uid')) : [];
}

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
  const had = new Set(listOwnerUids(old?.manifest));
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

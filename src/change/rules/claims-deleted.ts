import { WHOLE_OBJECT, at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import { listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { counted } from '../../core/words';
import { claimsText, RETAIN_PATCH, UNLESS_RECLAIMED } from '../../workloads/deleted-claims';

interface ScaledData {
  readonly statefulSet: string;
  /** Pods before and after. */
  readonly before: number;
  readonly after: number;
  /** Claims that go. */
  readonly claims: number;
  /** The first of them. */
  readonly first: string;
}

interface GoneData {
  readonly statefulSet: string;
  readonly namespace?: string;
  readonly claims: number;
  readonly first: string;
}

function setOf(replicas: number, policy: string): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  replicas: ${replicas}
  serviceName: db
  persistentVolumeClaimRetentionPolicy: { ${policy} }
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers: [{ name: db, image: "db:1", readinessProbe: { tcpSocket: { port: 5432 } } }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOncePod], resources: { requests: { storage: 10Gi } } }
`;
}

const OLD = setOf(5, 'whenScaled: Delete');

/** A StatefulSet whose claims, and with them their data, are deleted by the apply. */
export const claimsDeleted = rule({
  code: 'change/claims-deleted',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A StatefulSet with volumeClaimTemplates gets fewer pods while persistentVolumeClaimRetentionPolicy.whenScaled is Delete, or it is deleted (--prune) or made anew ' +
    'while whenDeleted is Delete.',
  why:
    'The controller then makes each pod that goes, or the StatefulSet, the owner of its claims, and they are deleted with it. ' +
    'A volume that was made for its claim is deleted with the claim by default: scaling up again brings empty ones.',
  fix: 'Write Retain in the policy, in the same apply or before it, and delete the claims by hand once nobody needs them.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD}# new.yaml
${setOf(3, 'whenScaled: Delete')}`,
  fixed: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD}# new.yaml
${setOf(3, 'whenScaled: Retain')}`,
  messages: {
    scaled: message<ScaledData>({
      text: ({ before, after, claims, first }) =>
        `whenScaled is Delete: from ${before} to ${counted(after, 'pod')} ${claimsText(claims, first)} deleted with the pods, and so is their data, ${UNLESS_RECLAIMED}.`,
      help: () => 'Write whenScaled: Retain in spec.persistentVolumeClaimRetentionPolicy, in the same apply, unless nobody needs the data.',
      sample: { statefulSet: 'db', before: 5, after: 3, claims: 2, first: 'data-db-3' },
      variants: [{ statefulSet: 'db', before: 2, after: 1, claims: 1, first: 'data-db-1' }],
    }),
    replaced: message<GoneData>({
      text: ({ claims, first }) =>
        `The StatefulSet is deleted and made anew, and whenDeleted is Delete: ${claimsText(claims, first)} deleted with it, and so is their data, ${UNLESS_RECLAIMED}.`,
      help: ({ statefulSet, namespace }) =>
        `Before the apply run "kubectl patch statefulset ${statefulSet}${namespace === undefined ? '' : ` -n ${namespace}`} --type merge -p '${RETAIN_PATCH}'", and write the same in the manifest: the claims stay, and the new StatefulSet finds them by their names.`,
      sample: { statefulSet: 'db', namespace: 'shop', claims: 3, first: 'data-db-0' },
      variants: [{ statefulSet: 'db', claims: 1, first: 'data-db-0' }],
    }),
    deleted: message<GoneData>({
      text: ({ statefulSet, namespace, claims, first }) =>
        `StatefulSet ${namespace === undefined ? '' : `${namespace}/`}${statefulSet} is deleted, and its whenDeleted is Delete: ${claimsText(claims, first)} deleted with it, and so is their data, ${UNLESS_RECLAIMED}.`,
      help: () => 'First apply whenDeleted: Retain in spec.persistentVolumeClaimRetentionPolicy, unless nobody needs the data.',
      sample: { statefulSet: 'db', namespace: 'shop', claims: 3, first: 'data-db-0' },
      variants: [{ statefulSet: 'db', claims: 1, first: 'data-db-0' }],
    }),
  },
});

function policyOf(stored: Manifest, field: 'whenScaled' | 'whenDeleted'): unknown {
  return valueAt(stored, 'spec', 'persistentVolumeClaimRetentionPolicy', field);
}

function templatesOf(stored: Manifest): readonly unknown[] {
  return listAt(stored, 'spec', 'volumeClaimTemplates');
}

function startOf(stored: Manifest): number {
  const start = valueAt(stored, 'spec', 'ordinals', 'start');
  return typeof start === 'number' ? start : 0;
}

/** The claim of the first template for a pod. */
function claimName(stored: Manifest, index: number): string {
  return `${String(valueAt(templatesOf(stored)[0], 'metadata', 'name'))}-${nameOf(stored)}-${startOf(stored) + index}`;
}

function isStatefulSet({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'apps/v1' && kind === 'StatefulSet';
}

/**
 * Does a StatefulSet delete the claims of pods that it scales away?
 *
 * @param stored - as the server holds it after the apply: the policy of that spec counts
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `updateClaimOwnerRefForSetAndPod` (gate StatefulSetAutoDeletePVC, on since 1.27).
 */
export function deletesClaimsWhenScaled(stored: Manifest): boolean {
  return isStatefulSet(stored) && templatesOf(stored).length > 0 && policyOf(stored, 'whenScaled') === 'Delete';
}

/** The claims that go with pods that a StatefulSet scales away. */
export function claimsOfScale(stored: Manifest, before: number, after: number): readonly Finding[] {
  if (after >= before || !deletesClaimsWhenScaled(stored)) return [];
  const claims = (before - after) * templatesOf(stored).length;
  const data = { statefulSet: nameOf(stored), before, after, claims, first: claimName(stored, after) };
  return [claimsDeleted.finding('scaled', { path: at`spec.persistentVolumeClaimRetentionPolicy.whenScaled`, data })];
}

/** The claims that go with a StatefulSet that is deleted, or made anew where that is said in its own rollout. */
export function claimsOfDeleted(stored: Manifest, pods: number, messageId: 'deleted' | 'replaced'): readonly Finding[] {
  if (!isStatefulSet(stored) || policyOf(stored, 'whenDeleted') !== 'Delete') return [];
  const claims = pods * templatesOf(stored).length;
  if (claims === 0) return [];
  const namespace = namespaceOf(stored);
  const data = { statefulSet: nameOf(stored), ...(namespace !== undefined && { namespace }), claims, first: claimName(stored, 0) };
  const path = messageId === 'deleted' ? WHOLE_OBJECT : at`spec.persistentVolumeClaimRetentionPolicy.whenDeleted`;
  return [claimsDeleted.finding(messageId, { path, data })];
}

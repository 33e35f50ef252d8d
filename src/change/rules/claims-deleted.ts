import { ROOT_PATH, toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { pluralize } from '../../core/text/text-format';
import { formatDeletedClaims, RETAIN_PATCH, UNLESS_RETAINED } from '../../workloads/deleted-claims';
import { toSafeText } from '../../core/text/value-text';
import { compareOrdinals, countOrdinals, startOfOrdinals } from '../compare/moved-ordinals';

interface ScaleData {
  readonly statefulSet: string;
  /** Pods before the apply. */
  readonly before: number;
  /** Pods after the apply. */
  readonly after: number;
  /** Claims that are deleted. */
  readonly claims: number;
  /** The first of the deleted claims. */
  readonly first: string;
}

interface DeletionData {
  readonly statefulSet: string;
  readonly namespace?: string;
  readonly claims: number;
  readonly first: string;
}

function renderExampleSet(replicas: number, policy: string): string {
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

const OLD_EXAMPLE = renderExampleSet(5, 'whenScaled: Delete');

/** A StatefulSet whose claims are deleted by the apply, and their data with them. */
export const changeClaimsDeleted = defineRule({
  code: 'change/claims-deleted',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A StatefulSet with volumeClaimTemplates gets fewer pods, or pods with other ordinals, while persistentVolumeClaimRetentionPolicy.whenScaled is Delete, or it is deleted (--prune) or recreated ' +
    'while whenDeleted is Delete.',
  why:
    'The controller makes each removed pod, or the StatefulSet, the owner of its claims, so they are deleted with it. ' +
    'By default a volume that was provisioned for a claim is deleted with it: scaling up again brings empty volumes.',
  fix: 'Set the policy to Retain, in the same apply or before it, and delete the claims by hand once they are no longer needed.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${renderExampleSet(3, 'whenScaled: Delete')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${renderExampleSet(3, 'whenScaled: Retain')}`,
  messages: {
    scaled: defineMessage<ScaleData>({
      text: ({ before, after, claims, first }) =>
        `whenScaled is Delete: when the StatefulSet scales from ${before} to ${pluralize(after, 'pod')}, ${formatDeletedClaims(claims, first)} deleted with the pods. The data is deleted too, ${UNLESS_RETAINED}.`,
      help: () =>
        'Write whenScaled: Retain in spec.persistentVolumeClaimRetentionPolicy, in the same apply, unless the data is no longer needed.',
      sample: { statefulSet: 'db', before: 5, after: 3, claims: 2, first: 'data-db-3' },
      variants: [{ statefulSet: 'db', before: 2, after: 1, claims: 1, first: 'data-db-1' }],
    }),
    moved: defineMessage<ScaleData>({
      text: ({ claims, first }) =>
        `whenScaled is Delete, and pods get other ordinals: ${formatDeletedClaims(claims, first)} deleted with the pods that leave. The data is deleted too, ${UNLESS_RETAINED}.`,
      help: () => 'Write whenScaled: Retain in spec.persistentVolumeClaimRetentionPolicy, in the same apply, until the data is copied.',
      sample: { statefulSet: 'db', before: 3, after: 3, claims: 3, first: 'data-db-5' },
      variants: [{ statefulSet: 'db', before: 1, after: 1, claims: 1, first: 'data-db-5' }],
    }),
    replaced: defineMessage<DeletionData>({
      text: ({ claims, first }) =>
        `The StatefulSet is deleted and recreated, and whenDeleted is Delete: ${formatDeletedClaims(claims, first)} deleted with it. The data is deleted too, ${UNLESS_RETAINED}.`,
      help: ({ statefulSet, namespace }) =>
        `Before the apply, run "kubectl patch statefulset ${statefulSet}${namespace === undefined ? '' : ` -n ${namespace}`} --type merge -p '${RETAIN_PATCH}'", and write the same in the manifest. The claims then stay, and the new StatefulSet finds them by name.`,
      sample: { statefulSet: 'db', namespace: 'shop', claims: 3, first: 'data-db-0' },
      variants: [{ statefulSet: 'db', claims: 1, first: 'data-db-0' }],
    }),
    deleted: defineMessage<DeletionData>({
      text: ({ statefulSet, namespace, claims, first }) =>
        `StatefulSet ${namespace === undefined ? '' : `${namespace}/`}${statefulSet} is deleted, and its whenDeleted is Delete: ${formatDeletedClaims(claims, first)} deleted with it. The data is deleted too, ${UNLESS_RETAINED}.`,
      help: () => 'First apply whenDeleted: Retain in spec.persistentVolumeClaimRetentionPolicy, unless the data is no longer needed.',
      sample: { statefulSet: 'db', namespace: 'shop', claims: 3, first: 'data-db-0' },
      variants: [{ statefulSet: 'db', claims: 1, first: 'data-db-0' }],
    }),
  },
});

function policyOf(stored: Manifest, field: 'whenScaled' | 'whenDeleted'): unknown {
  return getValueAt(stored, 'spec', 'persistentVolumeClaimRetentionPolicy', field);
}

function templatesOf(stored: Manifest): readonly unknown[] {
  return getListAt(stored, 'spec', 'volumeClaimTemplates');
}

/** Returns the name of the claim that the first template creates for a pod. */
function formatClaimName(stored: Manifest, ordinal: number): string {
  return `${toSafeText(getValueAt(templatesOf(stored)[0], 'metadata', 'name'))}-${nameOf(stored)}-${ordinal}`;
}

function isStatefulSet({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'apps/v1' && kind === 'StatefulSet';
}

/**
 * Reports whether a StatefulSet deletes the claims of pods that are removed by a scale-down.
 *
 * @param stored - the object as the server stores it after the apply, since the policy of that spec counts
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `updateClaimOwnerRefForSetAndPod` (gate StatefulSetAutoDeletePVC, on since 1.27).
 */
export function isDeletingClaimsOnScale(stored: Manifest): boolean {
  return isStatefulSet(stored) && templatesOf(stored).length > 0 && policyOf(stored, 'whenScaled') === 'Delete';
}

/** Reports the claims that are deleted with the pods of a StatefulSet that is scaled down, or whose pods get other ordinals. */
export function checkClaimsDeletedByScale(
  old: Manifest,
  stored: Manifest,
  pods: { readonly before: number; readonly after: number },
): readonly Finding[] {
  if (!isDeletingClaimsOnScale(stored)) return [];
  const { deleted } = compareOrdinals(old, stored, pods);
  const [range] = deleted;
  if (!range) return [];
  const claims = countOrdinals(deleted) * templatesOf(stored).length;
  const data = { statefulSet: nameOf(stored), ...pods, claims, first: formatClaimName(stored, range.first) };
  const isMoved = pods.before <= pods.after;
  const path = toFieldPath`spec.persistentVolumeClaimRetentionPolicy.whenScaled`;
  return [changeClaimsDeleted.createFinding(isMoved ? 'moved' : 'scaled', { path, data })];
}

/** Reports the claims that are deleted with a StatefulSet. A recreated one reports them in its own rollout. */
export function checkClaimsDeletedWithSet(stored: Manifest, pods: number, messageId: 'deleted' | 'replaced'): readonly Finding[] {
  if (!isStatefulSet(stored) || policyOf(stored, 'whenDeleted') !== 'Delete') return [];
  const claims = pods * templatesOf(stored).length;
  if (claims === 0) return [];
  const namespace = namespaceOf(stored);
  const data = {
    statefulSet: nameOf(stored),
    ...(namespace !== undefined && { namespace }),
    claims,
    first: formatClaimName(stored, startOfOrdinals(stored)),
  };
  const path = messageId === 'deleted' ? ROOT_PATH : toFieldPath`spec.persistentVolumeClaimRetentionPolicy.whenDeleted`;
  return [changeClaimsDeleted.createFinding(messageId, { path, data })];
}

import { ROOT_PATH, toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt, getListAt, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { pluralize } from '../../../core/text/text-format';
import { formatDeletedClaims, RETAIN_PATCH, UNLESS_RETAINED } from '../../../workloads/deleted-claims';
import type { LeaderWorkerSet } from '../../../workloads/leader-worker-set/leader-worker-set';

interface ClaimsData {
  readonly name: string;
  /** Number of deleted claims. */
  readonly claims: number;
  /** Name of the first deleted claim. */
  readonly first: string;
}

interface ScaledData extends ClaimsData {
  /** Number of groups before the apply. */
  readonly before: number;
  /** Number of groups after the apply. */
  readonly after: number;
  /** The pods that lose their claims. */
  readonly of: 'leaders' | 'workers' | 'pods';
}

interface DeletedData extends ClaimsData {
  readonly namespace?: string;
}

interface RolledData extends ClaimsData {
  readonly namespace?: string;
  /** Number of replaced groups. */
  readonly groups: number;
  /** Name of the first replaced group's StatefulSet of workers. */
  readonly workers: string;
}

function formatSetExample(policy: string, image: string): string {
  return `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: llm, namespace: models }
spec:
  replicas: 3
  leaderWorkerTemplate:
    size: 2
    persistentVolumeClaimRetentionPolicy: { whenDeleted: ${policy}, whenScaled: Retain }
    volumeClaimTemplates:
      - metadata: { name: cache }
        spec: { accessModes: [ReadWriteOncePod], resources: { requests: { storage: 10Gi } } }
    workerTemplate:
      spec:
        containers: [{ name: vllm, image: "${image}", readinessProbe: { httpGet: { path: /health, port: 8080 } } }]
`;
}

/** Rule about claims of a set, with their data, that the apply deletes. */
export const claimsDeleted = defineRule({
  code: 'lws/claims-deleted',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'An apply replaces groups of a LeaderWorkerSet with volumeClaimTemplates while persistentVolumeClaimRetentionPolicy.whenDeleted is Delete, ' +
    'removes groups while whenScaled or whenDeleted is Delete, or deletes the set (--prune) while whenDeleted is Delete.',
  why:
    "The workers of a group are a separate StatefulSet, which the leader's pod owns. If a group is replaced or removed, that pod and the StatefulSet are deleted. " +
    'whenDeleted then also deletes the claims of the workers. The same happens if a group restarts without an apply. The leaders are one StatefulSet, and its whenScaled deletes the claims of removed groups. ' +
    'By default, a dynamically provisioned volume is deleted with its claim, so the new workers start with empty volumes.',
  fix: 'Set the policy to Retain before there is data to keep. The policy is part of the template, so changing it replaces all groups.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${formatSetExample('Delete', 'vllm:1')}# new.yaml
${formatSetExample('Delete', 'vllm:2')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${formatSetExample('Retain', 'vllm:1')}# new.yaml
${formatSetExample('Retain', 'vllm:2')}`,
  messages: {
    scaled: defineMessage<ScaledData>({
      text: ({ before, after, of, claims, first }) =>
        `Scaling from ${before} to ${pluralize(after, 'group')} removes groups: ${formatDeletedClaims(claims, first)} deleted ` +
        `with the ${of === 'leaders' && before - after === 1 ? 'leader' : of} of the removed ${before - after === 1 ? 'group' : 'groups'}, ` +
        `and the data is lost ${UNLESS_RETAINED}.`,
      help: () =>
        'Copy the data first if it is still needed. Do not change the policy now: it is part of the template, so all groups would be replaced, and the old policy would still delete the claims of their workers.',
      sample: { name: 'llm', before: 3, after: 1, of: 'pods', claims: 4, first: 'cache-llm-1' },
      variants: [
        { name: 'llm', before: 3, after: 2, of: 'leaders', claims: 1, first: 'cache-llm-2' },
        { name: 'llm', before: 3, after: 2, of: 'workers', claims: 1, first: 'cache-llm-2-1' },
      ],
    }),
    deleted: defineMessage<DeletedData>({
      text: ({ name, namespace, claims, first }) =>
        `LeaderWorkerSet ${namespace === undefined ? '' : `${namespace}/`}${name} is deleted, and its whenDeleted is Delete: ${formatDeletedClaims(claims, first)} deleted with it, and the data is lost ${UNLESS_RETAINED}.`,
      help: () => 'Copy the data first if it is still needed, or keep the set.',
      sample: { name: 'llm', namespace: 'models', claims: 6, first: 'cache-llm-0' },
      variants: [{ name: 'llm', claims: 1, first: 'cache-llm-0' }],
    }),
    rolled: defineMessage<RolledData>({
      text: ({ groups, claims, first }) =>
        `whenDeleted is Delete: when ${pluralize(groups, 'group is', 'groups are')} replaced, ${formatDeletedClaims(claims, first)} deleted with ${groups === 1 ? 'the StatefulSet of its workers' : 'the StatefulSets of their workers'}, ` +
        `and the data is lost ${UNLESS_RETAINED}. The new workers start with empty volumes.`,
      help: ({ namespace, workers, groups }) =>
        `Before the apply run "kubectl patch statefulset ${workers}${namespace === undefined ? '' : ` -n ${namespace}`} --type merge -p '${RETAIN_PATCH}'"` +
        `${groups === 1 ? '' : ' for each group'} to keep the claims, and set whenDeleted: Retain in spec.leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy. ` +
        'This is not needed if the data can be restored.',
      sample: { name: 'llm', namespace: 'models', groups: 3, workers: 'llm-0', claims: 3, first: 'cache-llm-0-1' },
      variants: [{ name: 'llm', groups: 1, workers: 'llm-0', claims: 1, first: 'cache-llm-0-1' }],
    }),
  },
});

function hasDeletePolicy(object: Manifest, field: 'whenScaled' | 'whenDeleted'): boolean {
  return getFieldsAt(object, 'spec', 'leaderWorkerTemplate', 'persistentVolumeClaimRetentionPolicy')[field] === 'Delete';
}

/** Reports the claims that are deleted with a set: those of its leaders and of its workers. */
export function checkDeletedSetClaims(object: Manifest, { replicas, size }: Pick<LeaderWorkerSet, 'replicas' | 'size'>): Finding[] {
  const templates = getListAt(object, 'spec', 'leaderWorkerTemplate', 'volumeClaimTemplates');
  const claims = hasDeletePolicy(object, 'whenDeleted') ? replicas * size * templates.length : 0;
  if (claims === 0) return [];
  const [name, namespace] = [nameOf(object), namespaceOf(object)];
  const first = `${nameOf(templates[0] as Manifest)}-${name}-0`;
  return [
    claimsDeleted.createFinding('deleted', {
      path: ROOT_PATH,
      data: { name, ...(namespace !== undefined && { namespace }), claims, first },
    }),
  ];
}

/** A set before and after an apply, and how many of the remaining groups are replaced. */
interface GroupChanges {
  readonly before: LeaderWorkerSet;
  readonly after: LeaderWorkerSet;
  readonly replaced: number;
}

/**
 * Reports the claims that are deleted with groups that an apply replaces or removes.
 *
 * @param old set before the apply; its policy applies to the existing StatefulSets of workers, which are not updated
 * @param next set after the apply; the controller writes its policy into the StatefulSet of the leaders before it scales it
 *
 * Source: lws v0.8.0 and v0.9.0, pkg/controllers/pod_controller.go `constructWorkerStatefulSetApplyConfiguration` (creates it with the
 * leader's pod as its owner)
 * and leaderworkerset_controller.go `constructLeaderStatefulSetApplyConfiguration`; k/k pkg/controller/statefulset/stateful_set_utils.go,
 * `updateClaimOwnerRefForSetAndPod`.
 */
export function checkClaimsDeleted(old: Manifest, next: Manifest, { before, after, replaced }: GroupChanges): Finding[] {
  const templates = getListAt(old, 'spec', 'leaderWorkerTemplate', 'volumeClaimTemplates');
  if (templates.length === 0) return [];
  const policy = toFieldPath`spec.leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy`;
  const name = nameOf(old);
  const claim = `${nameOf(templates[0] as Manifest)}-${name}`;
  const workersOf = (groups: number) => (hasDeletePolicy(old, 'whenDeleted') ? groups * (before.size - 1) : 0);
  const removed = Math.max(0, before.replicas - after.replicas);
  const leaders = hasDeletePolicy(next, 'whenScaled') ? removed : 0;
  const workers = workersOf(removed);
  const findings: Finding[] = [];
  if (leaders + workers > 0) {
    const of = workers === 0 ? 'leaders' : leaders === 0 ? 'workers' : 'pods';
    const first = `${claim}-${after.replicas}${of === 'workers' ? '-1' : ''}`;
    const claims = (leaders + workers) * templates.length;
    const data = { name, before: before.replicas, after: after.replicas, of, claims, first } as const;
    findings.push(
      claimsDeleted.createFinding('scaled', { path: toFieldPath`${policy}.${of === 'workers' ? 'whenDeleted' : 'whenScaled'}`, data }),
    );
  }
  const replacedWorkers = workersOf(replaced);
  if (replacedWorkers > 0) {
    const namespace = namespaceOf(old);
    const index = Math.min(before.replicas, after.replicas) - replaced;
    const data = {
      name,
      ...(namespace !== undefined && { namespace }),
      groups: replaced,
      workers: `${name}-${index}`,
      claims: replacedWorkers * templates.length,
      first: `${claim}-${index}-1`,
    };
    findings.push(claimsDeleted.createFinding('rolled', { path: toFieldPath`${policy}.whenDeleted`, data }));
  }
  return findings;
}

import { ROOT_PATH, toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { getFieldsAt, getListAt, nameOf, namespaceOf } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { pluralize } from '../../../core/text-format';
import { formatDeletedClaims, RETAIN_PATCH, UNLESS_RETAINED } from '../../../workloads/deleted-claims';
import type { LeaderWorkerSet } from '../../../workloads/leader-worker-set/leader-worker-set';

interface ClaimsData {
  readonly name: string;
  /** Claims that go. */
  readonly claims: number;
  /** The first of them. */
  readonly first: string;
}

interface ScaledData extends ClaimsData {
  /** Groups before and after. */
  readonly before: number;
  readonly after: number;
  /** Whose claims go. */
  readonly of: 'leaders' | 'workers' | 'pods';
}

interface DeletedData extends ClaimsData {
  readonly namespace?: string;
}

interface RolledData extends ClaimsData {
  readonly namespace?: string;
  /** Groups that are replaced. */
  readonly groups: number;
  /** The StatefulSet of the first of them, which holds its workers. */
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

/** Claims of a set, and with them their data, that the apply deletes. */
export const claimsDeleted = defineRule({
  code: 'lws/claims-deleted',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'An apply replaces groups of a LeaderWorkerSet with volumeClaimTemplates while persistentVolumeClaimRetentionPolicy.whenDeleted is Delete, ' +
    'takes groups away while whenScaled or whenDeleted is, or deletes the set (--prune) while whenDeleted is.',
  why:
    'The workers of a group are a StatefulSet of their own, which belongs to the pod of the leader: where a group is replaced or taken away, that pod and the StatefulSet are deleted, ' +
    'and by whenDeleted the claims of the workers with it; so are those of a group that restarts without any apply. The leaders are one StatefulSet, of which whenScaled deletes the claims of groups that are taken away. ' +
    'A volume that was made for its claim is deleted with the claim by default: the new workers begin with empty ones.',
  fix: 'Write Retain in the policy before there is data to keep: it is part of the template, so that another policy replaces all groups itself.',
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
        `From ${before} to ${pluralize(after, 'group')}, ${formatDeletedClaims(claims, first)} deleted with the ${of} of those that go, and so is their data, ${UNLESS_RETAINED}.`,
      help: () =>
        'Copy the data first, if anybody needs it. Another policy is part of the template: it replaces all groups, and the claims of their workers go by the old one.',
      sample: { name: 'llm', before: 3, after: 1, of: 'pods', claims: 4, first: 'cache-llm-1' },
      variants: [
        { name: 'llm', before: 3, after: 2, of: 'leaders', claims: 1, first: 'cache-llm-2' },
        { name: 'llm', before: 3, after: 2, of: 'workers', claims: 1, first: 'cache-llm-2-1' },
      ],
    }),
    deleted: defineMessage<DeletedData>({
      text: ({ name, namespace, claims, first }) =>
        `LeaderWorkerSet ${namespace === undefined ? '' : `${namespace}/`}${name} is deleted, and its whenDeleted is Delete: ${formatDeletedClaims(claims, first)} deleted with it, and so is their data, ${UNLESS_RETAINED}.`,
      help: () => 'Copy the data first, if anybody needs it, or leave the set there.',
      sample: { name: 'llm', namespace: 'models', claims: 6, first: 'cache-llm-0' },
      variants: [{ name: 'llm', claims: 1, first: 'cache-llm-0' }],
    }),
    rolled: defineMessage<RolledData>({
      text: ({ groups, claims, first }) =>
        `whenDeleted is Delete: while ${pluralize(groups, 'group is', 'groups are')} replaced, ${formatDeletedClaims(claims, first)} deleted with the StatefulSets of the workers, and so is their data, ${UNLESS_RETAINED}. The new workers begin with empty ones.`,
      help: ({ namespace, workers, groups }) =>
        `Before the apply run "kubectl patch statefulset ${workers}${namespace === undefined ? '' : ` -n ${namespace}`} --type merge -p '${RETAIN_PATCH}'"` +
        `${groups === 1 ? '' : ' for each group'}, which keeps the claims, and write whenDeleted: Retain in spec.leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy, ` +
        'unless the data can be had again.',
      sample: { name: 'llm', namespace: 'models', groups: 3, workers: 'llm-0', claims: 3, first: 'cache-llm-0-1' },
      variants: [{ name: 'llm', groups: 1, workers: 'llm-0', claims: 1, first: 'cache-llm-0-1' }],
    }),
  },
});

function hasDeletePolicy(object: Manifest, field: 'whenScaled' | 'whenDeleted'): boolean {
  return getFieldsAt(object, 'spec', 'leaderWorkerTemplate', 'persistentVolumeClaimRetentionPolicy')[field] === 'Delete';
}

/** The claims that go with a set that is deleted: those of leaders and of workers alike. */
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

/** Groups of a set before and after an apply, and how many of those that stay are replaced. */
interface GroupChanges {
  readonly before: LeaderWorkerSet;
  readonly after: LeaderWorkerSet;
  readonly replaced: number;
}

/**
 * The claims that go with groups that an apply replaces or takes away.
 *
 * @param old - whose policy counts for the StatefulSets of workers, which are made once
 * @param next - whose policy the controller writes into the StatefulSet of the leaders before it scales it
 *
 * Source: lws v0.8.0 and v0.9.0, pkg/controllers/pod_controller.go `constructWorkerStatefulSetApplyConfiguration` (made with the leader's pod as its owner)
 * and leaderworkerset_controller.go `constructLeaderStatefulSetApplyConfiguration`; k/k pkg/controller/statefulset/stateful_set_utils.go, `updateClaimOwnerRefForSetAndPod`.
 */
export function checkClaimsDeleted(old: Manifest, next: Manifest, { before, after, replaced }: GroupChanges): Finding[] {
  const templates = getListAt(old, 'spec', 'leaderWorkerTemplate', 'volumeClaimTemplates');
  if (templates.length === 0) return [];
  const policy = toFieldPath`spec.leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy`;
  const name = nameOf(old);
  const claim = `${nameOf(templates[0] as Manifest)}-${name}`;
  const workersOf = (groups: number) => (hasDeletePolicy(old, 'whenDeleted') ? groups * (before.size - 1) : 0);
  const gone = Math.max(0, before.replicas - after.replicas);
  const leaders = hasDeletePolicy(next, 'whenScaled') ? gone : 0;
  const workers = workersOf(gone);
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
  const renewed = workersOf(replaced);
  if (renewed > 0) {
    const namespace = namespaceOf(old);
    const index = Math.min(before.replicas, after.replicas) - replaced;
    const data = {
      name,
      ...(namespace !== undefined && { namespace }),
      groups: replaced,
      workers: `${name}-${index}`,
      claims: renewed * templates.length,
      first: `${claim}-${index}-1`,
    };
    findings.push(claimsDeleted.createFinding('rolled', { path: toFieldPath`${policy}.whenDeleted`, data }));
  }
  return findings;
}

import { ROOT_PATH } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { defineMessage, defineRule } from '../../core/finding';
import { nameOf, namespaceOf, getValueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { PlannedRollout } from '../../core/rollout';

interface BlockedData {
  /** The pod that is not ready. */
  readonly pod: string;
  readonly namespace?: string;
}

const OLD_EXAMPLE = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop, uid: 5b5b1a3e-0000-4000-8000-000000000001 }
spec:
  replicas: 2
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers: [{ name: db, image: "db:broken", readinessProbe: { tcpSocket: { port: 5432 } } }]
status: { currentRevision: db-1, updateRevision: db-2, replicas: 2, updatedReplicas: 1 }
---
apiVersion: v1
kind: Pod
metadata:
  name: db-1
  namespace: shop
  labels: { app: db, controller-revision-hash: db-2 }
  ownerReferences: [{ apiVersion: apps/v1, kind: StatefulSet, name: db, uid: 5b5b1a3e-0000-4000-8000-000000000001, controller: true }]
spec: { containers: [{ name: db, image: "db:broken" }] }
status: { conditions: [{ type: Ready, status: "False" }] }
`;

const NEW_EXAMPLE = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  replicas: 2
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers: [{ name: db, image: "db:1", readinessProbe: { tcpSocket: { port: 5432 } } }]
`;

function formatNamespaceFlag(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` -n ${namespace}`;
}

function formatDeleteCommand(pod: string, namespace: string | undefined): string {
  return `kubectl delete pod ${pod}${formatNamespaceFlag(namespace)}`;
}

/** A StatefulSet that waits for a pod which never gets ready, whatever is applied. */
export const blockedByPod = defineRule({
  code: 'change/blocked-by-pod',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A StatefulSet rolls out a new template while one of its pods, of another template, is not ready: in OrderedReady any pod, in Parallel ' +
    'with the gate MaxUnavailableStatefulSet as many as use up maxUnavailable. Where no pods are in view, the status tells (warning).',
  why:
    'In OrderedReady the controller waits for every pod to be ready before it replaces one, also one that is broken: the new template is ' +
    'stored and reaches no pod (kubernetes/kubernetes#67250). With the gate, pods that are down use up maxUnavailable in Parallel as well.',
  fix: 'Apply the new template, then delete the pod that is not ready: it comes back with the new template.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${NEW_EXAMPLE}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE.replace('status: "False"', 'status: "True"')}# new.yaml
${NEW_EXAMPLE}`,
  messages: {
    'not-ready': defineMessage<BlockedData>({
      text: ({ pod }) => `Pod ${pod} is not ready, and in OrderedReady the controller waits for it: the new template reaches no pod.`,
      help: ({ pod, namespace }) =>
        `Apply the change, then run "${formatDeleteCommand(pod, namespace)}": the pod comes back with the new template.`,
      sample: { pod: 'db-1', namespace: 'shop' },
      variants: [{ pod: 'db-1' }],
    }),
    'uses-up-limit': defineMessage<BlockedData>({
      text: ({ pod }) => `Pod ${pod} is not ready and uses up maxUnavailable, so no pod is replaced any more.`,
      help: ({ pod, namespace }) =>
        `Apply the change, then run "${formatDeleteCommand(pod, namespace)}": the pod comes back with the new template.`,
      sample: { pod: 'db-0', namespace: 'shop' },
    }),
    'maybe-not-ready': defineMessage<BlockedData>({
      text: ({ pod }) =>
        `A pod is not ready by the status, most likely ${pod}, which was replaced last: if it never gets ready, the new template reaches no pod.`,
      help: ({ pod, namespace }) =>
        `Look at it with "kubectl get pod ${pod}${formatNamespaceFlag(namespace)}", or give the pods of the set to --from; if it is broken, apply the change and run "${formatDeleteCommand(pod, namespace)}".`,
      sample: { pod: 'db-2', namespace: 'shop' },
    }),
  },
});

/**
 * @param rollout - with the simulation from where the set stands
 * @param perhaps - the ordinal of a pod that the status alone lets suspect
 */
export function checkBlockedByPod(statefulSet: Manifest, { simulation }: PlannedRollout, suspectedOrdinal: number | undefined): Finding[] {
  if (simulation?.kind !== 'statefulset') return [];
  const { blocked } = simulation;
  const isOrdered = getValueAt(statefulSet, 'spec', 'podManagementPolicy') !== 'Parallel';
  if (!blocked && (suspectedOrdinal === undefined || !isOrdered)) return [];
  const namespace = namespaceOf(statefulSet);
  const of = (ordinal: number): BlockedData => ({
    pod: `${nameOf(statefulSet)}-${ordinal}`,
    ...(namespace !== undefined && { namespace }),
  });
  if (!blocked)
    return [blockedByPod.createFinding('maybe-not-ready', { path: ROOT_PATH, severity: 'warning', data: of(suspectedOrdinal!) })];
  return [blockedByPod.createFinding(isOrdered ? 'not-ready' : 'uses-up-limit', { path: ROOT_PATH, data: of(blocked.ordinal) })];
}

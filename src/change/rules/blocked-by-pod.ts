import { WHOLE_OBJECT } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import { listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';

interface BlockedData {
  /** The pod that is not ready. */
  readonly pod: string;
  readonly namespace?: string;
}

const SET = `apiVersion: apps/v1
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

const NEW = `apiVersion: apps/v1
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

/** A StatefulSet that waits for a pod which never gets ready, whatever is applied. */
export const blockedByPod = rule({
  code: 'change/blocked-by-pod',
  since: '0.1.0',
  severity: 'error',
  fires: 'A StatefulSet with podManagementPolicy OrderedReady rolls out a new template while one of its pods is not ready.',
  why:
    'In OrderedReady the controller waits for every pod to be ready before it replaces one, also one that is broken: the new template is ' +
    'stored and reaches no pod (kubernetes/kubernetes#67250).',
  fix: 'Apply the new template, then delete the pod that is not ready: it comes back with the new template.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${SET}# new.yaml
${NEW}`,
  fixed: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${SET.replace('status: "False"', 'status: "True"')}# new.yaml
${NEW}`,
  messages: {
    'not-ready': message<BlockedData>({
      text: ({ pod }) => `Pod ${pod} is not ready, and in OrderedReady the controller waits for it: the new template reaches no pod.`,
      help: ({ pod, namespace }) =>
        `Apply the change, then run "kubectl delete pod ${pod}${namespace === undefined ? '' : ` -n ${namespace}`}": the pod comes back with the new template.`,
      sample: { pod: 'db-1', namespace: 'shop' },
      variants: [{ pod: 'db-1' }],
    }),
  },
});

function isReady(pod: Manifest): boolean {
  return listAt(pod, 'status', 'conditions').some(
    (condition) => valueAt(condition, 'type') === 'Ready' && valueAt(condition, 'status') === 'True',
  );
}

/** @param pods - those of the set that are in view */
export function blockedByPodFindings(statefulSet: Manifest, pods: readonly Manifest[]): Finding[] {
  if (valueAt(statefulSet, 'spec', 'podManagementPolicy') === 'Parallel') return [];
  const pod = pods.find((one) => !isReady(one));
  if (!pod) return [];
  const namespace = namespaceOf(pod);
  return [
    blockedByPod.finding('not-ready', {
      path: WHOLE_OBJECT,
      data: { pod: nameOf(pod), ...(namespace !== undefined && { namespace }) },
    }),
  ];
}

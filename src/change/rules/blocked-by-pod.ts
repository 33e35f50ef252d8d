import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout } from '../../core/document/rollout';
import { pluralize } from '../../core/text/text-format';

interface BlockedData {
  /** The pod that is not ready. */
  readonly pod: string;
  readonly namespace?: string;
}

interface UnreadyData {
  readonly name: string;
  readonly namespace?: string;
  /** Pods that are not ready. */
  readonly unready: number;
}

interface ScaleData extends UnreadyData {
  /** Pods that the controller adds or deletes. */
  readonly pods: number;
  readonly isAdded: boolean;
}

/** What the status of a StatefulSet shows of pods that may not be ready, if the input has no pods. */
export interface SuspectedPods {
  /** The ordinal of the pod that is most likely not ready. */
  readonly ordinal?: number;
  /** Whether no pod is ready. */
  readonly isNoneReady: boolean;
  /** Pods that are not ready. */
  readonly unready?: number;
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

/** A StatefulSet that waits for a pod that never becomes ready, regardless of what is applied. */
export const blockedByPod = defineRule({
  code: 'change/blocked-by-pod',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A StatefulSet rolls out a new template while a pod with another template is not ready: in OrderedReady any pod, in Parallel ' +
    'with the gate MaxUnavailableStatefulSet enough pods to use up maxUnavailable. Without pods in the input, the status decides (warning). ' +
    'Or the number of pods changes in OrderedReady while a pod is not ready (warning).',
  why:
    'In OrderedReady the controller waits until every pod is ready before it replaces one, even if that pod is broken: the new template is ' +
    'stored but reaches no pod (kubernetes/kubernetes#67250). With the gate, unavailable pods also use up maxUnavailable in Parallel.',
  fix: 'Apply the new template, then delete the pod that is not ready. It is recreated with the new template.',
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
      text: ({ pod }) => `Pod ${pod} is not ready, and in OrderedReady the controller waits for it, so the new template reaches no pod.`,
      help: ({ pod, namespace }) =>
        `Apply the change, then run "${formatDeleteCommand(pod, namespace)}": the pod is recreated with the new template.`,
      sample: { pod: 'db-1', namespace: 'shop' },
      variants: [{ pod: 'db-1' }],
    }),
    'uses-up-limit': defineMessage<BlockedData>({
      text: ({ pod }) => `Pod ${pod} is not ready and uses up maxUnavailable, so no further pod is replaced.`,
      help: ({ pod, namespace }) =>
        `Apply the change, then run "${formatDeleteCommand(pod, namespace)}": the pod is recreated with the new template.`,
      sample: { pod: 'db-0', namespace: 'shop' },
    }),
    'none-ready': defineMessage<BlockedData>({
      text: ({ pod }) =>
        `The status shows no pod that is ready, and in OrderedReady the controller waits for ${pod}. If it never becomes ready, the new template reaches no pod.`,
      help: ({ pod, namespace }) =>
        `If it is broken, apply the change, then run "${formatDeleteCommand(pod, namespace)}": the pod is recreated with the new template.`,
      sample: { pod: 'db-0', namespace: 'shop' },
    }),
    'maybe-not-ready': defineMessage<BlockedData>({
      text: ({ pod }) =>
        `The status shows a pod that is not ready, most likely ${pod}, which was replaced last. If it never becomes ready, the new template reaches no pod.`,
      help: ({ pod, namespace }) =>
        `Check it with "kubectl get pod ${pod}${formatNamespaceFlag(namespace)}", or add the pods of the StatefulSet to --from. If it is broken, apply the change and run "${formatDeleteCommand(pod, namespace)}".`,
      sample: { pod: 'db-2', namespace: 'shop' },
    }),
    'some-not-ready': defineMessage<UnreadyData>({
      text: ({ unready }) =>
        `The status shows ${pluralize(unready, 'pod')} not ready, and in OrderedReady the controller waits for ${unready === 1 ? 'it' : 'them'}. If ${unready === 1 ? 'it never becomes' : 'one of them never becomes'} ready, the new template reaches no pod.`,
      help: ({ name, namespace }) =>
        `Find it with "kubectl get pods${formatNamespaceFlag(namespace)}", or add the pods of the StatefulSet ${name} to --from. If it is broken, apply the change and delete that pod.`,
      sample: { name: 'db', namespace: 'shop', unready: 1 },
      variants: [{ name: 'db', unready: 2 }],
    }),
    scale: defineMessage<ScaleData>({
      text: ({ unready, pods, isAdded }) =>
        `${pluralize(unready, 'pod')} ${unready === 1 ? 'is' : 'are'} not ready, and in OrderedReady the controller waits for ${unready === 1 ? 'it' : 'them'} before it ${isAdded ? 'adds' : 'deletes'} ${pluralize(pods, 'pod')}.`,
      help: ({ name, namespace }) =>
        `Find it with "kubectl get pods${formatNamespaceFlag(namespace)}", and repair the pods of the StatefulSet ${name} first.`,
      sample: { name: 'db', namespace: 'shop', unready: 1, pods: 2, isAdded: true },
      variants: [{ name: 'db', unready: 2, pods: 1, isAdded: false }],
    }),
  },
});

/**
 * Reports a pod that blocks the rollout of a StatefulSet.
 *
 * @param rollout - the rollout, simulated from the current state of the StatefulSet
 */
export function checkBlockedByPod(statefulSet: Manifest, { simulation }: PlannedRollout, suspects: SuspectedPods): Finding[] {
  if (simulation?.kind !== 'statefulset') return [];
  const isOrdered = getValueAt(statefulSet, 'spec', 'podManagementPolicy') !== 'Parallel';
  const namespace = namespaceOf(statefulSet);
  const name = nameOf(statefulSet);
  const inNamespace = namespace === undefined ? {} : { namespace };
  const buildData = (ordinal: number): BlockedData => ({ pod: `${name}-${ordinal}`, ...inNamespace });
  if (simulation.blocked) {
    const data = buildData(simulation.blocked.ordinal);
    return [blockedByPod.createFinding(isOrdered ? 'not-ready' : 'uses-up-limit', { path: ROOT_PATH, data })];
  }
  const { ordinal, isNoneReady, unready = 0 } = suspects;
  const common = { path: ROOT_PATH, severity: 'warning' } as const;
  if (!isOrdered || (ordinal === undefined && unready === 0)) return [];
  if (ordinal === undefined) return [blockedByPod.createFinding('some-not-ready', { ...common, data: { name, ...inNamespace, unready } })];
  return [blockedByPod.createFinding(isNoneReady ? 'none-ready' : 'maybe-not-ready', { ...common, data: buildData(ordinal) })];
}

/** The pods of a StatefulSet before and after a change of its replicas. */
interface ScaledPods {
  readonly before: number;
  readonly after: number;
  /** Pods before the change that are not ready. */
  readonly unready: number;
}

/**
 * Reports pods for which an OrderedReady StatefulSet waits before it adds or deletes one. Pods beyond the new replicas may be deleted although they
 * are not ready, so only more unready pods than these certainly block a scale-down.
 *
 * 4 pods, 2 not ready, scaled to 3: at least one of the remaining ones is not ready, so no pod is deleted.
 *
 * Source: Kubernetes 1.36 pkg/controller/statefulset/stateful_set_control.go, `processReplica`, which runs before `processCondemned`.
 */
export function checkScaleBlocked(statefulSet: Manifest, { before, after, unready }: ScaledPods): Finding[] {
  const isOrdered = statefulSet.kind === 'StatefulSet' && getValueAt(statefulSet, 'spec', 'podManagementPolicy') !== 'Parallel';
  if (!isOrdered || after === before || unready <= Math.max(0, before - after)) return [];
  const namespace = namespaceOf(statefulSet);
  const data = {
    name: nameOf(statefulSet),
    ...(namespace !== undefined && { namespace }),
    unready,
    pods: Math.abs(after - before),
    isAdded: after > before,
  };
  return [blockedByPod.createFinding('scale', { path: ROOT_PATH, data, severity: 'warning' })];
}

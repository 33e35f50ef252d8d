import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { pluralize } from '../../../core/text/text-format';
import { describeResource } from '../../../core/document/rollout';
import { isHeadless } from '../endpoints';
import type { LossCause, LostEndpoints, PendingLoss } from '../lost-endpoints';

/** A Service that has no ready endpoint at some moment. */
interface LossData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Ready endpoints before the apply. @default - some are on an unknown number of nodes */
  readonly before?: number;
  /** Whether it has none at the end either. */
  readonly stays: boolean;
  /** Object whose pods it loses: `Deployment shop/api`. */
  readonly workload: string;
  /** Whether the Service has no virtual IP, so that clients find its pods by DNS. @default false */
  readonly usesDns?: boolean;
  /** Whether pods of the new template would be endpoints, and the apply replaces none. @default false */
  readonly isHeld?: boolean;
}

interface LabelData extends LossData {
  /** Entry of the selector that the pods lack: `version=v2`. */
  readonly label: string;
  /** Whether the object is refused, so that its pods never get the label. */
  readonly isRefused: boolean;
}

interface PortData extends LossData {
  /** Name and protocol that `targetPort` asks for: `http (TCP)`. */
  readonly port: string;
  /** Name of the Service's port. @default - the Service has no other */
  readonly servicePort?: string;
  /** Whether the object is refused, so that its pods never get the port. */
  readonly isRefused: boolean;
}

interface PendingData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Object whose old pods are its endpoints: `StatefulSet shop/api`. */
  readonly workload: string;
  /** What the new pods lack: `the label version=v1`, `a port http (TCP)`. */
  readonly missing: string;
}

interface DeletedData extends LossData {
  /** Seconds for which the terminating pods certainly answer: their preStop hook. */
  readonly servingSeconds: number;
}

function describeEndpoints(before: number | undefined): string {
  if (before === undefined) return 'all ready endpoints';
  return before === 1 ? 'its only ready endpoint' : `all ${before} ready endpoints`;
}

function describeLoss(data: LossData & { readonly servicePort?: string }): string {
  const { service, before, stays, servicePort, workload, isHeld = false } = data;
  const onPort = servicePort === undefined ? '' : ` of port ${servicePort}`;
  if (isHeld)
    return `${service} has no ready endpoint${onPort} from the apply until pods of ${workload} are replaced, which the apply does not do`;
  return stays
    ? `${service} loses ${describeEndpoints(before)}${onPort} permanently`
    : `${service} has no ready endpoint${onPort} from the apply until the first new pod is ready`;
}

const COMPLETES = 'The rollout itself completes.';

function describeRefusal({ usesDns = false }: LossData): string {
  return usesDns ? 'Its DNS name then has no address.' : 'Connections are refused.';
}

function describeTerminating({ usesDns = false, servingSeconds: seconds }: DeletedData): string {
  if (usesDns) return 'Its DNS name then has no address.';
  if (seconds === 0) return 'Its terminating pods answer only until they stop listening; then connections are refused.';
  return `Only its terminating pods answer, for at most ${pluralize(seconds, 'second')} (preStop); then connections are refused.`;
}

const LABEL_SAMPLE: LabelData = {
  service: 'Service shop/api',
  before: 4,
  stays: false,
  workload: 'Deployment shop/api',
  label: 'version=v2',
  isRefused: false,
};
const PORT_SAMPLE: PortData = {
  service: 'Service shop/api',
  before: 4,
  stays: true,
  workload: 'Deployment shop/api',
  port: 'http (TCP)',
  isRefused: false,
};
const DELETED_SAMPLE: DeletedData = {
  service: 'Service shop/api',
  before: 3,
  stays: false,
  workload: 'Deployment shop/api',
  servingSeconds: 5,
};

function buildExample(oldSelector: string, newSelector: string): string {
  const manifests = (selector: string, labels: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 4
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels: ${labels}
    spec:
      containers:
        - name: api
          image: api:1
          ports: [{ containerPort: 8080 }]
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
---
apiVersion: v1
kind: Service
metadata:
  name: api
spec:
  selector: ${selector}
  ports: [{ port: 80, targetPort: 8080 }]
`;
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${manifests(oldSelector, '{ app: api }')}# new.yaml
${manifests(newSelector, '{ app: api, version: v2 }')}`;
}

/** Reports Services that lose all ready endpoints although their rollouts keep pods available, or complete. */
export const serviceWithoutEndpoints = defineRule({
  code: 'change/service-without-endpoints',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A Service that has ready endpoints has none at some moment of a change, and not only because of the strategy of its rollout.',
  why:
    'A selector and the ports of a Service change at once, while labels and ports of pods change with each pod. A workload that gets another name is a new one: ' +
    'the old one is deleted before the new one is ready, unless the tool waits. The availability of the workloads shows none of this. ' +
    'It is an error if the Service has no ready endpoint at the end either, and a warning if it has; `check --from` reports an error in both cases. Kubernetes refuses connections to a Service without endpoints. ' +
    'The rule is silent if objects that the plan does not support may have pods that the Service selects. ' +
    'Source: the EndpointSlice controller (k8s.io/endpointslice v0.34.4) and kube-proxy 1.34.',
  fix: 'Change labels first, and the selector in a later apply, once all pods have the new label. Keep the names of ports and workloads, or delete the old workload in a later apply.',
  example: buildExample('{ app: api }', '{ app: api, version: v2 }'),
  fixedExample: buildExample('{ app: api }', '{ app: api }'),
  messages: {
    selector: defineMessage<LabelData>({
      text: (data) =>
        data.stays && data.isHeld !== true
          ? `${describeLoss(data)}: it selects ${data.label}, which ${data.isRefused ? `no running pod has, and ${data.workload} is refused` : 'neither running nor new pods have'}. ${describeRefusal(data)}`
          : `${describeLoss(data)}: it selects ${data.label}, which no running pod has. ${describeRefusal(data)}`,
      help: ({ label, stays, isHeld = false }) =>
        stays && !isHeld
          ? `Keep the old selector. If the pods should have ${label}, add it to their template in an apply before; the labels of the workload's own selector cannot change.`
          : `Keep the old selector until all pods have the label ${label}, and change the selector in a later apply.`,
      sample: LABEL_SAMPLE,
      variants: [
        { ...LABEL_SAMPLE, stays: true },
        { ...LABEL_SAMPLE, stays: true, before: 1, isRefused: true },
        { ...LABEL_SAMPLE, stays: true, isHeld: true },
        { ...LABEL_SAMPLE, usesDns: true },
      ],
    }),
    labels: defineMessage<LabelData>({
      text: (data) => `${describeLoss(data)}: new pods of ${data.workload} lack ${data.label}, which it selects. ${COMPLETES}`,
      help: ({ label }) => `Keep the label ${label} in the pod template. To drop it, take it out of the selector first.`,
      sample: { ...LABEL_SAMPLE, stays: true, label: 'tier=web' },
      variants: [{ ...LABEL_SAMPLE, label: 'tier=web' }],
    }),
    servicePort: defineMessage<PortData>({
      text: (data) =>
        `${describeLoss(data)}: its targetPort asks for ${data.port}, which no ${data.stays && !data.isRefused && data.isHeld !== true ? 'running or new pod' : 'running pod'} names` +
        `${data.isRefused ? `, and ${data.workload} is refused` : ''}. ${describeRefusal(data)}`,
      help: () => 'Write the number of the port in targetPort, or keep the old name until all pods have the new one.',
      sample: { ...PORT_SAMPLE, stays: false, port: 'web (TCP)' },
      variants: [
        { ...PORT_SAMPLE, port: 'web (TCP)' },
        { ...PORT_SAMPLE, isRefused: true },
        { ...PORT_SAMPLE, isHeld: true },
      ],
    }),
    podPort: defineMessage<PortData>({
      text: (data) =>
        `${describeLoss(data)}: new pods of ${data.workload} name no port ${data.port}, which its targetPort asks for. ${COMPLETES}`,
      help: () => 'Keep the name of the container port, or write its number in targetPort in an apply before.',
      sample: PORT_SAMPLE,
      variants: [
        { ...PORT_SAMPLE, stays: false },
        { ...PORT_SAMPLE, port: 'grpc (TCP)', servicePort: 'grpc' },
      ],
    }),
    deleted: defineMessage<DeletedData>({
      text: (data) =>
        data.stays
          ? `${describeLoss(data)}: ${data.workload} is deleted, and no other pods here have its labels. ${describeTerminating(data)}`
          : `${describeLoss(data)}: ${data.workload} is deleted before the pods that take its place are ready. ${describeTerminating(data)}`,
      help: ({ stays }) =>
        stays
          ? 'Delete the Service too, or keep the workload.'
          : 'Keep the old workload next to the new one, and delete it in a later apply, once the new pods are ready.',
      sample: DELETED_SAMPLE,
      variants: [
        { ...DELETED_SAMPLE, stays: true },
        { ...DELETED_SAMPLE, servingSeconds: 0 },
        { ...DELETED_SAMPLE, usesDns: true },
      ],
    }),
    replaced: defineMessage<DeletedData>({
      text: (data) => `${describeLoss(data)}: ${data.workload} is deleted and created again. ${describeTerminating(data)}`,
      help: () => 'Create the new version under another name next to the old one, and delete the old one once the new pods are ready.',
      sample: DELETED_SAMPLE,
      variants: [{ ...DELETED_SAMPLE, stays: true }],
    }),
    scaled: defineMessage<DeletedData>({
      text: (data) => `${data.service} has no ready endpoint once ${data.workload} is scaled to 0. ${describeTerminating(data)}`,
      help: () => 'Keep at least 1 replica, or delete the Service too if no client uses it any more.',
      sample: DELETED_SAMPLE,
    }),
    pending: defineMessage<PendingData>({
      text: ({ service, workload, missing }) =>
        `${service} loses its last ready endpoints once the remaining old pods of ${workload} are replaced: its new pods lack ${missing}, which the Service asks for.`,
      help: () => 'Restore it in the pod template, or change the Service before the remaining pods are replaced.',
      sample: { service: 'Service shop/api', workload: 'StatefulSet shop/api', missing: 'the label version=v1' },
      variants: [{ service: 'Service shop/api', workload: 'Deployment shop/api', missing: 'a port http (TCP)' }],
    }),
  },
});

const MESSAGE_IDS = {
  selector: 'selector',
  labels: 'labels',
  'service-port': 'servicePort',
  'pod-port': 'podPort',
  deleted: 'deleted',
  replaced: 'replaced',
  'scaled-to-zero': 'scaled',
} as const satisfies Readonly<Record<LossCause, string>>;

const PATHS = {
  selector: toFieldPath`spec.selector`,
  labels: toFieldPath`spec.selector`,
  'service-port': toFieldPath`spec.ports`,
  'pod-port': toFieldPath`spec.ports`,
  deleted: toFieldPath`spec.selector`,
  replaced: toFieldPath`spec.selector`,
  'scaled-to-zero': toFieldPath`spec.selector`,
} as const satisfies Readonly<Record<LossCause, string>>;

/** Reports a Service that loses all of its ready endpoints: an error if it has none at the end either. */
export function reportServiceWithoutEndpoints(
  service: Manifest,
  loss: LostEndpoints,
  locate: (object: object, path: string) => Source | undefined,
): Finding {
  const { cause, before, stays, workload, isRefused, isHeld = false, label = '', port = '', servicePort, servingSeconds } = loss;
  const path = PATHS[cause];
  const source = locate(service, path);
  const data = {
    service: describeObject(service),
    ...(before !== undefined && { before }),
    stays,
    workload: describeResource(workload),
    ...(isHeadless(service) && { usesDns: true }),
    ...(isHeld && { isHeld: true }),
  };
  const severity = stays ? 'error' : 'warning';
  const occurrence = { path, severity, ...(source && { source }) } as const;
  const id = MESSAGE_IDS[cause];
  switch (id) {
    case 'selector':
    case 'labels':
      return serviceWithoutEndpoints.createFinding(id, { ...occurrence, data: { ...data, label, isRefused } });
    case 'servicePort':
    case 'podPort':
      return serviceWithoutEndpoints.createFinding(id, {
        ...occurrence,
        data: { ...data, port, ...(servicePort !== undefined && { servicePort }), isRefused },
      });
    default:
      return serviceWithoutEndpoints.createFinding(id, { ...occurrence, data: { ...data, servingSeconds } });
  }
}

/** Reports a Service whose last endpoints are old pods that this change leaves in place. */
export function reportPendingLoss(
  service: Manifest,
  { workload, label, port }: PendingLoss,
  locate: (object: object, path: string) => Source | undefined,
): Finding {
  const path = label === undefined ? toFieldPath`spec.ports` : toFieldPath`spec.selector`;
  const source = locate(service, path);
  const missing = label === undefined ? `a port ${port}` : `the label ${label}`;
  const data = { service: describeObject(service), workload: describeResource(workload), missing };
  return serviceWithoutEndpoints.createFinding('pending', { path, severity: 'warning', ...(source && { source }), data });
}

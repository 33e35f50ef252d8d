import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { joinWords } from '../../../core/text/text-format';
import { resolveTargetPort, isHeadless } from '../endpoints';
import type { ServicePort } from '../endpoints';
import { countOnPort, findOldPort, isTemplateSelected, listCountedPorts } from '../service-plan';
import type { ReadyBatch, ServicePods, ServiceVersions } from '../service-plan';

interface AheadData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Port of the pods to which it sends. */
  readonly port: number;
  /** Ready pods that declare other ports only. @default - some are on an unknown number of nodes */
  readonly pods?: number;
  /** Ports that these pods declare. */
  readonly declared: readonly number[];
}

function describePods(pods: number | undefined): string {
  if (pods === undefined) return 'The running pods declare';
  return pods === 1 ? 'The running pod declares' : `The ${pods} running pods declare`;
}

function buildExample(oldPort: number, port: string): string {
  const manifests = (containerPort: number, targetPort: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 3
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      containers:
        - name: api
          image: api:${containerPort}
          ports: [{ name: http, containerPort: ${containerPort} }]
          readinessProbe: { tcpSocket: { port: http } }
---
apiVersion: v1
kind: Service
metadata:
  name: api
spec:
  selector: { app: api }
  ports: [{ port: 80, targetPort: ${targetPort} }]
`;
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${manifests(oldPort, port === 'http' ? 'http' : String(oldPort))}# new.yaml
${manifests(9090, port)}`;
}

/** Reports Services that send requests to a port on which the running pods do not listen. */
export const targetPortAhead = defineRule({
  code: 'change/target-port-ahead',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A change sets targetPort of a Service to another number, which only the new pods declare.',
  why:
    'The ports of a Service change at once for all of its pods, while the pods are replaced one after another. A number is never checked: ' +
    'the old pods stay ready endpoints and get connections on a port on which they do not listen. ' +
    'A name is resolved for each pod, so old pods keep their number. Source: k8s.io/endpointslice v0.34.4, `FindPort`.',
  fix: 'Give the container port a name, and write the name in `targetPort` in an apply before.',
  example: buildExample(8080, '9090'),
  fixedExample: buildExample(8080, 'http'),
  messages: {
    number: defineMessage<AheadData>({
      text: ({ service, port, pods, declared }) =>
        `From the apply on, ${service} sends to port ${port}. ${describePods(pods)} ` +
        `only ${joinWords(declared.map(String))}: connections to ${pods === 1 ? 'it' : 'them'} fail until ${pods === 1 ? 'it is' : 'they are'} replaced.`,
      help: () => 'Give the container port a name, and write this name in targetPort in an apply before: a name is resolved for each pod.',
      sample: { service: 'Service shop/api', port: 9090, pods: 3, declared: [8080] },
      variants: [{ service: 'Service shop/api', port: 9090, pods: 1, declared: [8080, 8081] }],
    }),
  },
});

/** Lists the ports that the containers of a template declare for a protocol. */
function listDeclaredPorts(template: Fields, protocol: string): number[] {
  return getListAt(template, 'spec', 'containers').flatMap((container) =>
    getListAt(container, 'ports').flatMap((port) => {
      const number = getValueAt(port, 'containerPort');
      return typeof number === 'number' && (getValueAt(port, 'protocol') ?? 'TCP') === protocol ? [number] : [];
    }),
  );
}

function checkPort({ old, next }: Required<ServiceVersions>, port: ServicePort, pods: readonly ServicePods[]): AheadData[] {
  const oldPort = findOldPort(old, next, port);
  const { targetPort, protocol } = port;
  if (typeof targetPort !== 'number' || !oldPort) return [];
  const after = pods.flatMap((one) => one.after).filter(({ template, total }) => total > 0 && isTemplateSelected(template, next));
  if (!after.some(({ template }) => listDeclaredPorts(template, protocol).includes(targetPort))) return [];
  const isBehind = ({ template }: ReadyBatch) => {
    const declared = listDeclaredPorts(template, protocol);
    const used = resolveTargetPort(template.spec, oldPort);
    return isTemplateSelected(template, next) && used !== targetPort && declared.length > 0 && !declared.includes(targetPort);
  };
  const owners = pods.filter(({ before }) => before.some(isBehind));
  const behind = owners.flatMap(({ before }) => before.filter(isBehind));
  const count = countOnPort(next, port, behind);
  if (count === 0) return [];
  const isCounted = owners.every(({ isOnUnknownNodes }) => !isOnUnknownNodes);
  const declared = [...new Set(behind.flatMap(({ template }) => listDeclaredPorts(template, protocol)))].toSorted((a, b) => a - b);
  return [{ service: describeObject(next), port: targetPort, ...(isCounted && { pods: count }), declared }];
}

/** Reports the first port of a Service that is ahead of the running pods. */
export function checkTargetPortAhead(
  { old, next }: ServiceVersions,
  pods: readonly ServicePods[],
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  // Clients of a headless Service choose the port themselves.
  if (!old || old === next || isHeadless(next)) return [];
  for (const [index, port] of listCountedPorts(next).entries()) {
    const [data] = checkPort({ old, next }, port, pods);
    if (!data) continue;
    const path = toFieldPath`spec.ports[${index}].targetPort`;
    const source = locate(next, path);
    return [targetPortAhead.createFinding('number', { path, ...(source && { source }), data })];
  }
  return [];
}

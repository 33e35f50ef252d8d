import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { findClosestName } from '../../../core/errors/did-you-mean';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { joinTruncatedNames, truncateNames } from '../../../core/text/text-format';
import { isHeadless, listServicePorts, resolveTargetPort } from '../endpoints';
import { hasInjectedContainers, listNamedPorts } from '../service-members';
import type { ServiceMember } from '../service-members';
import { renderServiceExample, SERVICE_SELECTOR } from './examples';

interface UnresolvedData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Name and protocol of the port: `grpc (TCP)`. */
  readonly port: string;
  /** Number of the Service's port. */
  readonly number: number;
  /** Ports that the containers name. */
  readonly named: readonly string[];
  /** The one of them that was probably meant. */
  readonly nearest?: string;
}

const SAMPLE: UnresolvedData = { service: 'Service shop/api', port: 'grpc (TCP)', number: 9000, named: ['http (TCP)'] };

function describeNamed({ named }: UnresolvedData): string {
  return named.length === 0 ? 'They name no ports.' : `They name ${joinTruncatedNames(truncateNames(named))}.`;
}

function getHelp({ nearest, port }: UnresolvedData): string {
  const name = port.split(' ')[0]!;
  return nearest === undefined
    ? `Write the number of the port in targetPort, or give the container port the name ${name}.`
    : `Write ${nearest.split(' ')[0]!} in targetPort, or the number of the port.`;
}

/** Ports that sidecars of service meshes name. A webhook adds them to the pods. */
const SIDECAR_PORT = /^(?:http-envoy|envoy-|istio-|linkerd-|dapr-)/;

/** Reports ports of Services whose name no container has. */
export const servicePortUnresolved = defineRule({
  code: 'kubernetes/service-port-unresolved',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A Service has a targetPort by name, and no container of the pods that it selects has a port with this name and protocol.',
  why:
    'A name is resolved for each pod. A pod without a port of this name and protocol is no endpoint of the port, and nothing reports it: ' +
    'the Service exists, the pods are ready, and connections to the port are refused. ' +
    'It is a warning for a headless Service, whose DNS name still lists the pods, but without a record of the port. ' +
    'The rule is silent if the Service may select further pods, or if a webhook may add a container. Source: k8s.io/endpointslice v0.34.4, `FindPort`.',
  fix: 'Give the container port the name, or write its number in `targetPort`.',
  example: renderServiceExample(`${SERVICE_SELECTOR}\n  ports: [{ port: 80, targetPort: web }]`),
  fixedExample: renderServiceExample(`${SERVICE_SELECTOR}\n  ports: [{ port: 80, targetPort: http }]`),
  messages: {
    refused: defineMessage<UnresolvedData>({
      text: (data) =>
        `No container that ${data.service} selects names a port ${data.port}. ${describeNamed(data)} Connections to port ${data.number} are refused.`,
      help: getHelp,
      sample: SAMPLE,
      variants: [
        { ...SAMPLE, named: [] },
        { ...SAMPLE, port: 'htpp (TCP)', nearest: 'http (TCP)' },
      ],
    }),
    headless: defineMessage<UnresolvedData>({
      text: (data) =>
        `No container that ${data.service} selects names a port ${data.port}. ${describeNamed(data)} DNS has no record of port ${data.number}.`,
      help: getHelp,
      sample: SAMPLE,
    }),
  },
});

/** Reports whether another object of the input with the same name has the port: a patch adds it. */
function isAddedElsewhere(members: readonly ServiceMember[], port: string, input: readonly Manifest[]): boolean {
  return input.some(
    (object) =>
      members.some(({ resource }) => resource.kind === object.kind && resource.name === object.metadata?.name) &&
      listNamedPorts({ spec: getValueAt(object, 'spec', 'template', 'spec') }).includes(port),
  );
}

/** Returns the port whose name is most similar, with its protocol: `http (TCP)` for `htttp`. The protocol is no part of the name. */
function findClosestPort(name: string, named: readonly string[]): string | undefined {
  const closest = findClosestName(
    name,
    named.map((port) => port.split(' ')[0]!),
  );
  return named.find((port) => port.split(' ')[0] === closest);
}

/** What the check knows besides the Service. */
interface SelectedPods {
  /** Pods that the Service selects. */
  readonly members: readonly ServiceMember[];
  /** Whether the Service may select further pods. */
  readonly mayHaveOthers: boolean;
  /** Namespace of the Service, if it is in the input. */
  readonly namespace: Manifest | undefined;
  readonly input: readonly Manifest[];
}

/** Reports the ports of a Service that resolve in none of its pods. */
export function checkServicePortUnresolved(
  service: Manifest,
  { members, mayHaveOthers, namespace, input }: SelectedPods,
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  if (members.length === 0 || mayHaveOthers || members.some(({ isOpen }) => isOpen)) return [];
  return listServicePorts(service).flatMap((port, index) => {
    const { targetPort, protocol } = port;
    if (typeof targetPort === 'number' || SIDECAR_PORT.test(targetPort)) return [];
    if (members.some(({ template }) => resolveTargetPort(template.spec, port) !== undefined)) return [];
    const isInjected = members.some(({ template }) => hasInjectedContainers(template)) || (namespace && hasInjectedContainers(namespace));
    const name = `${targetPort} (${protocol})`;
    if (isInjected || isAddedElsewhere(members, name, input)) return [];
    const named = [...new Set(members.flatMap(({ template }) => listNamedPorts(template)))];
    const nearest = findClosestPort(targetPort, named);
    const number = getValueAt(getListAt(service, 'spec', 'ports')[index], 'port') as number;
    const data = { service: describeObject(service), port: name, number, named, ...(nearest !== undefined && { nearest }) };
    const path = toFieldPath`spec.ports[${index}].targetPort`;
    const source = locate(service, path);
    const occurrence = { path, ...(source && { source }), data };
    return isHeadless(service)
      ? [servicePortUnresolved.createFinding('headless', { ...occurrence, severity: 'warning' })]
      : [servicePortUnresolved.createFinding('refused', occurrence)];
  });
}

import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { describeObject, getValueAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import type { Backend } from '../backends';
import { listServicePorts } from '../endpoints';

interface BackendData {
  /** The route: `HTTPRoute shop/web`. */
  readonly route: string;
  /** Kind of the route. */
  readonly kind: string;
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Percentage of the requests of the rule. */
  readonly percent: number;
  /** Object whose controller creates the Service, and deletes it with the object: `InferenceService shop/iris`. @default - the input has the Service */
  readonly owner?: string;
}

interface PortData extends BackendData {
  /** Name or number of the port. */
  readonly port: number | string;
  /** Protocol that the route needs, if the Service has the port with another one. */
  readonly protocol?: string;
}

/** What a client gets, by kind of the route. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  HTTPRoute: 'Those requests get status 500.',
  GRPCRoute: 'Those requests fail with status Unavailable.',
  TCPRoute: 'Those connections are refused.',
  TLSRoute: 'Those connections are refused.',
  UDPRoute: 'Those packets are dropped.',
  VirtualService: 'Those requests get status 503.',
};

/** The controllers of Ingresses differ. */
const INGRESS_CONSEQUENCE = 'Those requests get status 503 from most controllers.';

function describeRoute({ route, service, percent }: BackendData): string {
  return percent === 100 ? `${route} sends requests to ${service}` : `${route} sends ${percent}% of the requests of a rule to ${service}`;
}

function describeConsequence({ kind }: BackendData): string {
  return Object.hasOwn(CONSEQUENCES, kind) ? CONSEQUENCES[kind]! : INGRESS_CONSEQUENCE;
}

/** Formats a port: `port 80`, or `port 80 (TCP)` if the Service has it with another protocol. */
function formatPort({ port, protocol }: PortData): string {
  return protocol === undefined ? `port ${port}` : `port ${port} (${protocol})`;
}

const SAMPLE: BackendData = { route: 'HTTPRoute shop/web', kind: 'HTTPRoute', service: 'Service shop/api', percent: 20 };

function buildExample(newPort: number): string {
  const manifests = (port: number) => `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: web
spec:
  parentRefs: [{ name: gateway }]
  rules:
    - backendRefs: [{ name: api, port: 80 }]
---
apiVersion: v1
kind: Service
metadata:
  name: api
spec:
  selector: { app: api }
  ports: [{ port: ${port}, targetPort: 8080 }]
`;
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${manifests(80)}# new.yaml
${manifests(newPort)}`;
}

/** Reports routes that name a Service, or a port of it, that the change takes away or that does not exist. */
export const backendMissing = defineRule({
  code: 'change/backend-missing',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A route of the Gateway API, an Ingress or a VirtualService sends requests to a Service that the change deletes, to a port that it removes, or after the change to a port that its Service does not have.',
  why:
    'A route refers to a Service by its name, and to a port by its number or name. Nothing checks the reference when the Service changes. ' +
    'Gateways answer the share of a missing backend with an error, and the other backends of the rule do not take it over. ' +
    'A reference by number survives a new name of the port.',
  fix: 'Change the route in an apply before, or together with the Service, or keep the Service and the port until no route names them.',
  example: buildExample(8080),
  fixedExample: buildExample(80),
  messages: {
    service: defineMessage<BackendData>({
      text: (data) =>
        `${describeRoute(data)}, ${data.owner === undefined ? 'which this change deletes' : `which is deleted with ${data.owner}`}. ${describeConsequence(data)}`,
      help: ({ service }) => `Let the route name another Service, or keep ${service} until it does.`,
      sample: SAMPLE,
      variants: [
        { ...SAMPLE, percent: 100 },
        { ...SAMPLE, route: 'Ingress shop/web', kind: 'Ingress', percent: 100 },
        { ...SAMPLE, service: 'Service shop/iris-predictor', owner: 'InferenceService shop/iris' },
      ],
    }),
    port: defineMessage<PortData>({
      text: (data) => `${describeRoute(data)}, whose ${formatPort(data)} this change removes. ${describeConsequence(data)}`,
      help: (data) => `Let the route name another port, or keep ${formatPort(data)} until it does.`,
      sample: { ...SAMPLE, port: 8080 },
      variants: [{ ...SAMPLE, port: 8080, protocol: 'TCP' }],
    }),
    'no-port': defineMessage<PortData>({
      text: (data) => `${describeRoute(data)}, which has no ${formatPort(data)}. ${describeConsequence(data)}`,
      help: ({ service }) => `Write a port of ${service}.`,
      sample: { ...SAMPLE, port: 8080 },
      variants: [{ ...SAMPLE, port: 8080, protocol: 'TCP' }],
    }),
  },
});

/** Returns the protocol in which a route sends requests. */
function protocolOf({ kind }: Manifest): string {
  return kind === 'UDPRoute' ? 'UDP' : 'TCP';
}

/** Lists the protocols of a port of a Service, by number or name. A Service may have a number once with each protocol. */
function listProtocols(service: Manifest, port: number | string): string[] {
  return listServicePorts(service)
    .filter(({ name, number }) => (typeof port === 'number' ? number : name) === port)
    .map(({ protocol }) => protocol);
}

/** Reports whether a Service has a port in the protocol of a route. */
function hasPort(service: Manifest, port: number | string, route: Manifest): boolean {
  return listProtocols(service, port).includes(protocolOf(route));
}

/** Returns the port that a route lacks, and its protocol if the Service has the port with another one. */
function describeMissingPort(service: Manifest, port: number | string, route: Manifest): Pick<PortData, 'port' | 'protocol'> {
  return { port, ...(listProtocols(service, port).length > 0 && { protocol: protocolOf(route) }) };
}

/**
 * Reports the backend of a route if its Service, or the port, exists before the apply only.
 *
 * @param next the Service after the apply; undefined if it is deleted
 * @param owner the object whose controller creates the Service, if the input does not have it
 */
export function checkBackendMissing(
  route: Manifest,
  { path, port, percent }: Backend,
  { old, next, owner }: { readonly old: Manifest; readonly next: Manifest | undefined; readonly owner?: Manifest },
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  if (percent === 0) return [];
  const source = locate(route, path);
  const occurrence = { path, ...(source && { source }) };
  const data = {
    route: describeObject(route),
    kind: route.kind,
    service: describeObject(old),
    percent,
    ...(owner && { owner: describeObject(owner) }),
  };
  if (!next) return [backendMissing.createFinding('service', { ...occurrence, data })];
  if (port === undefined || hasPort(next, port, route) || !hasPort(old, port, route)) return [];
  return [backendMissing.createFinding('port', { ...occurrence, data: { ...data, ...describeMissingPort(next, port, route) } })];
}

/** Reports the backend of a route that the change writes if its Service has no such port. An alias of another host has none of its own. */
export function checkBackendPort(
  route: Manifest,
  { path, port, percent }: Backend,
  service: Manifest,
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  const isAlias = getValueAt(service, 'spec', 'type') === 'ExternalName';
  if (percent === 0 || port === undefined || isAlias || hasPort(service, port, route)) return [];
  const source = locate(route, path);
  const missing = describeMissingPort(service, port, route);
  const data = { route: describeObject(route), kind: route.kind, service: describeObject(service), percent, ...missing };
  return [backendMissing.createFinding('no-port', { path, ...(source && { source }), data })];
}

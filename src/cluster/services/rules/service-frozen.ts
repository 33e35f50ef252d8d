import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject, getValueAt, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { pluralize } from '../../../core/text/text-format';
import { toSafeText } from '../../../core/text/value-text';

interface FrozenData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Ready endpoints before the apply. @default - some are on an unknown number of nodes */
  readonly before?: number;
  /** How to delete them, if the Service has EndpointSlices of its own too. @default - it has none */
  readonly deletion?: string;
}

interface AliasData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Name to which its DNS name leads. */
  readonly externalName: string;
}

function buildExample(selector: string): string {
  const manifests = (ownSelector: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 2
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
          image: api:1
          readinessProbe: { tcpSocket: { port: 8080 } }
---
apiVersion: v1
kind: Service
metadata:
  name: api
spec:${ownSelector}
  ports: [{ port: 80, targetPort: 8080 }]
`;
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${manifests('\n  selector: { app: api }')}# new.yaml
${manifests(selector)}`;
}

/** Reports Services whose endpoints no controller updates any more. */
export const serviceFrozen = defineRule({
  code: 'change/service-frozen',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A change removes the selector of a Service that has ready endpoints, or sets its type to ExternalName.',
  why:
    'The EndpointSlice controller ignores a Service without a selector and leaves its EndpointSlices as they are. ' +
    'Requests still reach the pods of today. Once these are replaced, the Service sends requests to addresses that no longer exist, ' +
    'also if it has EndpointSlices of its own. Source: k/k v1.34.4 pkg/controller/endpointslice/endpointslice_controller.go, syncService.',
  fix: 'Keep the selector, or write EndpointSlices for the Service yourself and delete those of the controller.',
  example: buildExample(''),
  fixedExample: buildExample('\n  selector: { app: api }'),
  messages: {
    noSelector: defineMessage<FrozenData>({
      text: ({ service, before }) =>
        `Without a selector the controller no longer updates ${service}: its EndpointSlices keep the ${before === undefined ? 'addresses' : pluralize(before, 'address', 'addresses')} of today, also after these pods are gone.`,
      help: ({ deletion }) =>
        deletion === undefined
          ? 'Keep the selector, or add EndpointSlices for the Service.'
          : `Keep the selector, or delete the EndpointSlices of the controller once those of the Service are ready: ${deletion}`,
      sample: { service: 'Service shop/api', before: 3 },
      variants: [
        {
          service: 'Service shop/api',
          before: 3,
          deletion:
            'kubectl delete endpointslices -n shop -l kubernetes.io/service-name=api,endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io',
        },
      ],
    }),
    externalName: defineMessage<AliasData>({
      text: ({ service, externalName }) =>
        `${service} becomes an alias of ${externalName}: its ClusterIP is released, so clients that still use the address get no answer, and its EndpointSlices keep the addresses of today.`,
      help: () => 'Create the alias under another name, and delete this Service once no client uses its address.',
      sample: { service: 'Service shop/api', externalName: 'api.example.com' },
    }),
  },
});

/** Formats the command that deletes the EndpointSlices that the controller wrote for a Service. */
function formatDeletion(service: Manifest): string {
  const namespace = namespaceOf(service);
  const labels = `kubernetes.io/service-name=${toSafeText(nameOf(service))},endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io`;
  return `kubectl delete endpointslices${namespace === undefined ? '' : ` -n ${toSafeText(namespace)}`} -l ${labels}`;
}

/** Reports a Service that loses its selector, or becomes an alias, while it has ready endpoints. */
export function reportServiceFrozen(
  service: Manifest,
  before: number | undefined,
  hasOwnSlices: boolean,
  locate: (object: object, path: string) => Source | undefined,
): Finding {
  if (getValueAt(service, 'spec', 'type') === 'ExternalName') {
    const path = toFieldPath`spec.type`;
    const source = locate(service, path);
    const externalName = toSafeText(getValueAt(service, 'spec', 'externalName'));
    return serviceFrozen.createFinding('externalName', {
      path,
      ...(source && { source }),
      data: { service: describeObject(service), externalName },
    });
  }
  const path = toFieldPath`spec.selector`;
  const source = locate(service, path);
  return serviceFrozen.createFinding('noSelector', {
    path,
    ...(source && { source }),
    data: {
      service: describeObject(service),
      ...(before !== undefined && { before }),
      ...(hasOwnSlices && { deletion: formatDeletion(service) }),
    },
  });
}

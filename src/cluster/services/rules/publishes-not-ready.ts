import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { isHeadless, isReadinessIgnored } from '../endpoints';
import { renderServiceExample, SERVICE_SELECTOR } from './examples';

interface PublishesData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
}

/** Reports Services that send requests to pods that are not ready. */
export const publishesNotReady = defineRule({
  code: 'kubernetes/publishes-not-ready',
  since: '0.1.0',
  severity: 'info',
  fires: 'A Service with a virtual IP has publishNotReadyAddresses.',
  why:
    'The field lets the members of a cluster find each other before they are ready, which a headless Service is for. ' +
    'Proxies of a Service with a virtual IP send requests to all of these addresses: to pods that start, and to pods that terminate until they are gone. ' +
    'Source: k8s.io/endpointslice v0.34.4, `podToEndpoint`.',
  fix: 'Remove the field, or set `clusterIP: None` if only the DNS names of the pods are needed.',
  example: renderServiceExample(`${SERVICE_SELECTOR}\n  publishNotReadyAddresses: true\n  ports: [{ port: 80, targetPort: http }]`),
  fixedExample: renderServiceExample(
    `${SERVICE_SELECTOR}\n  publishNotReadyAddresses: true\n  clusterIP: None\n  ports: [{ port: 80, targetPort: http }]`,
  ),
  messages: {
    requests: defineMessage<PublishesData>({
      text: ({ service }) =>
        `${service} sends requests to pods that are starting or terminating, because publishNotReadyAddresses ignores their readiness probes.`,
      help: () => 'Remove publishNotReadyAddresses, or use it in a headless Service of its own.',
      sample: { service: 'Service shop/api' },
    }),
  },
});

/** Reports a Service with a virtual IP that ignores readiness. */
export function checkPublishesNotReady(service: Manifest, locate: (object: object, path: string) => Source | undefined): Finding[] {
  if (!isReadinessIgnored(service) || isHeadless(service)) return [];
  const path = toFieldPath`spec.publishNotReadyAddresses`;
  const source = locate(service, path);
  return [publishesNotReady.createFinding('requests', { path, ...(source && { source }), data: { service: describeObject(service) } })];
}

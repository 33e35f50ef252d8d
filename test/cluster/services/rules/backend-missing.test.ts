import { backendMissing } from '../../../../src/cluster/services/rules/backend-missing';
import { testRule } from '../../../rule-tester';

const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: api, namespace: shop }
spec:
  selector: { app: api }
  ports: [{ name: http, port: 80, targetPort: 8080 }]
---
`;

const ALIAS = SERVICE.replace(/spec:[^]*---/, 'spec: { type: ExternalName, externalName: api.example.com }\n---');

const DNS = SERVICE.replace(
  '{ name: http, port: 80, targetPort: 8080 }',
  '{ name: dns, port: 53, targetPort: 53 , protocol: UDP }, { name: dns-tcp, port: 53, targetPort: 53 }',
);

const OTHER = SERVICE.replace('name: api,', 'name: other,');

const HTTP_ROUTE = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec:
  rules:
    - backendRefs: [{ name: api, port: 80, weight: 20 }, { name: other, port: 80, weight: 80 }]
`;

const INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: shop }
spec:
  rules:
    - http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: api, port: { name: http } } } }] }
`;

const VIRTUAL_SERVICE = `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web, namespace: shop }
spec:
  hosts: [shop.example]
  http: [{ route: [{ destination: { host: api.shop.svc.cluster.local } }] }]
`;

/** A service for which KServe creates the Service `iris-predictor`. */
const INFERENCE_SERVICE = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop, annotations: { serving.kserve.io/deploymentMode: Standard } }
spec: { predictor: { model: { modelFormat: { name: sklearn }, storageUri: "s3://models/iris" } } }
---
`;
const IRIS_ROUTE = HTTP_ROUTE.replace('name: api,', 'name: iris-predictor,');

function connectionRoute(kind: string, port: number): string {
  return `---
apiVersion: gateway.networking.k8s.io/v1alpha2
kind: ${kind}
metadata: { name: web, namespace: shop }
spec: { rules: [{ backendRefs: [{ name: api, port: ${port} }] }] }
`;
}

testRule(backendMissing, {
  valid: [
    {
      name: 'a Service with the name of the one that KServe deletes',
      args: ['--prune'],
      old: INFERENCE_SERVICE + OTHER + IRIS_ROUTE,
      yaml: SERVICE.replace('name: api,', 'name: iris-predictor,') + OTHER + IRIS_ROUTE,
    },
    { name: 'KServe keeps its Service', old: INFERENCE_SERVICE + OTHER + IRIS_ROUTE, yaml: INFERENCE_SERVICE + OTHER + IRIS_ROUTE },
    { name: 'nothing is pruned, so the Service stays', old: SERVICE + OTHER + HTTP_ROUTE, yaml: OTHER + HTTP_ROUTE },
    {
      name: 'the route no longer names it',
      args: ['--prune'],
      old: SERVICE + OTHER + HTTP_ROUTE,
      yaml: OTHER + HTTP_ROUTE.replace('{ name: api, port: 80, weight: 20 }, ', ''),
    },
    {
      name: 'the route gives it no requests',
      args: ['--prune'],
      old: SERVICE + OTHER + HTTP_ROUTE,
      yaml: OTHER + HTTP_ROUTE.replace('weight: 20', 'weight: 0'),
    },
    {
      name: 'a route by number survives a new name of the port',
      old: SERVICE + OTHER + HTTP_ROUTE,
      yaml: SERVICE.replace('name: http', 'name: web') + OTHER + HTTP_ROUTE,
    },
    {
      name: 'the changed route named a missing port before',
      old: SERVICE + INGRESS.replace('name: http', 'number: 81'),
      yaml: SERVICE + INGRESS.replace('name: http', 'number: 81').replace('path: /,', 'path: /shop,'),
    },
    { name: 'a new route by the name or the number of a port', old: SERVICE, yaml: `${SERVICE}${INGRESS}---\n${OTHER}${HTTP_ROUTE}` },
    { name: 'a new route to an alias of another host', old: ALIAS, yaml: ALIAS + INGRESS },
    {
      name: 'a port that has its number with each protocol',
      old: DNS + connectionRoute('UDPRoute', 53),
      yaml: DNS.replace('targetPort: 53 ', 'targetPort: 5353 ') + connectionRoute('UDPRoute', 53),
    },
    { name: 'the Service was never there', old: OTHER + HTTP_ROUTE, yaml: OTHER + HTTP_ROUTE },
  ],
  invalid: [
    {
      name: 'a deleted Service',
      args: ['--prune'],
      old: SERVICE + OTHER + HTTP_ROUTE,
      yaml: OTHER + HTTP_ROUTE,
      findings: [
        {
          messageId: 'service',
          severity: 'error',
          path: 'spec.rules[0].backendRefs[0]',
          data: { route: 'HTTPRoute shop/web', kind: 'HTTPRoute', service: 'Service shop/api', percent: 20 },
        },
      ],
    },
    {
      name: 'a Service that KServe deletes with its service',
      args: ['--prune'],
      old: INFERENCE_SERVICE + OTHER + IRIS_ROUTE,
      yaml: OTHER + IRIS_ROUTE,
      findings: [
        {
          messageId: 'service',
          severity: 'error',
          path: 'spec.rules[0].backendRefs[0]',
          data: {
            route: 'HTTPRoute shop/web',
            kind: 'HTTPRoute',
            service: 'Service shop/iris-predictor',
            percent: 20,
            owner: 'InferenceService shop/iris',
          },
        },
      ],
    },
    {
      name: 'a small share of the requests',
      args: ['--prune'],
      old: SERVICE + OTHER + HTTP_ROUTE.replace('weight: 20', 'weight: 1').replace('weight: 80', 'weight: 999'),
      yaml: OTHER + HTTP_ROUTE.replace('weight: 20', 'weight: 1').replace('weight: 80', 'weight: 999'),
      findings: [
        {
          messageId: 'service',
          data: { route: 'HTTPRoute shop/web', kind: 'HTTPRoute', service: 'Service shop/api', percent: 1 },
        },
      ],
    },
    {
      name: 'an Ingress names a port that is renamed',
      old: SERVICE + INGRESS,
      yaml: SERVICE.replace('name: http', 'name: web') + INGRESS,
      findings: [
        {
          messageId: 'port',
          data: { route: 'Ingress shop/web', kind: 'Ingress', service: 'Service shop/api', percent: 100, port: 'http' },
        },
      ],
    },
    {
      name: 'an Ingress is changed to a port that the Service does not have',
      old: SERVICE + INGRESS,
      yaml: SERVICE + INGRESS.replace('name: http', 'number: 81'),
      findings: [
        {
          messageId: 'no-port',
          severity: 'error',
          path: 'spec.rules[0].http.paths[0].backend.service',
          data: { route: 'Ingress shop/web', kind: 'Ingress', service: 'Service shop/api', percent: 100, port: 81 },
        },
      ],
    },
    ...['TCPRoute', 'TLSRoute', 'UDPRoute'].map((kind) => ({
      name: `a ${kind} is changed to such a port`,
      old: SERVICE + connectionRoute(kind, 80),
      yaml: SERVICE + connectionRoute(kind, 81),
      findings: [
        {
          messageId: 'no-port' as const,
          path: 'spec.rules[0].backendRefs[0]',
          data: { route: `${kind} shop/web`, kind, service: 'Service shop/api', percent: 100, port: 81 },
        },
      ],
    })),
    {
      name: 'a port gets another protocol than an Ingress sends',
      old: SERVICE + INGRESS,
      yaml: SERVICE.replace('port: 80,', 'port: 80, protocol: UDP,') + INGRESS,
      findings: [
        {
          messageId: 'port',
          data: { route: 'Ingress shop/web', kind: 'Ingress', service: 'Service shop/api', percent: 100, port: 'http', protocol: 'TCP' },
        },
      ],
    },
    {
      name: 'one of two ports with the same number is removed',
      args: ['--apply', 'server'],
      old: DNS + connectionRoute('UDPRoute', 53),
      yaml: DNS.replace('{ name: dns, port: 53, targetPort: 53 , protocol: UDP }, ', '') + connectionRoute('UDPRoute', 53),
      findings: [
        {
          messageId: 'port',
          data: { route: 'UDPRoute shop/web', kind: 'UDPRoute', service: 'Service shop/api', percent: 100, port: 53, protocol: 'UDP' },
        },
      ],
    },
    {
      name: 'a new route names such a port',
      old: SERVICE + OTHER,
      yaml: SERVICE + OTHER + HTTP_ROUTE.replace('name: api, port: 80', 'name: api, port: 8080'),
      findings: [
        {
          messageId: 'no-port',
          data: { route: 'HTTPRoute shop/web', kind: 'HTTPRoute', service: 'Service shop/api', percent: 20, port: 8080 },
        },
      ],
    },
    {
      name: 'a host of a VirtualService',
      args: ['--prune'],
      old: SERVICE + VIRTUAL_SERVICE,
      yaml: VIRTUAL_SERVICE,
      findings: [{ messageId: 'service', path: 'spec.http[0].route[0].destination' }],
    },
  ],
});

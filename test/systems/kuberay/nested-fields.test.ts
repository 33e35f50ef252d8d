/** Misspelled fields in the maps of a Ray cluster, except its pods. */
import { parse } from 'yaml';
import type { Fields } from '../../../src/core/manifest/manifest';
import { planManifests } from '../../../src/headless';
import { checkRayClusterFields } from '../../../src/systems/kuberay/ray-cluster-fields';

const POD = '{ spec: { containers: [{ name: ray, image: "rayproject/ray:2.56.0", ports: [{ containerPort: 8000, name: serve }] }] } }';

/** Returns the unknown fields of a RayCluster with the name that was probably intended. */
function ofCluster(cluster: Fields): string[] {
  const object = { apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { name: 'ray' }, spec: cluster };
  return checkRayClusterFields(object, '1.7').map(({ path, data }) => `${path} -> ${String(data.nearest)}`);
}

/** Returns those of a RayService. */
function ofService(cluster: Fields, spec: Fields = {}): string[] {
  const object = { apiVersion: 'ray.io/v1', kind: 'RayService', metadata: { name: 'ray' }, spec: { ...spec, rayClusterConfig: cluster } };
  return planManifests([object])
    .rollouts.flatMap(({ findings }) => findings)
    .filter(({ code }) => code === 'input/unknown-field')
    .map(({ path, data }) => `${path} -> ${String(data.nearest)}`);
}

test('those of KubeRay itself are all reported', () => {
  const cluster = parse(`
headGroupSpec:
  template: { metadat: { labels: { any: key } }, ${POD.slice(1)}
  headService: { metadata: { label: { any: key } }, specs: {} }
  rayStartParams: {}
workerGroupSpecs: [{ groupName: a, scaleStrategy: { workerToDelete: [a] }, rayStartParams: {}, template: ${POD} }]
gcsFaultToleranceOptions: { redisAddress: a, redisPassword: { valueform: {} } }
`) as Fields;
  const found = [
    'headGroupSpec.template.metadat -> metadata',
    'headGroupSpec.headService.metadata.label -> labels',
    'headGroupSpec.headService.specs -> spec',
    'workerGroupSpecs[0].scaleStrategy.workerToDelete -> workersToDelete',
    'gcsFaultToleranceOptions.redisPassword.valueform -> valueFrom',
  ];
  expect(ofCluster(cluster)).toEqual(found.map((line) => `spec.${line}`));
  expect(ofService(cluster, { serveService: { metadata: { labels: { any: 'key' } }, spce: {} } })).toEqual([
    'spec.serveService.spce -> spec',
    ...found.map((line) => `spec.rayClusterConfig.${line}`),
  ]);
  const others = parse(`
headGroupSpec: { ingressOptions: { hosts: a, tls: [{ host: [a] }] } }
gcsFaultToleranceOptions: { storage: { claim: a } }
historyServerOptions: { collectorOptions: { images: a } }
networkPolicy: { modes: DenyAll, head: { ingresRules: [] }, workerGroups: [{ groupName: a, egressRules: [{ from: [] }] }] }
tlsOptions: { enable: true }
upgradeStrategy: { types: None }
`) as Fields;
  expect(ofCluster(others)).toEqual([
    'spec.headGroupSpec.ingressOptions.hosts -> host',
    'spec.headGroupSpec.ingressOptions.tls[0].host -> hosts',
    'spec.gcsFaultToleranceOptions.storage.claim -> claimName',
    'spec.historyServerOptions.collectorOptions.images -> image',
    'spec.networkPolicy.modes -> mode',
    'spec.networkPolicy.head.ingresRules -> ingressRules',
    'spec.networkPolicy.workerGroups[0].egressRules[0].from -> undefined',
    'spec.tlsOptions.enable -> enabled',
    'spec.upgradeStrategy.types -> type',
  ]);
});

test('those of containers are reported if a known one is similar, since their version of Kubernetes is not known', () => {
  const cluster = parse(`
autoscalerOptions:
  env: [{ name: A, valu: a, q9: 1 }]
  resources: { limit: { cpu: 1 }, q9: 1 }
  securityContext: { runAsuser: 1, q9: 1 }
  volumeMounts: [{ name: a, mountpath: /a, q9: 1 }]
gcsFaultToleranceOptions: { redisPassword: { valueFrom: { secretKeyref: {}, q9: 1 } } }
historyServerOptions: { collectorOptions: { env: [{ name: A, valu: a, q9: 1 }] } }
`) as Fields;
  expect(ofCluster(cluster)).toEqual([
    'spec.autoscalerOptions.env[0].valu -> value',
    'spec.autoscalerOptions.resources.limit -> limits',
    'spec.autoscalerOptions.securityContext.runAsuser -> runAsUser',
    'spec.autoscalerOptions.volumeMounts[0].mountpath -> mountPath',
    'spec.gcsFaultToleranceOptions.redisPassword.valueFrom.secretKeyref -> secretKeyRef',
    'spec.historyServerOptions.collectorOptions.env[0].valu -> value',
  ]);
});

test('no field of the CRDs of 1.5.1 and 1.7.0 is reported, nor a null', () => {
  const rules =
    '{ ingressRules: [{ from: [{ any: key }], ports: [{ any: key }] }], egressRules: [{ to: [{ any: key }], ports: [{ any: key }] }] }';
  const metadata = '{ annotations: { any: key }, finalizers: [a], labels: { any: key }, name: a, namespace: a, creationTimestamp: null }';
  const service = `{ apiVersion: v1, kind: Service, metadata: ${metadata}, spec: { any: key }, status: { any: key } }`;
  const cluster = parse(`
headGroupSpec:
  template: { metadata: ${metadata}, spec: { containers: [] } }
  headService: ${service}
  ingressOptions: { host: a, path: /, pathType: Prefix, tls: [{ hosts: [a], secretName: a }] }
workerGroupSpecs: [{ template: { metadata: ${metadata}, spec: { containers: [] } }, scaleStrategy: { workersToDelete: [a] } }]
gcsFaultToleranceOptions:
  redisUsername: { value: a, valueFrom: { secretKeyRef: { name: a, key: a } } }
  redisPassword: { value: a, valueFrom: { secretKeyRef: { name: a, key: a } } }
  storage: { accessModes: [a], claimName: a, deletionPolicy: a, size: 1Gi, storageClassName: a, subPath: a }
historyServerOptions: { collectorOptions: { env: [{ name: A, value: a }], image: a, imagePullPolicy: Always, resources: { limits: { cpu: 1 } } } }
networkPolicy: { mode: DenyAll, head: ${rules}, worker: ${rules}, workerGroups: [{ groupName: a, ${rules.slice(1)}] }
tlsOptions: { enabled: true }
upgradeStrategy: { type: None }
`) as Fields;
  expect(ofCluster(cluster)).toEqual([]);
});

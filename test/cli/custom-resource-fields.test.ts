import type { Finding } from '../../src/core/findings/finding';
import { rolloutkit } from './command-line';

/** Runs a command, and returns the unknown fields with their line and the field that was meant, and every other finding by its code. */
async function findingsOf(text: string, args = 'check a.yaml', files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { stdout } = await rolloutkit(`${args} --format json`, { files: { 'a.yaml': text, ...files } });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return findings.map(({ code, severity, path, source, data }) =>
    code === 'input/unknown-field'
      ? `${severity} ${source?.line}: ${path} -> ${String(data.nearest ?? data.since ?? data.supportedBy)}`
      : code,
  );
}

const RAY_CLUSTER = `apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: c, namespace: shop, label: {a: b}}
specs: {}
spec:
  rayversion: "2.9"
  autoscalerOptions: {idleTimeoutSecond: 3}
  gcsFaultToleranceOptions: {redisadress: a}
  upgradeStrategy: {type: Recreate}
  headGroupSpec:
    rayStartParams: {any-key: "1"}
    template: {spec: {containers: [{name: h, image: "x:1", imagePullpolicy: Always, q9: 1}]}}
  workerGroupSpecs:
    - {groupName: w, replica: 3, template: {spec: {nodeselector: {}, containers: [{name: h, image: "x:1"}]}}}
`;

const GIT_REPO = `apiVersion: fleet.cattle.io/v1alpha1
kind: GitRepo
metadata: {name: g, namespace: fleet-default, annotations: {any-key: a}}
spec:
  repos: https://git.example.com/shop
  correctDrift: {enable: true}
  targets:
    - {clustername: a, clusterSelector: {matchLabel: {any-key: prod}}}
    - {clusterSelector: {matchLabels: {any-key: prod}}}
`;

const SCALED_OBJECT = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {name: web, apiversion: apps/v1}
  minReplicas: 1
  coolDownPeriod: 3
  advanced: {horizontalPodAutoscalerConfig: {behavior: {scaleUp: {policy: []}}}}
  triggers: [{type: kafka, metadata: {any-key: x}, q9: 1}]
`;

const CANARY = `apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: web, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  autoscalerRef: {kind: HorizontalPodAutoscaler, name: web, primaryScalerReplica: {minReplicas: 2}}
  service: {port: 80, targetPrt: 8080, apex: {labels: {any-key: a}}, match: [{uri: {any-key: a}}]}
  analysis:
    maxWeigth: 50
    metrics: [{name: a, templateVariables: {any-key: a}, thresholdRange: {maxx: 1}}]
    webhooks: [{name: a, metadata: {any-key: a}, timeouts: 5s}]
`;

const RUNTIME = `apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: {name: r, namespace: shop}
spec:
  supportedModelFormat: []
  supportedModelFormats: [{name: a, autoselect: true}]
  nodeSelector: {any-key: a}
  labels: {any-key: a}
  resourceClaims: [{name: a}]
  containers: [{name: c, image: "x:1", volumeMount: [], q9: 1}]
  volumes: [{name: v, configmap: {}}]
  workerSpec: {pipelineParallelSizes: 1, containers: [{name: w, image: "x:1", resource: {}}]}
  builtInAdapter: {serverType: triton, env: [{name: A, valu: b, q9: 1}]}
`;

const KNATIVE_SERVICE = `apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: k, namespace: shop}
spec:
  traffic: [{latestRevison: true, percent: 100}]
  template:
    metadata: {any-key: a, annotations: {any-key: b}}
    spec:
      timeoutSecond: 3
      affinity: {nodeAffinty: {}}
      tolerations: [{keys: a}]
      containers: [{image: "x:1", readinesProbe: {}, q9: 1, env: [{name: A, valueFrom: {fieldRef: {fieldpath: a}}}]}]
      volumes: [{name: a, emptyDir: {sizelimit: 1}}, {name: b, configMap: {nam: x}}]
`;

describe('a misspelled field of a custom resource has a position and the name that was meant, a key of a map is never reported', () => {
  test.each([
    [
      'a RayCluster',
      RAY_CLUSTER,
      [
        'warning 3: metadata.label -> labels',
        'warning 4: specs -> spec',
        'warning 6: spec.rayversion -> rayVersion',
        'warning 14: spec.workerGroupSpecs[0].replica -> replicas',
        'warning 7: spec.autoscalerOptions.idleTimeoutSecond -> idleTimeoutSeconds',
        'warning 8: spec.gcsFaultToleranceOptions.redisadress -> redisAddress',
        'warning 12: spec.headGroupSpec.template.spec.containers[0].imagePullpolicy -> imagePullPolicy',
        'warning 14: spec.workerGroupSpecs[0].template.spec.nodeselector -> nodeSelector',
      ],
    ],
    [
      'a GitRepo',
      GIT_REPO,
      [
        'warning 5: spec.repos -> repo',
        'warning 6: spec.correctDrift.enable -> enabled',
        'warning 8: spec.targets[0].clustername -> clusterName',
        'warning 8: spec.targets[0].clusterSelector.matchLabel -> matchLabels',
      ],
    ],
    [
      'a Canary of Flagger',
      CANARY,
      [
        'warning 6: spec.autoscalerRef.primaryScalerReplica -> primaryScalerReplicas',
        'warning 7: spec.service.targetPrt -> targetPort',
        'warning 9: spec.analysis.maxWeigth -> maxWeight',
        'warning 10: spec.analysis.metrics[0].thresholdRange.maxx -> max',
        'warning 11: spec.analysis.webhooks[0].timeouts -> timeout',
      ],
    ],
    [
      'a ScaledObject',
      SCALED_OBJECT,
      [
        'warning 5: spec.scaleTargetRef.apiversion -> apiVersion',
        'warning 6: spec.minReplicas -> minReplicaCount',
        'warning 7: spec.coolDownPeriod -> cooldownPeriod',
        'warning 8: spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleUp.policy -> policies',
        'warning 9: spec.triggers[0].q9 -> undefined',
      ],
    ],
    ...['ServingRuntime', 'ClusterServingRuntime'].map((kind): [string, string, string[]] => [
      `a ${kind}`,
      RUNTIME.replace('ServingRuntime', kind),
      [
        'warning 5: spec.supportedModelFormat -> supportedModelFormats',
        'warning 6: spec.supportedModelFormats[0].autoselect -> autoSelect',
        'warning 12: spec.workerSpec.pipelineParallelSizes -> pipelineParallelSize',
        'warning 10: spec.containers[0].volumeMount -> volumeMounts',
        'warning 11: spec.volumes[0].configmap -> configMap',
        'warning 13: spec.builtInAdapter.env[0].valu -> value',
        'warning 12: spec.workerSpec.containers[0].resource -> resources',
      ],
    ]),
    [
      'a Service of Knative, whose CRD preserves unknown fields in some parts of a pod',
      KNATIVE_SERVICE,
      [
        'warning 5: spec.traffic[0].latestRevison -> latestRevision',
        'warning 9: spec.template.spec.timeoutSecond -> timeoutSeconds',
        'warning 12: spec.template.spec.containers[0].readinesProbe -> readinessProbe',
        'warning 13: spec.template.spec.volumes[1].configMap.nam -> name',
      ],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await findingsOf(text)).toEqual(expected);
    expect(await findingsOf(text, 'plan a.yaml')).toEqual(expected);
  });
});

test('a field of a RayCluster that another version has is reported with that version', async () => {
  const cluster = 'apiVersion: ray.io/v1alpha1\nkind: RayCluster\nmetadata: {name: c}\nspec: {managedBy: a, tlsOptions: {enabled: true}}\n';
  expect(await findingsOf(cluster)).toEqual(['warning 4: spec.managedBy -> ray.io/v1', 'warning 4: spec.tlsOptions -> ray.io/v1']);
  expect(await findingsOf(cluster.replace('v1alpha1', 'v1'), 'check a.yaml --versions kuberay=1.5')).toEqual([
    'warning 4: spec.tlsOptions -> 1.7',
  ]);
  expect(await findingsOf(cluster.replace('v1alpha1', 'v1'))).toEqual([]);
});

test('in a change only a field that OLD lacks is reported', async () => {
  const next = GIT_REPO.replace('spec:', 'spec:\n  pausd: true');
  expect(await findingsOf(next, 'plan --apply argocd --from old a.yaml', { 'old/a.yaml': GIT_REPO })).toEqual([
    'warning 5: spec.pausd -> paused',
  ]);
});

test('null, and a version of the API whose fields are not known, are not reported', async () => {
  expect(await findingsOf('apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a}\nspec: {minReplicas: null}\n')).toEqual(
    [],
  );
  expect(await findingsOf('apiVersion: keda.sh/v2\nkind: ScaledObject\nmetadata: {name: a}\nspec: {minReplicas: 1}\n')).toEqual([]);
});

describe('a CRD that the user provides decides, because it may be of a later version', () => {
  const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: scaledobjects.keda.sh}
spec:
  group: keda.sh
  scope: Namespaced
  names: {kind: ScaledObject, plural: scaledobjects, singular: scaledobject, listKind: ScaledObjectList}
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {later: {type: string}, latest: {type: string}}}}}}
`;
  const OBJECT = 'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a}\nspec: {later: a, latst: a}\n';
  const EXPECTED = ['warning 4: spec.latst -> latest'];

  test('among the input', async () => {
    expect(await findingsOf(OBJECT, 'check .', { 'crd.yaml': CRD })).toEqual(EXPECTED);
    const old = { 'old/crd.yaml': CRD, 'next/crd.yaml': CRD, 'next/a.yaml': OBJECT };
    expect(await findingsOf('', 'plan --apply argocd --from old next', old)).toEqual(EXPECTED);
  });

  test('by --crds', async () => {
    expect(await findingsOf(OBJECT, 'check a.yaml --crds crd.yaml', { 'crd.yaml': CRD })).toEqual(EXPECTED);
    expect(
      await findingsOf(OBJECT, 'plan --apply argocd --from old.yaml a.yaml --crds crd.yaml', {
        'crd.yaml': CRD,
        'old.yaml': OBJECT.replace('latst', 'latest'),
      }),
    ).toEqual(EXPECTED);
  });
});

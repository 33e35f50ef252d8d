import { autoSelect } from '../../../src/upgrade/rules/auto-select';
import { nameChanges } from '../../../src/upgrade/rules/name-changes';
import { newDeploymentId } from '../../../src/upgrade/rules/new-deployment-id';
import { newPodsDiffer } from '../../../src/upgrade/rules/new-pods-differ';
import { rollsEverything } from '../../../src/upgrade/rules/rolls-everything';
import { testRule } from '../../rule-tester';

/** An InferenceService with these annotations and this predictor. */
function service(predictor: string, annotations = ''): string {
  return `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop, annotations: { serving.kserve.io/deploymentMode: Standard, ${annotations} } }
spec: { predictor: { minReplicas: 2, ${predictor} } }
`;
}

const CUSTOM = 'containers: [{ name: kserve-container, image: "own:1", resources: { requests: { nvidia.com/gpu: 2 } } }]';
const MODEL = 'model: { modelFormat: { name: sklearn }, runtime: kserve-sklearnserver, storageUri: "s3://m" }';

const SET = `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: llm, namespace: shop }
spec:
  replicas: 3
  leaderWorkerTemplate:
    size: 2
    workerTemplate: { spec: { containers: [{ name: vllm, image: "vllm:1" }] } }
`;

testRule(rollsEverything, {
  valid: [
    { name: 'KServe 0.18 to 0.19 writes the same for an own container', upgrade: 'kserve=0.18..0.19', yaml: service(CUSTOM) },
    { name: 'LeaderWorkerSet 0.7 to 0.9 in one step', upgrade: 'lws=0.7..0.9', yaml: SET },
    { name: 'KubeRay compares no pods', upgrade: 'kuberay=1.5..1.7', yaml: SET },
    {
      name: 'a variable that the service sets itself',
      upgrade: 'kserve=0.16..0.17',
      yaml: service('containers: [{ name: kserve-container, image: "own:1", env: [{ name: INFERENCE_SERVICE_NAME, value: iris }] }]'),
    },
    { name: 'a stopped service', upgrade: 'kserve=0.16..0.17', yaml: service(CUSTOM, 'serving.kserve.io/stop: "true"') },
  ],
  invalid: [
    {
      name: 'KServe 0.17 adds a variable to every predictor',
      upgrade: 'kserve=0.16..0.20',
      yaml: service(CUSTOM),
      findings: [
        {
          messageId: 'rolls',
          severity: 'warning',
          data: {
            product: 'kserve',
            from: '0.16',
            to: '0.20',
            count: 1,
            objects: { names: ['InferenceService shop/iris'] },
            fields: { names: ['spec.template.spec.containers[kserve-container].env[INFERENCE_SERVICE_NAME]'] },
            extraPods: 1,
            extraGpus: 2,
            saferOrder: [
              'Add the annotation serving.kserve.io/disable-auto-update: "true" to each InferenceService while it is Ready.',
              'Apply the new ConfigMap inferenceservice-config first, so that each service rolls once, then upgrade the controller, and the serving runtimes last.',
              'Remove the annotation from one service at a time, and wait until it is ready.',
            ],
          },
        },
      ],
    },
    {
      name: 'the runtimes of the chart have the version of KServe in their images',
      upgrade: 'kserve=0.18..0.19',
      yaml: service(MODEL),
      findings: [{ messageId: 'rolls' }],
    },
    {
      name: 'the surge of all services together does not fit',
      upgrade: 'kserve=0.16..0.17',
      capacity: { free: { 'nvidia.com/gpu': 0 } },
      yaml: service(CUSTOM),
      findings: [{ messageId: 'rolls' }],
    },
    {
      name: 'LeaderWorkerSet 0.8 gives every set a new revision',
      upgrade: 'lws=0.7..0.8',
      yaml: SET,
      findings: [{ messageId: 'rolls', path: '' }],
    },
    {
      name: 'Kubernetes 1.34.0 gives every StatefulSet a new revision',
      upgrade: 'kubernetes=1.33..1.34',
      yaml: `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 3
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: "db:1" }] }
`,
      findings: [{ messageId: 'rolls' }],
    },
  ],
});

testRule(newPodsDiffer, {
  valid: [{ name: 'an own container', upgrade: 'kserve=0.18..0.19', yaml: service(CUSTOM) }],
  invalid: [
    {
      name: 'the storage initializer',
      upgrade: 'kserve=0.18..0.19',
      yaml: service(MODEL),
      findings: [{ messageId: 'new-pods', severity: 'info' }],
    },
    {
      name: 'pods of Ray 2.53 under KubeRay 1.6',
      upgrade: 'kuberay=1.5..1.6',
      yaml: `apiVersion: ray.io/v1
kind: RayCluster
metadata: { name: ray }
spec:
  rayVersion: 2.53.0
  headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: head, image: ray }] } } }
`,
      findings: [{ messageId: 'new-pods' }, { messageId: 'new-pods' }],
    },
    {
      name: 'an old name of the mode',
      upgrade: 'kserve=0.16..0.17',
      yaml: service(CUSTOM).replace('deploymentMode: Standard', 'deploymentMode: RawDeployment'),
      findings: [{ messageId: 'next-write' }],
    },
  ],
});

testRule(nameChanges, {
  valid: [
    { name: 'KServe 0.16 and later', upgrade: 'kserve=0.16..0.17', yaml: nameChanges.example },
    { name: 'KServe 0.19, which knows the old name of the mode in the status', upgrade: 'kserve=0.15..0.19', yaml: service(CUSTOM) },
    {
      name: 'a status that is renamed already',
      upgrade: 'kserve=0.15..0.16',
      yaml: `${service(CUSTOM)}status: { deploymentMode: Standard }\n`,
    },
  ],
  invalid: [
    {
      name: 'a Deployment of a service whose status KServe 0.15 wrote',
      upgrade: 'kserve=0.15..0.16',
      yaml: `${service(CUSTOM)}status: { deploymentMode: RawDeployment }\n`,
      findings: [
        {
          messageId: 'mode',
          path: 'metadata.name',
          severity: 'error',
          data: { name: 'iris', to: '0.16', old: 'RawDeployment', new: 'Standard' },
        },
      ],
    },
    {
      name: 'the Service of a service that KServe 0.10 created',
      upgrade: 'kserve=0.15..0.17',
      yaml: nameChanges.example,
      findings: [{ messageId: 'renamed', data: { name: 'iris', old: 'iris-predictor-default', new: 'iris-predictor', pods: 2 } }],
    },
    {
      name: 'KServe 0.20, which deletes what it does not know, in mode Standard',
      upgrade: 'kserve=0.15..0.20',
      yaml: `${service(CUSTOM)}---
apiVersion: apps/v1
kind: Deployment
metadata: { name: iris-predictor-default, namespace: shop }
spec:
  selector: { matchLabels: { app: isvc.iris-predictor-default } }
  template: { metadata: { labels: { app: isvc.iris-predictor-default } }, spec: { containers: [{ name: kserve-container, image: "own:1" }] } }
`,
      findings: [{ messageId: 'deleted', data: { name: 'iris', old: 'iris-predictor-default', new: 'iris-predictor', pods: 2 } }],
    },
    {
      name: 'KServe 0.20 in mode Knative, where it deletes nothing',
      upgrade: 'kserve=0.15..0.20',
      yaml: nameChanges.example,
      findings: [{ messageId: 'renamed' }],
    },
  ],
});

testRule(autoSelect, {
  valid: [
    { name: 'a format without a version', upgrade: 'kserve=0.16..0.17', yaml: service('model: { modelFormat: { name: xgboost } }') },
    {
      name: 'runtimes in view',
      upgrade: 'kserve=0.16..0.17',
      yaml: `${service('model: { modelFormat: { name: xgboost, version: "1" } }')}---
apiVersion: serving.kserve.io/v1alpha1
kind: ClusterServingRuntime
metadata: { name: own }
spec:
  supportedModelFormats: [{ name: xgboost, version: "1", autoSelect: true }]
  containers: [{ name: kserve-container, image: "own:1" }]
`,
    },
  ],
  invalid: [
    {
      name: 'a format of the old version',
      upgrade: 'kserve=0.16..0.18',
      yaml: service('model: { modelFormat: { name: lightgbm, version: "3" } }'),
      findings: [
        { messageId: 'selected', path: 'spec.predictor.model', data: { to: '0.18', format: 'lightgbm 3', old: 'kserve-lgbserver' } },
      ],
    },
  ],
});

testRule(newDeploymentId, {
  valid: [
    { name: 'Fleet 0.15 to 0.16 without correctDrift', upgrade: 'fleet=0.15..0.16', yaml: newDeploymentId.example },
    {
      name: 'a target with other values',
      upgrade: 'fleet=0.15..0.16',
      yaml: `helm: { chart: web, valuesFrom: [{ configMapKeyRef: { name: all } }, {}] }
targetCustomizations: [{ clusterName: a, helm: { valuesFrom: [{ secretKeyRef: { name: all } }, {}, {}] } }]
`,
    },
    {
      name: 'a target with a resource that its bundle has too',
      upgrade: 'fleet=0.15..0.16',
      yaml: `downstreamResources: [{ kind: Secret, name: pull }]
targetCustomizations: [{ clusterName: a, downstreamResources: [{ name: pull, kind: Secret }] }]
`,
    },
  ],
  invalid: [
    {
      name: 'a fleet.yaml that corrects drift',
      upgrade: 'fleet=0.15..0.16',
      yaml: 'correctDrift: { enabled: true }\nhelm: { chart: web }\n',
      findings: [{ messageId: 'redeployed', severity: 'info' }],
    },
    {
      name: 'a HelmOp that corrects drift',
      upgrade: 'fleet=0.15..0.16',
      yaml: `apiVersion: fleet.cattle.io/v1alpha1
kind: HelmOp
metadata: { name: web, namespace: fleet-default }
spec: { correctDrift: { enabled: true }, helm: { chart: web }, targets: [{ clusterSelector: {} }] }
`,
      findings: [{ messageId: 'redeployed' }],
    },
    {
      name: 'a target that repeats values of its bundle, in another order of keys',
      upgrade: 'fleet=0.15..0.16',
      yaml: `helm: { chart: web, valuesFrom: [{ configMapKeyRef: { name: all, key: v } }] }
targetCustomizations: [{ clusterName: a, helm: { valuesFrom: [{ configMapKeyRef: { key: v, name: all, namespace: "" } }] } }]
`,
      findings: [{ messageId: 'redeployed' }],
    },
    {
      name: 'a target with a resource of its own, which earlier versions ignored',
      upgrade: 'fleet=0.15..0.16',
      yaml: `downstreamResources: [{ kind: Secret, name: pull }]
targetCustomizations: [{ clusterName: a, downstreamResources: [{ kind: Secret, name: own }] }]
`,
      findings: [{ messageId: 'redeployed' }],
    },
  ],
});

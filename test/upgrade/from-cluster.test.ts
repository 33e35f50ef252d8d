import { rolloutkit } from '../cli/command-line';
import { PLAYED_TYPES, playCluster } from '../live/played-cluster';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

const ISVC_TYPE = {
  plural: 'inferenceservices',
  group: 'serving.kserve.io',
  version: 'v1beta1',
  kind: 'InferenceService',
  isNamespaced: true,
};

const CONTROLLER = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'kserve-controller-manager', namespace: 'kserve' },
  spec: {
    selector: { matchLabels: { app: 'kserve' } },
    template: {
      metadata: { labels: { app: 'kserve' } },
      spec: { containers: [{ name: 'manager', image: 'docker.io/kserve/kserve-controller:v0.16.0' }] },
    },
  },
};

const CHAT = {
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  metadata: { name: 'chat', namespace: 'models', uid: '1', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
  spec: { predictor: { minReplicas: 2, containers: [{ name: 'kserve-container', image: 'own:1' }] } },
};

const CLUSTER = {
  currentContext: 'prod',
  namespace: 'models',
  serverVersion: 'v1.35.2',
  types: [...PLAYED_TYPES, ISVC_TYPE],
  objects: [CONTROLLER, CHAT],
};

test('the objects of a cluster are planned, with the version of its server', async () => {
  const { stdout, exitCode } = await rolloutkit('upgrade kserve=0.16..0.17 --from cluster', playCluster(CLUSTER));

  expect({ exitCode, start: stdout.split('\n').slice(0, 8) }).toMatchInlineSnapshot(`
{
  "exitCode": 0,
  "start": [
    "KServe 0.16 -> 0.17: 1 of 1 object is affected: 1 rolls; 2 pods are replaced; needs up to 1 extra pod",
    "! roll   InferenceService models/chat   2 of 2 available at the worst moment   env[INFERENCE_SERVICE_NAME] none -> chat",
    "",
    "what the new version does differently",
    "  rolls pods, 1 object: KServe 0.17 adds the variable INFERENCE_SERVICE_NAME to every container of a predictor, and to the first container of a transformer.",
    "",
    "1 rollout on Kubernetes 1.35.2 and KServe 0.17: 1 warning",
    "from cluster prod, namespace models; detected Kubernetes 1.35.2 and KServe 0.16.0",
  ],
}
`);
});

test('an upgrade from another version than the one that runs is planned, and said on standard error', async () => {
  const { stdout, stderr } = await rolloutkit('upgrade kserve=0.15..0.17 --from cluster', playCluster(CLUSTER));

  expect(stdout.split('\n')[0]).toContain('KServe 0.15 -> 0.17: 1 of 1 object is affected');
  expect(stderr.split('\n')).toContain('rolloutkit: the cluster runs KServe 0.16.0, and the upgrade is planned from 0.15');
});

test('a pair of versions that is not known answers nothing and reads no cluster', async () => {
  const answer = await rolloutkit('upgrade kserve=0.16..0.30 --from cluster', playCluster(CLUSTER));

  expect(answer).toMatchObject({ exitCode: 2, stdout: '' });
  expect(answer.stderr).toContain('what an upgrade of KServe from 0.16 to 0.30 rolls is not known, so nothing is answered');
  expect(answer.stderr).not.toContain('runs kubectl');
});

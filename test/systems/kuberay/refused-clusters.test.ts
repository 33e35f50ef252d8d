import { CLUSTER, rayService, rolloutOf } from './plan';

const HEAD = CLUSTER.headGroupSpec;
const [GROUP] = CLUSTER.workerGroupSpecs as [(typeof CLUSTER.workerGroupSpecs)[number]];
const V2 = { version: 'v2' };
const TOLERANT = { redisAddress: 'redis:6379' };

function headWith(env: object[], more: object = {}): object {
  const [container] = HEAD.template.spec.containers;
  return { headGroupSpec: { ...HEAD, template: { spec: { containers: [{ ...container, env }] } }, ...more } };
}

function headPods(fields: object): object {
  return { headGroupSpec: { template: { spec: { ...HEAD.template.spec, ...fields } } } };
}

function worker(fields: object): object {
  return { workerGroupSpecs: [{ ...GROUP, ...fields }] };
}

/** Returns what KubeRay 1.7 with default gates refuses in a NewCluster service with these fields in its rayClusterConfig. */
function refusals(cluster: object, metadata: object = {}): string[] {
  const service = rayService(
    { type: 'NewCluster' },
    { rayClusterConfig: { ...CLUSTER, ...cluster } },
    { name: 'llm', namespace: 'models', ...metadata },
  );
  const { findings, strategy } = rolloutOf(service, { versions: { kuberay: '1.7.0' } });
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ messageId, path }) => `${messageId} ${path}`);
  expect(strategy === null).toBe(errors.length > 0);
  return errors.map((line) => line.replace('spec.rayClusterConfig.', ''));
}

// From the validation source of v1.7.0, because its module can't be fetched. test/upstream/kuberay-validation.test.ts covers 1.5.1 and 1.6.2.
test.each<[string, object, string]>([
  [
    'labels in rayStartParams of the head',
    { headGroupSpec: { ...HEAD, rayStartParams: { labels: 'a=b' } } },
    'startParamLabels headGroupSpec.rayStartParams.labels',
  ],
  [
    'labels in rayStartParams of workers',
    worker({ rayStartParams: { labels: 'a=b' } }),
    'startParamLabels workerGroupSpecs[0].rayStartParams.labels',
  ],
  ['an invalid key in labels of a group', worker({ labels: { 'a/b/c': 'x' } }), 'label workerGroupSpecs[0].labels[a/b/c]'],
  ['an invalid value in labels of a group', worker({ labels: { a: 'not ok!' } }), 'label workerGroupSpecs[0].labels[a]'],
  ['minReplicas below 0', worker({ minReplicas: -1 }), 'negative workerGroupSpecs[0].minReplicas'],
  ['idleTimeoutSeconds without autoscaler v2', worker({ idleTimeoutSeconds: 60 }), 'idleTimeout workerGroupSpecs[0].idleTimeoutSeconds'],
  [
    'idleTimeoutSeconds below 0',
    { autoscalerOptions: V2, ...worker({ idleTimeoutSeconds: -1 }) },
    'negative workerGroupSpecs[0].idleTimeoutSeconds',
  ],
  [
    'a priority with an older Ray',
    { rayVersion: '2.55.0', autoscalerOptions: V2, ...worker({ priority: 1 }) },
    'rayVersion workerGroupSpecs[0].priority',
  ],
  [
    'idleTimeoutSeconds of the autoscaler below 0',
    { autoscalerOptions: { idleTimeoutSeconds: -1 } },
    'negative autoscalerOptions.idleTimeoutSeconds',
  ],
  [
    'the start command of the autoscaler as a variable',
    { autoscalerOptions: { env: [{ name: 'KUBERAY_GEN_AUTOSCALER_START_CMD', value: 'x' }] } },
    'managedVariable autoscalerOptions.env[0]',
  ],
  [
    'restartPolicy of the head with v2',
    { autoscalerOptions: V2, ...headPods({ restartPolicy: 'Always' }) },
    'restartPolicy headGroupSpec.template.spec.restartPolicy',
  ],
  [
    'restartPolicy of workers with v2',
    { autoscalerOptions: V2, ...worker({ template: { spec: { ...GROUP.template.spec, restartPolicy: 'OnFailure' } } }) },
    'restartPolicy workerGroupSpecs[0].template.spec.restartPolicy',
  ],
  [
    'both version and variable of the autoscaler',
    { autoscalerOptions: V2, ...headWith([{ name: 'RAY_enable_autoscaler_v2', value: '1' }]) },
    'duplicateAutoscalerVersion headGroupSpec.template.spec.containers[0].env',
  ],
  [
    'autoscaler v2 with autoscaling off',
    { enableInTreeAutoscaling: false, ...headWith([{ name: 'RAY_enable_autoscaler_v2', value: '1' }]) },
    'v2WithoutAutoscaling headGroupSpec.template.spec.containers[0].env',
  ],
  [
    'only the Redis address',
    headWith([{ name: 'RAY_REDIS_ADDRESS', value: 'redis:6379' }]),
    'redisAddress headGroupSpec.template.spec.containers[0].env',
  ],
  [
    'a user of Redis in rayStartParams',
    { headGroupSpec: { ...HEAD, rayStartParams: { 'redis-username': 'ray' } } },
    'redisUsername headGroupSpec.rayStartParams',
  ],
  [
    'a user of Redis as a variable',
    headWith([{ name: 'REDIS_USERNAME', value: 'ray' }]),
    'redisUsername headGroupSpec.template.spec.containers[0].env',
  ],
  [
    'a Redis password with gcsFaultToleranceOptions',
    { gcsFaultToleranceOptions: TOLERANT, headGroupSpec: { ...HEAD, rayStartParams: { 'redis-password': 'x' } } },
    'conflictsWithFaultTolerance headGroupSpec.rayStartParams[redis-password]',
  ],
  ['token authentication without a version of Ray', { authOptions: { mode: 'token' } }, 'rayVersion authOptions.mode'],
  ['token authentication with an older Ray', { authOptions: { mode: 'token' }, rayVersion: '2.51.0' }, 'rayVersion authOptions.mode'],
  ['token authentication with no version at all', { authOptions: { mode: 'token' }, rayVersion: 'latest' }, 'rayVersion authOptions.mode'],
  ['networkPolicy', { networkPolicy: {} }, 'gate networkPolicy'],
  ['tlsOptions', { tlsOptions: {} }, 'gate tlsOptions'],
  ['historyServerOptions', { historyServerOptions: {} }, 'gate historyServerOptions'],
  ['a head with an empty template', { headGroupSpec: { template: {} } }, 'noContainer headGroupSpec.template.spec.containers'],
])('KubeRay 1.7 refuses %s', (_what, cluster, expected) => {
  expect(refusals(cluster)).toEqual([expected]);
});

test.each(['ray.io/ft-enabled', 'ray.io/external-storage-namespace'])('KubeRay 1.7 refuses gcsFaultToleranceOptions with %s', (name) => {
  expect(refusals({ gcsFaultToleranceOptions: TOLERANT }, { annotations: { [name]: 'true' } })).toEqual([
    `conflictsWithFaultTolerance metadata.annotations[${name}]`,
  ]);
});

test('the same cluster without any of these values is accepted', () => {
  expect(refusals({})).toEqual([]);
});

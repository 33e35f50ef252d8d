import { rolloutkit } from './command-line';

describe('an object of a known kind that concerns pods which are not in view', () => {
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: shop }\n';
  const object = (apiVersion: string, kind: string, spec: string, metadata = '') =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a, namespace: shop${metadata} }\nspec: { ${spec} }\n`;
  const change = async (old: string | undefined, next: string | undefined, others = config) => {
    const [before, after] = [old, next].map((one) => [others, ...(one === undefined ? [] : [one])].join('---\n')) as [string, string];
    const files = { 'old.yaml': before, 'new.yaml': after };
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --prune --require-planned', { files });
    const lines = stdout.split('\n');
    return [exitCode, lines[0]?.split(';')[1]?.trim(), lines.find((line) => line.startsWith('not planned'))];
  };
  const notPlanned = (counted: string) => [1, 'the number of affected pods is unknown', `not planned: ${counted}`];
  const PLANNED = [0, 'no pods are affected', undefined];

  const cluster = (env: string, spec = '') => object('fleet.cattle.io/v1alpha1', 'Cluster', spec, `, labels: { env: ${env} }`);
  const group = (env: string) => object('fleet.cattle.io/v1alpha1', 'ClusterGroup', `selector: { matchLabels: { env: ${env} } }`);
  const canary = (target: string, threshold = 1) =>
    object(
      'flagger.app/v1beta1',
      'Canary',
      `targetRef: { apiVersion: apps/v1, kind: Deployment, name: ${target} }, analysis: { threshold: ${threshold} }`,
    );
  const gateway = (port: number) => object('gateway.networking.k8s.io/v1', 'Gateway', `listeners: [{ port: ${port} }]`);
  const job = (image: string) => `template: { spec: { restartPolicy: Never, containers: [{ name: j, image: ${image} }] } }`;
  const scaledJob = (image: string) => object('keda.sh/v1alpha1', 'ScaledJob', `jobTargetRef: { ${job(image)} }`);
  const cache = (size: string) => object('serving.kserve.io/v1alpha1', 'LocalModelCache', `modelSize: ${size}`);

  test.each([
    ['Cluster (fleet.cattle.io)', cluster('a'), cluster('b')],
    ['ClusterGroup (fleet.cattle.io)', group('a'), group('b')],
    ['Canary (flagger.app)', canary('a'), canary('b')],
    ['Gateway (gateway.networking.k8s.io)', gateway(80), gateway(81)],
    ['ScaledJob (keda.sh)', scaledJob('a'), scaledJob('b')],
    ['LocalModelCache (serving.kserve.io)', cache('1Gi'), cache('2Gi')],
  ])('is not planned if it changes, is new or is deleted: %s', async (kind, old, next) => {
    const expected = notPlanned(`1 ${kind}`);
    expect(await change(old, next)).toEqual(expected);
    expect(await change(undefined, next)).toEqual(expected);
    expect(await change(old, undefined)).toEqual(expected);
  });

  test.each([
    ['GitRepo', 'repo: https://example.com/a, paths: [apps]'],
    ['BundleDeployment', 'deploymentID: a'],
  ])('is not planned if it is new, and counted once if it is deleted: %s', async (kind, spec) => {
    const fleet = object('fleet.cattle.io/v1alpha1', kind, spec);
    expect(await change(undefined, fleet)).toEqual(notPlanned(`1 ${kind} (fleet.cattle.io)`));
    expect(await change(fleet, undefined)).toEqual(notPlanned(`1 ${kind} (fleet.cattle.io)`));
  });

  test('is not planned if it is a deleted CronJob, whose Jobs may still run', async () => {
    const cronJob = (image: string, metadata = '') =>
      object('batch/v1', 'CronJob', `schedule: '* * * * *', jobTemplate: { spec: { ${job(image)} } }`, metadata);
    expect(await change(cronJob('a'), undefined)).toEqual(notPlanned('1 CronJob (batch)'));
    expect(await change(cronJob('a'), cronJob('b'))).toEqual(PLANNED);
    expect(await change(undefined, cronJob('a'))).toEqual(PLANNED);
  });

  test('is planned if its other fields change', async () => {
    expect(await change(canary('a'), canary('a', 2))).toEqual(PLANNED);
  });

  test('is planned if the pods are in view', async () => {
    const bundle = object('fleet.cattle.io/v1alpha1', 'Bundle', 'targets: [{ clusterSelector: { matchLabels: { env: c } } }]');
    expect((await change(cluster('a'), cluster('b'), bundle))[2]).toBeUndefined();
    expect((await change(cluster('a'), undefined, bundle))[2]).toBeUndefined();
  });
});

test('a GitRepo of Fleet is planned if its bundles in view show what rolls', async () => {
  const gitRepo = (fields: string) => `apiVersion: fleet.cattle.io/v1alpha1
kind: GitRepo
metadata: { name: a, namespace: fleet-local }
spec: { repo: https://example.com/a, paths: [apps], ${fields} }
`;
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: shop }\n';
  const sides = (['old', 'new'] as const).flatMap((side) => [
    [`${side}/repo.yaml`, gitRepo(side === 'old' ? 'targets: []' : 'targets: [{ clusterName: a }]')],
    [`${side}/apps/fleet.yaml`, 'namespace: shop\n'],
    [`${side}/apps/b.yaml`, config],
  ]);
  const { exitCode, stdout } = await rolloutkit('check --from old new --require-planned', { files: Object.fromEntries(sides) });
  expect([exitCode, ...stdout.split('\n').slice(0, 2)]).toMatchInlineSnapshot(`
[
  0,
  "2 of 3 objects differ: 2 roll; the number of affected pods is unknown; assumes Kubernetes 1.36 and Fleet 0.16",
  "1 rollout on Kubernetes 1.36 and Fleet 0.16: no findings",
]
`);
});

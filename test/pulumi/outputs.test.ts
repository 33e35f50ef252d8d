/** Pulumi Outputs are accepted wherever the plan does not read the value. */
import * as pulumi from '@pulumi/pulumi';
import {
  DeploymentPolicy,
  FleetBundle,
  InferenceServiceRollout,
  KServePlatformConfig,
  OperatorRollingUpdate,
  Rollout,
} from 'rolloutkit/pulumi';
import { run, valueOf } from './program';
import { model } from '../builders/served-model';

const later = pulumi.output;

test('namespace, labels, checksum annotations and mount paths of a workload, and the selector of its label', async () => {
  const app = later('web');
  let plan!: pulumi.Output<unknown>;
  const { resources } = await run(
    () => {
      const policy = new DeploymentPolicy('shop', {
        stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
        workloads: [
          {
            metadata: { name: 'web', namespace: later('shop'), labels: { team: later('a') } },
            spec: {
              replicas: 4,
              selector: { matchLabels: { app } },
              template: {
                metadata: { labels: { app }, annotations: { 'checksum/config': later('0af3') } },
                spec: {
                  containers: [{ name: 'web', image: 'web:2', volumeMounts: [{ name: 'config', mountPath: later('/etc/web') }] }],
                  volumes: [{ name: 'config', configMap: { name: later('web-1') } }],
                },
              },
            },
          },
        ],
      });
      plan = policy.plan;
    },
    { preview: false },
  );

  expect(resources[1]!.inputs).toMatchObject({
    metadata: { name: 'web', namespace: 'shop', labels: { team: 'a' } },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations: { 'checksum/config': '0af3' } },
        spec: {
          containers: [{ volumeMounts: [{ name: 'config', mountPath: '/etc/web' }] }],
          volumes: [{ name: 'config', configMap: { name: 'web-1' } }],
        },
      },
    },
  });
  expect(await valueOf(plan)).toMatchObject({ rollouts: [{ resource: { name: 'web', namespace: 'output<string>' } }] });
});

test.each<[what: string, selector: pulumi.Input<string>, label: pulumi.Input<string>]>([
  ['two Outputs', later('web'), pulumi.interpolate`web`],
  ['a text and an Output', 'web', later('web')],
  ['an Output and a text', later('web'), 'web'],
])('a label and its selector that are %s: the plan assumes that they match, and both are registered', async (_what, selector, label) => {
  let plan!: DeploymentPolicy['plan'];
  const { resources } = await run(
    () => {
      const containers = [{ name: 'web', image: 'web:2' }];
      const template = { metadata: { labels: { app: label, tier: 'front' } }, spec: { containers } };
      const spec = { replicas: 4, selector: { matchLabels: { app: selector, tier: 'front' } }, template };
      const stateless = { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 } as const;
      plan = new DeploymentPolicy('shop', { stateless, workloads: [{ metadata: { name: 'web' }, spec }] }).plan;
    },
    { preview: false },
  );

  expect(resources[1]!.inputs.spec).toMatchObject({
    selector: { matchLabels: { app: 'web', tier: 'front' } },
    template: { metadata: { labels: { app: 'web', tier: 'front' } } },
  });
  expect(await valueOf(plan)).toMatchObject({ rollouts: [{ simulation: { kind: 'deployment' } }], summary: { errors: 0 } });
});

test('a label that the selector requires and the template lacks is an error, whatever the Outputs are', async () => {
  const spec = {
    selector: { matchLabels: { app: later('web'), tier: 'front' } },
    template: { metadata: { labels: { app: later('web') } }, spec: { containers: [{ name: 'web', image: 'web:2' }] } },
  };
  const create = () =>
    new DeploymentPolicy('shop', { stateless: { update: 'Recreate' }, workloads: [{ metadata: { name: 'web' }, spec }] });

  await expect(run(create)).rejects.toThrow('"app=output<string>", do not match spec.selector, "app=output<string>,tier=front"');
});

test('the namespace of a service, and everything in the resources of a bundle', async () => {
  const { resources } = await run(
    () => {
      new InferenceServiceRollout('iris', {
        metadata: { namespace: later('models'), annotations: { 'checksum/config': later('0af3') } },
        predictor: { model, labels: { team: later('a') } },
      });
      new FleetBundle('shop', {
        metadata: { namespace: later('fleet-default') },
        targets: [{ clusterSelector: {} }],
        resources: [
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: later({ 'a.conf': 'b' }) },
          { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: later(3) } },
        ],
      });
    },
    { preview: false },
  );

  const [bundle, service] = ['Bundle', 'InferenceService'].map((kind) => resources.find(({ type }) => type.endsWith(`:${kind}`)));
  expect(service!.inputs.metadata).toMatchObject({ namespace: 'models', annotations: { 'checksum/config': '0af3' } });
  expect(bundle!.inputs).toMatchObject({
    metadata: { namespace: 'fleet-default' },
    spec: { resources: [{ content: expect.stringMatching(/a\.conf: b[^]*replicas: 3/) }] },
  });
});

test('fields of an operator’s resource that are not part of a strategy', async () => {
  const { resources } = await run(
    () => {
      new OperatorRollingUpdate('baw', {
        strategy: Rollout.recreate(),
        resource: { spec: { appVersion: later('25.0.1'), shared: { storage: later({ size: 3 }) } } },
      });
    },
    { preview: false },
  );

  const baw = resources.find(({ type }) => !type.startsWith('rolloutkit:'));
  expect(baw!.inputs.spec).toMatchObject({ appVersion: '25.0.1', shared: { storage: { size: 3 } } });
});

test('keys of the platform’s ConfigMap that KServe does not read', async () => {
  const { resources } = await run(
    () => {
      new KServePlatformConfig('platform', {
        emit: 'configmap',
        defaultRollout: { maxSurge: '25%' },
        base: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
          data: { deploy: '{"defaultDeploymentMode": "Standard"}', ingress: later('{"a": 1}') },
        },
      });
    },
    { preview: false },
  );

  const configMap = resources.find(({ type }) => !type.startsWith('rolloutkit:'));
  expect(configMap!.inputs.data).toMatchObject({ ingress: '{"a": 1}' });
});

test('errors have the prop, its type, and the reason', async () => {
  const refusal = (args: unknown) => run(() => Reflect.construct(InferenceServiceRollout, ['iris', args]));

  await expect(refusal({ predictor: { model, minReplicas: later(4) } })).rejects.toThrow(
    'predictor.minReplicas is a Pulumi Output, whose value is not known at preview, and the plan reads a whole number there',
  );
  await expect(
    refusal({ metadata: { annotations: { 'serving.kserve.io/deploymentMode': later('Standard') } }, predictor: { model } }),
  ).rejects.toThrow('metadata.annotations[serving.kserve.io/deploymentMode] is a Pulumi Output');
  await expect(refusal({ predictor: { model, tolerations: later([]) } })).rejects.toThrow(
    'predictor.tolerations is a Pulumi Output, whose value is not known at preview, and the plan reads a list there',
  );
  await expect(refusal({ platform: { defaultRollout: { maxSurge: later('25%') } }, predictor: { model } })).rejects.toThrow(
    'platform.defaultRollout.maxSurge is a Pulumi Output, whose value is not known at preview, and the plan reads a whole number or a percentage such as "25%" there',
  );
});

test('unread keys of a platform that is a ConfigMap', async () => {
  const { resources } = await run(() => {
    const data = { deploy: '{"defaultDeploymentMode": "Standard"}', ingress: later('{}') };
    const platform = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'inferenceservice-config' }, data };
    new InferenceServiceRollout('iris', { platform, predictor: { model } });
  });
  expect(resources).toHaveLength(2);
});

test('values for the Helm templates of a bundle', async () => {
  const { resources } = await run(
    () => {
      new FleetBundle('shop', {
        targets: [{ clusterSelector: {} }],
        helm: { chart: 'shop', values: { image: { tag: later('2') }, replicas: later(3) } },
      });
    },
    { preview: false },
  );
  const bundle = resources.find(({ type }) => !type.startsWith('rolloutkit:'));
  expect(bundle!.inputs.spec).toMatchObject({ helm: { values: { image: { tag: '2' }, replicas: 3 } } });
});

const quota = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'gpus', namespace },
  spec: { hard: { 'requests.nvidia.com/gpu': '4' } },
});

function serviceWithQuotas(namespace: pulumi.Input<string>, namespaces: readonly string[]) {
  const resources = { limits: { 'nvidia.com/gpu': 1 } };
  const rollout = Rollout.goal({ available: 4 });
  return () =>
    new InferenceServiceRollout('chat', {
      metadata: { namespace },
      predictor: { minReplicas: 4, maxReplicas: 4, model: { ...model, resources }, rollout },
      surroundings: namespaces.map(quota),
    });
}

test('a quota in the surroundings limits the pods of a component whose namespace is an Output as if it were plain', async () => {
  const refused = 'ResourceQuota "gpus" has 4 left';
  await expect(run(serviceWithQuotas('models', ['models']))).rejects.toThrow(refused);
  await expect(run(serviceWithQuotas(later('models'), ['models']))).rejects.toThrow(refused);
  await expect(run(serviceWithQuotas(later('models'), ['models', 'shop']))).rejects.toThrow(
    'surroundings are in several namespaces, and that of the component is not known at preview, so it is unknown which of them limit its pods: ' +
      'write the plain value of metadata.namespace, or pass the surroundings of one namespace',
  );
});

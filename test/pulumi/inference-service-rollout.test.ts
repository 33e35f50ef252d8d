import * as pulumi from '@pulumi/pulumi';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit/pulumi';
import type { InferenceServiceRolloutArgs } from 'rolloutkit/pulumi';
import { withoutPlaces } from '../constructs/synth-error';
import { headsOf } from '../facts';
import { run, valueOf } from './program';

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' };

/** Returns the error of a run, without the line of this file, which any edit moves. */
function messageOf(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => 'nothing: the preview went through',
    (error: unknown) => withoutPlaces((error as Error).message),
  );
}

describe('an InferenceServiceRollout', () => {
  test('registers the InferenceService with the resolved strategy, below the component', async () => {
    const { resources } = await run(
      () =>
        new InferenceServiceRollout('iris', {
          metadata: { namespace: 'models' },
          predictor: { minReplicas: 4, model, rollout: Rollout.availability('25%') },
        }),
    );

    expect(resources).toMatchInlineSnapshot(`
[
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {},
    "name": "iris",
    "type": "rolloutkit:kserve:InferenceServiceRollout",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kserve:InferenceServiceRollout::iris",
  },
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {
      "apiVersion": "serving.kserve.io/v1beta1",
      "kind": "InferenceService",
      "metadata": {
        "annotations": {
          "serving.kserve.io/deploymentMode": "Standard",
        },
        "name": "iris",
        "namespace": "models",
      },
      "spec": {
        "predictor": {
          "deploymentStrategy": {
            "rollingUpdate": {
              "maxSurge": "25%",
              "maxUnavailable": 0,
            },
            "type": "RollingUpdate",
          },
          "minReplicas": 4,
          "model": {
            "modelFormat": {
              "name": "sklearn",
            },
            "storageUri": "s3://my-bucket/model",
          },
        },
      },
    },
    "name": "iris",
    "type": "kubernetes:serving.kserve.io/v1beta1:InferenceService",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kserve:InferenceServiceRollout$kubernetes:serving.kserve.io/v1beta1:InferenceService::iris",
  },
]
`);
  });

  test('has the plan as an output: summary, provenance and findings', async () => {
    let iris!: InferenceServiceRollout;
    await run(() => {
      iris = new InferenceServiceRollout('iris', {
        platform: { defaultRollout: { maxSurge: '50%' } },
        predictor: { minReplicas: 4, model },
      });
    });

    const plan = await valueOf(iris.plan);
    expect(plan.summary).toEqual({ rollouts: 1, notPlanned: 0, errors: 0, warnings: 0, infos: 0, suppressed: 0 });
    expect(plan.rollouts[0]).toMatchObject({
      resource: { kind: 'InferenceService', name: 'iris', component: 'predictor' },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: '25%' } },
      simulation: { replicas: 4, surge: 2, unavailable: 1, peakPods: 6, minAvailable: 3 },
    });
    expect(plan.rollouts[0]!.provenance).toContainEqual({
      field: 'maxSurge',
      value: '50%',
      layer: 'platform-config',
      reason: expect.any(String),
      overridden: [{ layer: 'kserve-default', value: '25%', reason: 'the ConfigMap has rollout defaults, which take precedence' }],
    });
    expect(iris.predictor.strategy).toEqual(plan.rollouts[0]!.strategy);
  });

  test('accepts the platform level as the component that writes it, and as the ConfigMap of the cluster', async () => {
    const strategies: unknown[] = [];
    await run(() => {
      const platform = new KServePlatformConfig('platform', { defaultRollout: { mode: 'ResourceAware', maxUnavailable: '10%' } });
      const configMap = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
        data: {
          deploy:
            '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "0%", "maxUnavailable": "10%"}}}',
        },
      };
      strategies.push(new InferenceServiceRollout('a', { platform, predictor: { model } }).predictor.strategy);
      strategies.push(new InferenceServiceRollout('b', { platform: configMap, predictor: { model } }).predictor.strategy);
    });

    const resourceAware = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '0%', maxUnavailable: '10%' } };
    expect(strategies).toEqual([resourceAware, resourceAware]);
  });
});

describe('leaf strings', () => {
  const bucket = pulumi.output('my-bucket');

  test('may be Outputs and promises, and the provider gets their values', async () => {
    const { resources } = await run(
      () =>
        new InferenceServiceRollout('iris', {
          predictor: {
            minReplicas: 2,
            model: {
              modelFormat: { name: 'sklearn' },
              storageUri: pulumi.interpolate`s3://${bucket}/model`,
              env: [{ name: 'BUCKET', value: bucket }],
            },
          },
          transformer: {
            containers: [
              { name: 'kserve-container', image: Promise.resolve('my-transformer:2'), args: ['--url', pulumi.output('http://x')] },
            ],
          },
        }),
      { preview: false },
    );

    expect(resources[1]!.inputs.spec).toMatchObject({
      predictor: { model: { storageUri: 's3://my-bucket/model', env: [{ name: 'BUCKET', value: 'my-bucket' }] } },
      transformer: { containers: [{ image: 'my-transformer:2', args: ['--url', 'http://x'] }] },
    });
  });

  test('that are secret make the stored state of the object secret', async () => {
    const env = [{ name: 'TOKEN', value: pulumi.secret('sesame') }];
    const { resources } = await run(() => new InferenceServiceRollout('iris', { predictor: { model: { ...model, env } } }), {
      preview: false,
    });

    // Pulumi wraps a property with a secret, with a signature as its key.
    expect(resources[1]!.inputs.spec).toMatchObject({ value: { predictor: { model: { env: [{ name: 'TOKEN', value: 'sesame' }] } } } });
    expect(Object.keys(resources[1]!.inputs.spec as object)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), 'value']);
  });

  test('do not affect the plan at preview, when they are unknown', async () => {
    const unknown = new Promise<string>(() => {});
    let iris!: InferenceServiceRollout;
    await Promise.race([
      run(() => {
        iris = new InferenceServiceRollout('iris', {
          predictor: { minReplicas: 4, model: { ...model, storageUri: pulumi.output(unknown) } },
        });
      }),
      new Promise((resolve) => void setTimeout(resolve, 50)),
    ]);

    const plan = await valueOf(iris.plan);
    expect(plan.rollouts[0]!.simulation).toMatchObject({ replicas: 4, surge: 1, unavailable: 1 });
  });
});

describe('an Output in a structural prop is refused, with the prop', () => {
  const later = (value: unknown) => pulumi.output(value);
  test.each([
    ['replicas', { predictor: { model, minReplicas: later(4) } }, 'predictor.minReplicas is a Pulumi Output'],
    ['a strategy', { predictor: { model, rollout: later({ type: 'Recreate' }) } }, 'predictor.rollout is a Pulumi Output'],
    [
      'a limit',
      { predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: later(1) } } },
      'predictor.rollout.maxSurge is a Pulumi Output',
    ],
    ['a name', { metadata: { name: later('iris') }, predictor: { model } }, 'metadata.name is a Pulumi Output'],
    ['a list of containers', { predictor: { containers: later([]) } }, 'predictor.containers is a Pulumi Output'],
    [
      'the name of a variable',
      { predictor: { model: { ...model, env: [{ name: later('A'), value: 'b' }] } } },
      'predictor.model.env[0].name is a Pulumi Output',
    ],
    ['a promise', { predictor: { model, minReplicas: Promise.resolve(4) } }, 'predictor.minReplicas is a promise'],
    [
      'an annotation that the plan reads',
      { metadata: { annotations: { 'serving.kserve.io/deploymentMode': later('x') } }, predictor: { model } },
      'metadata.annotations[serving.kserve.io/deploymentMode] is a Pulumi Output',
    ],
  ])('%s', async (_, args, message) => {
    await expect(run(() => new InferenceServiceRollout('iris', args as unknown as InferenceServiceRolloutArgs))).rejects.toThrow(message);
  });

  test.each([
    ['a number', { minReplicas: later(4) }, "config.requireNumber('…')"],
    ['a map', { rollout: later(Rollout.availability('25%')) }, "config.requireObject('…')"],
    ['a list', { containers: later([]) }, "config.requireObject('…')"],
  ])('says how %s is read from the config', async (_, props, how) => {
    const args = { predictor: { model, ...props } } as unknown as InferenceServiceRolloutArgs;
    await expect(run(() => new InferenceServiceRollout('iris', args))).rejects.toThrow(how);
  });

  test('says what to write instead', async () => {
    const args = { predictor: { model, minReplicas: later(4) } } as unknown as InferenceServiceRolloutArgs;
    expect(await messageOf(run(() => new InferenceServiceRollout('iris', args)))).toMatchInlineSnapshot(`
"InferenceServiceRollout "iris" is refused:
  predictor.minReplicas is a Pulumi Output, whose value is not known at preview, and the plan reads a whole number there: write the plain value, from the program or from pulumi.Config (config.requireNumber('…'))."
`);
  });
});

describe('findings', () => {
  test('that are errors fail the preview, all at once and before the object is registered', async () => {
    let resources: unknown;
    const refused = run(() => {
      new InferenceServiceRollout('iris', {
        predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: '1' as '1%', maxUnavailable: 0 } },
        transformer: { containers: [{ name: 'c', image: 'i' }], rollout: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } },
      });
    }).then((done) => (resources = done.resources));

    expect(headsOf(await messageOf(refused))).toMatchInlineSnapshot(`
[
  "InferenceServiceRollout "iris" is refused:",
  "[kubernetes/quoted-integer] predictor.rollout.maxSurge:",
  "[kubernetes/invalid-strategy] transformer.rollout.maxUnavailable:",
]
`);
    await expect(refused).rejects.toBeInstanceOf(pulumi.RunError);
    expect(resources).toBeUndefined();
  });

  test('that are not errors are logged to the component', async () => {
    const { logged } = await run(
      () =>
        new InferenceServiceRollout('llm', {
          predictor: { minReplicas: 1, model, deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } } },
        }),
    );

    expect(logged.flatMap(headsOf)).toMatchInlineSnapshot(`
[
  "info llm: [kserve/no-platform-config] data[deploy]:",
  "info llm: [kubernetes/fencepost] spec.predictor.deploymentStrategy.rollingUpdate.maxUnavailable:",
  "warn llm: [kubernetes/outage] spec.predictor.deploymentStrategy.rollingUpdate.maxUnavailable:",
]
`);
  });

  test('about a platform level that KServe refuses also fail the preview of the services', async () => {
    const args: InferenceServiceRolloutArgs = { platform: { defaultRollout: { maxSurge: 'many' as '1%' } }, predictor: { model } };
    expect(headsOf(await messageOf(run(() => new InferenceServiceRollout('iris', args))))).toMatchInlineSnapshot(`
[
  "InferenceServiceRollout "iris" is refused:",
  "platform: [kubernetes/invalid-strategy] defaultRollout.maxSurge:",
]
`);
  });

  test('about props that are not maps say so', async () => {
    const args = { predictor: 'iris' } as unknown as InferenceServiceRolloutArgs;
    await expect(run(() => new InferenceServiceRollout('iris', args))).rejects.toThrow('predictor is "iris"; write a map');
  });

  test('log and plan say what mode Standard changes on a platform with mode Knative', async () => {
    let iris!: InferenceServiceRollout;
    const { logged } = await run(() => {
      iris = new InferenceServiceRollout('iris', {
        platform: { defaultDeploymentMode: 'Knative' },
        predictor: { model, minReplicas: 4, rollout: Rollout.availability('25%') },
      });
    });

    const plan = await valueOf(iris.plan);
    expect(plan.rollouts[0]!.findings).toMatchObject([{ code: 'kserve/config-not-standard', messageId: 'leavesMode' }]);
    expect(plan.summary).toMatchObject({ infos: 1 });
    expect(headsOf(logged.join('\n'))).toEqual([
      'info iris: [kserve/config-not-standard] metadata.annotations[serving.kserve.io/deploymentMode]:',
    ]);
  });
});

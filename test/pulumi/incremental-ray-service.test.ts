import * as pulumi from '@pulumi/pulumi';
import { IncrementalRayService, safeMaxSurgePercent } from 'rolloutkit/pulumi';
import type { IncrementalRayServiceArgs, OperatorRayServiceArgs } from 'rolloutkit/pulumi';
import { renderChangePreview } from '../../src/pulumi/change-preview';
import { run, valueOf } from './program';

const serveConfig = { applications: [{ name: 'fruit', import_path: 'fruit:app', route_prefix: '/' }] };

function cluster(image: pulumi.Input<string>): OperatorRayServiceArgs['rayCluster'] {
  const pod = { spec: { containers: [{ name: 'ray', image, resources: { limits: { 'nvidia.com/gpu': 1 } } }] } };
  return {
    headGroupSpec: { template: pod },
    workerGroupSpecs: [{ groupName: 'gpu', replicas: 5, minReplicas: 0, maxReplicas: 5, template: pod }],
  };
}

const upgrade = {
  gatewayClassName: 'istio',
  maxSurgePercent: safeMaxSurgePercent({ gpusPerPod: 1, totalGpus: 5 }),
  stepSizePercent: 10,
  intervalSeconds: 60,
};
const gatewayClass = { controllerName: 'istio.io/gateway-controller' };

describe('an upgrade that the operator drives', () => {
  test('registers the RayService, and the GatewayClass before it; the operator owns the Gateway and the HTTPRoute', async () => {
    const image = pulumi.output('rayproject/ray:2.46.0');
    const { resources } = await run(
      () => new IncrementalRayService('llm', { upgrade, gatewayClass, serveConfig, rayCluster: cluster(image) }),
      { preview: false },
    );

    expect(resources.map(({ urn, dependsOn }) => ({ urn, dependsOn }))).toMatchInlineSnapshot(`
[
  {
    "dependsOn": [],
    "urn": "urn:pulumi:dev::shop::rolloutkit:kuberay:IncrementalRayService::llm",
  },
  {
    "dependsOn": [],
    "urn": "urn:pulumi:dev::shop::rolloutkit:kuberay:IncrementalRayService$kubernetes:gateway.networking.k8s.io/v1:GatewayClass::llm-gatewayclass-istio",
  },
  {
    "dependsOn": [
      "llm-gatewayclass-istio",
    ],
    "urn": "urn:pulumi:dev::shop::rolloutkit:kuberay:IncrementalRayService$kubernetes:ray.io/v1:RayService::llm",
  },
]
`);
    expect(resources[2]!.inputs).toMatchObject({
      kind: 'RayService',
      spec: {
        upgradeStrategy: { type: 'NewClusterWithIncrementalUpgrade', clusterUpgradeOptions: upgrade },
        rayClusterConfig: {
          enableInTreeAutoscaling: true,
          headGroupSpec: { template: { spec: { containers: [{ image: 'rayproject/ray:2.46.0' }] } } },
        },
      },
    });
  });

  test('has the steps of the upgrade as outputs, with the peak in capacity', async () => {
    let llm!: IncrementalRayService;
    await run(() => {
      llm = new IncrementalRayService('llm', { upgrade, serveConfig, rayCluster: cluster('ray:1') });
    });

    expect(await valueOf(llm.simulation)).toMatchObject({ outcome: 'promoted', trafficShifts: 10, peakCapacityPercent: 120 });
    expect((await valueOf(llm.plan)).rollouts[0]!.simulation).toEqual(await valueOf(llm.simulation));
    expect(llm.stageCount).toBe(0);
  });

  test('that would stall forever fails the preview', async () => {
    const args = { upgrade: { ...upgrade, maxSurgePercent: 0, stepSizePercent: 0 }, serveConfig, rayCluster: cluster('ray:1') };
    await expect(run(() => new IncrementalRayService('llm', args))).rejects.toThrow('upgrade.maxSurgePercent: ');
  });

  test('accepts no Output in its Serve config, which is one string', async () => {
    const args = {
      upgrade,
      rayCluster: cluster('ray:1'),
      serveConfig: { applications: [{ name: 'a', import_path: 'a:b', runtime_env: { container: { image: pulumi.output('x') } } }] },
    };
    await expect(run(() => new IncrementalRayService('llm', args as unknown as IncrementalRayServiceArgs))).rejects.toThrow(
      'serveConfig.applications[0].runtime_env.container.image is a Pulumi Output',
    );
  });
});

describe('an upgrade by Git, with one stage in the stack', () => {
  const staged = (stage?: number): IncrementalRayServiceArgs => ({
    ownership: 'gitops',
    upgrade,
    gatewayClass,
    current: { name: 'llm-v1', serveConfig, rayCluster: cluster('ray:1') },
    next: { name: 'llm-v2', serveConfig, rayCluster: cluster('ray:2') },
    stage,
  });
  const weights = (resources: readonly { readonly inputs: Readonly<Record<string, unknown>> }[]) =>
    resources.flatMap(({ inputs }) => {
      const spec = inputs.spec as { rules?: { backendRefs: { name: string; weight: number }[] }[] } | undefined;
      return spec?.rules?.[0]!.backendRefs.map(({ name, weight }) => `${name} ${weight}`) ?? [];
    });

  test('a GatewayClass precedes its users, and the HTTPRoute comes after the services that it sends traffic to', async () => {
    const { resources } = await run(() => new IncrementalRayService('llm', staged()));

    expect(resources.map(({ type, name, dependsOn }) => ({ type, name, dependsOn }))).toMatchInlineSnapshot(`
[
  {
    "dependsOn": [],
    "name": "llm",
    "type": "rolloutkit:kuberay:IncrementalRayService",
  },
  {
    "dependsOn": [],
    "name": "llm-gatewayclass-istio",
    "type": "kubernetes:gateway.networking.k8s.io/v1:GatewayClass",
  },
  {
    "dependsOn": [
      "llm-gatewayclass-istio",
    ],
    "name": "llm-gateway-llm",
    "type": "kubernetes:gateway.networking.k8s.io/v1:Gateway",
  },
  {
    "dependsOn": [
      "llm-gatewayclass-istio",
    ],
    "name": "llm-rayservice-llm-v1",
    "type": "kubernetes:ray.io/v1:RayService",
  },
  {
    "dependsOn": [
      "llm-gatewayclass-istio",
    ],
    "name": "llm-rayservice-llm-v2",
    "type": "kubernetes:ray.io/v1:RayService",
  },
  {
    "dependsOn": [
      "llm-gateway-llm",
      "llm-rayservice-llm-v1",
      "llm-rayservice-llm-v2",
    ],
    "name": "llm-httproute-llm",
    "type": "kubernetes:gateway.networking.k8s.io/v1:HTTPRoute",
  },
]
`);
  });

  test('Pulumi does not wait for kinds without a Ready condition', async () => {
    const { resources } = await run(() => new IncrementalRayService('llm', staged()));
    const skipped = resources
      .filter(({ inputs }) => JSON.stringify(inputs).includes('"pulumi.com/skipAwait":"true"'))
      .map(({ inputs }) => inputs.kind);

    expect(skipped).toEqual(['GatewayClass', 'Gateway', 'HTTPRoute']);
  });

  test('another stage has the same resources with other weights; the last one only has the next service', async () => {
    const urnsAt = async (stage: number) =>
      (await run(() => new IncrementalRayService('llm', staged(stage)))).resources.map(({ urn }) => urn);
    let llm!: IncrementalRayService;
    const middle = await run(() => {
      llm = new IncrementalRayService('llm', staged(3));
    });
    const first = await urnsAt(0);
    const last = await run(() => new IncrementalRayService('llm', staged(llm.stageCount - 1)));

    expect(weights(middle.resources)).toEqual(['llm-v1-serve-svc 80', 'llm-v2-serve-svc 20']);
    expect(middle.resources.map(({ urn }) => urn)).toEqual(first);
    expect(weights(last.resources)).toEqual(['llm-v2-serve-svc 100']);
    expect(first.filter((urn) => !last.resources.some((resource) => resource.urn === urn))).toEqual([
      expect.stringMatching(/llm-rayservice-llm-v1$/),
    ]);
  });

  test('a stage that the upgrade does not have fails the preview', async () => {
    await expect(run(() => new IncrementalRayService('llm', staged(99)))).rejects.toThrow(
      '[kuberay/out-of-range] stage: stage is 99, but this upgrade has the stages 0 to',
    );
  });
});

describe('an update that skips stages', () => {
  const service = (image: string) => ({ serveConfig, rayCluster: cluster(image) });

  /** Returns the route of a stage, which also remembers the stages as a program does. */
  async function routeOf(stage: number): Promise<Record<string, unknown>> {
    const args = { ownership: 'gitops', upgrade, current: service('ray:1'), next: service('ray:2'), stage } as const;
    const { resources } = await run(() => new IncrementalRayService('llm', args));
    return resources.find(({ inputs }) => inputs.kind === 'HTTPRoute')!.inputs;
  }

  test('is named at preview, in both directions, with the stage to set instead', async () => {
    const last = await routeOf(20);
    const first = await routeOf(0);
    expect((await renderChangePreview({ oldOutputs: last, newInputs: first })).split('\n').at(-1)).toBe(
      '  ! from stage 20 to 0 at once: traffic moves to capacity that is only requested, while the pods that serve it now are deleted; set stage: 19 ' +
        'instead, and continue once its pods are ready',
    );
    expect(await renderChangePreview({ oldOutputs: first, newInputs: await routeOf(20) })).toContain('to 20 at once');
  });

  test('is not named for the next or the previous stage, or for another route', async () => {
    const [third, fourth] = [await routeOf(3), await routeOf(4)];
    const other = { ...third, spec: { rules: [{ backendRefs: [{ name: 'web', weight: 100 }] }] } };
    for (const old of [third, fourth, other])
      expect(await renderChangePreview({ oldOutputs: old, newInputs: fourth })).not.toContain('at once');
  });
});

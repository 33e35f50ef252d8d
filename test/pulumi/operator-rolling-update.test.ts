import * as pulumi from '@pulumi/pulumi';
import { MountPathError, OperatorRollingUpdate } from 'rolloutkit/pulumi';
import { run, valueOf } from './program';

const strategy = { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' } as const;

describe('an OperatorRollingUpdate', () => {
  test('registers the resource with its strategy in snake_case; Pulumi does not wait for it', async () => {
    let baw!: OperatorRollingUpdate;
    const image = pulumi.output('registry/baw:25');
    const resource = { metadata: { name: 'workflow' }, spec: { image } };
    const { resources } = await run(
      () => {
        baw = new OperatorRollingUpdate('baw', { replicas: 5, strategy, resource });
      },
      { preview: false },
    );

    expect(resources[1]).toMatchInlineSnapshot(`
{
  "dependsOn": [],
  "ignoreChanges": [],
  "inputs": {
    "apiVersion": "icp4a.ibm.com/v1",
    "kind": "ICP4ACluster",
    "metadata": {
      "annotations": {
        "pulumi.com/skipAwait": "true",
        "rolloutkit/numbers": "quoted",
      },
      "name": "workflow",
    },
    "spec": {
      "image": "registry/baw:25",
      "replicas": 5,
      "strategy": {
        "rolling_update": {
          "max_surge": "1",
          "max_unavailable": "25%",
        },
        "type": "RollingUpdate",
      },
    },
  },
  "name": "baw",
  "type": "kubernetes:icp4a.ibm.com/v1:ICP4ACluster",
  "urn": "urn:pulumi:dev::shop::rolloutkit:baw:OperatorRollingUpdate$kubernetes:icp4a.ibm.com/v1:ICP4ACluster::baw",
}
`);
    expect((await valueOf(baw.plan)).rollouts[0]).toMatchObject({
      system: 'baw',
      simulation: { replicas: 5, peakPods: 6, minAvailable: 4 },
    });
  });

  test('is awaited if its annotations say so', async () => {
    const resource = { metadata: { annotations: { 'pulumi.com/skipAwait': 'false' } } };
    const { resources } = await run(() => new OperatorRollingUpdate('baw', { strategy, resource }));

    expect(resources[1]!.inputs.metadata).toEqual({
      name: 'baw',
      annotations: { 'pulumi.com/skipAwait': 'false', 'rolloutkit/numbers': 'quoted' },
    });
  });

  test('that the API server would refuse fails the preview', async () => {
    const refused = run(() => new OperatorRollingUpdate('baw', { strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } }));
    await expect(refused).rejects.toBeInstanceOf(pulumi.RunError);
  });

  test('is planned and validated at its mount path, with any field name', async () => {
    let shop!: OperatorRollingUpdate;
    const resource = { apiVersion: 'shop/v1', kind: 'Shop' };
    await run(() => {
      shop = new OperatorRollingUpdate('shop', { replicas: 4, strategy, resource, mountPath: 'spec.a.b.rollout' });
    });
    expect((await valueOf(shop.plan)).rollouts).toMatchObject([
      { resource: { kind: 'Shop', component: 'a.b' }, simulation: { replicas: 4 } },
    ]);

    const refused = run(() => new OperatorRollingUpdate('shop', { replicas: -1, strategy, resource, mountPath: 'spec.a.b.rollout' }));
    await expect(refused).rejects.toThrow('[kubernetes/invalid-strategy] replicas: replicas is -1');
  });

  test.each(['spec', 'metadata.strategy', '/spec/strategy'])(
    'with a mount path that is not a field below spec is refused: %s',
    async (mountPath) => {
      await expect(run(() => new OperatorRollingUpdate('baw', { strategy, mountPath }))).rejects.toBeInstanceOf(MountPathError);
    },
  );

  test('with a missing mount path is refused', async () => {
    await expect(run(() => new OperatorRollingUpdate('baw', { strategy, mountPath: 'spec.items[0].strategy' }))).rejects.toBeInstanceOf(
      MountPathError,
    );
  });
});

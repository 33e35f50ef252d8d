import * as pulumi from '@pulumi/pulumi';
import { FleetBundle, FleetIntentError, Inventory, partitionsByLabel } from 'rolloutkit/pulumi';
import type { FleetBundleArgs } from 'rolloutkit/pulumi';
import { run, valueOf } from './program';

const inventory = Inventory.of({
  clusters: ['a', 'b', 'c', 'd'].map((name, index) => ({
    name,
    namespace: 'fleet-default',
    labels: { env: index === 0 ? 'staging' : 'prod' },
  })),
});
const rollout = { maxUnavailable: '50%', maxUnavailablePartitions: 0, partitions: partitionsByLabel('env', ['staging', 'prod']) } as const;
const metadata = { namespace: 'fleet-default' };
const targets = [{ clusterSelector: {} }];

describe('a FleetBundle', () => {
  test('registers the Bundle with partitions and its resources, whose images may be Outputs', async () => {
    let shop!: FleetBundle;
    const image = pulumi.output('web:2');
    const web = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { template: { spec: { containers: [{ name: 'web', image }] } } },
    };
    const { resources } = await run(
      () => {
        shop = new FleetBundle('shop', { metadata, targets, rollout, inventory, resources: [web] });
      },
      { preview: false },
    );

    expect(resources[1]).toMatchInlineSnapshot(`
{
  "dependsOn": [],
  "ignoreChanges": [],
  "inputs": {
    "apiVersion": "fleet.cattle.io/v1alpha1",
    "kind": "Bundle",
    "metadata": {
      "name": "shop",
      "namespace": "fleet-default",
    },
    "spec": {
      "resources": [
        {
          "content": "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
        - name: web
          image: web:2
",
          "name": "manifests.yaml",
        },
      ],
      "rolloutStrategy": {
        "maxUnavailable": "50%",
        "maxUnavailablePartitions": 0,
        "partitions": [
          {
            "clusterSelector": {
              "matchLabels": {
                "env": "staging",
              },
            },
            "name": "staging",
          },
          {
            "clusterSelector": {
              "matchLabels": {
                "env": "prod",
              },
            },
            "name": "prod",
          },
          {
            "clusterSelector": {
              "matchExpressions": [
                {
                  "key": "env",
                  "operator": "NotIn",
                  "values": [
                    "staging",
                    "prod",
                  ],
                },
              ],
            },
            "name": "rest",
          },
        ],
      },
      "targets": [
        {
          "clusterSelector": {},
        },
      ],
    },
  },
  "name": "shop",
  "type": "kubernetes:fleet.cattle.io/v1alpha1:Bundle",
  "urn": "urn:pulumi:dev::shop::rolloutkit:fleet:FleetBundle$kubernetes:fleet.cattle.io/v1alpha1:Bundle::shop",
}
`);
    expect((await valueOf(shop.plan)).rollouts[0]!.simulation).toMatchObject({
      kind: 'fleet',
      partitions: [{ count: 1 }, { count: 3 }, { count: 0 }],
    });
  });

  test('registers the ClusterGroups of its partitions before the Bundle', async () => {
    const group = { name: 'canaries', selector: { matchLabels: { canary: 'true' } } };
    const { resources } = await run(
      () => new FleetBundle('shop', { metadata, targets, rollout: { partitions: [{ name: 'canaries', group }] } }),
    );

    expect(resources.map(({ name, type, dependsOn }) => ({ name, type, dependsOn }))).toEqual([
      { name: 'shop', type: 'rolloutkit:fleet:FleetBundle', dependsOn: [] },
      { name: 'shop-clustergroup-canaries', type: 'kubernetes:fleet.cattle.io/v1alpha1:ClusterGroup', dependsOn: [] },
      { name: 'shop', type: 'kubernetes:fleet.cattle.io/v1alpha1:Bundle', dependsOn: ['shop-clustergroup-canaries'] },
    ]);
    expect(resources[1]!.inputs.metadata).toEqual({
      name: 'canaries',
      namespace: 'fleet-default',
      annotations: { 'pulumi.com/skipAwait': 'true' },
    });
  });

  test('is a GitRepo with a fleet.yaml to commit, if Git deploys', async () => {
    let shop!: FleetBundle;
    const gitRepo = { repo: 'https://git.example/shop', paths: ['shop'] };
    const { resources } = await run(() => {
      shop = new FleetBundle('shop', { output: 'fleet.yaml', metadata, targets, rollout, gitRepo });
    });

    expect(resources[1]).toMatchObject({ type: 'kubernetes:fleet.cattle.io/v1alpha1:GitRepo', inputs: { spec: { ...gitRepo, targets } } });
    expect(shop.fleetYaml).toMatchObject({ name: 'shop', rolloutStrategy: { maxUnavailable: '50%', maxUnavailablePartitions: 0 } });
  });

  test('that Fleet would refuse, or that no strategy can express, fails the preview', async () => {
    const zero: FleetBundleArgs = { metadata, targets, rollout: { maxUnavailable: 0 } };
    await expect(run(() => new FleetBundle('shop', zero))).rejects.toThrow('[fleet/zero-max-unavailable]');
    await expect(run(() => new FleetBundle('shop', { metadata, targets, rollout: { fullReadiness: true } }))).rejects.toBeInstanceOf(
      FleetIntentError,
    );
    await expect(run(() => new FleetBundle('shop', { metadata } as FleetBundleArgs))).rejects.toThrow('targets is missing');
  });

  test('takes an Output as namespace, if the clusters of the inventory are all in one', async () => {
    let shop!: FleetBundle;
    const inNamespaces = (...namespaces: string[]) =>
      Inventory.of({ clusters: namespaces.map((namespace, index) => ({ name: `c${index}`, namespace, labels: { env: 'prod' } })) });
    const args = (clusters: Inventory): FleetBundleArgs => ({
      metadata: { namespace: pulumi.output('fleet-default') },
      targets,
      rollout,
      inventory: clusters,
    });
    const { resources } = await run(() => {
      shop = new FleetBundle('shop', args(inNamespaces('fleet-default', 'fleet-default')));
    });

    expect(resources[1]!.inputs.metadata).toEqual({ name: 'shop', namespace: 'fleet-default' });
    expect((await valueOf(shop.plan)).rollouts[0]!.simulation).toMatchObject({ partitions: [{ count: 0 }, { count: 2 }, { count: 0 }] });
    await expect(run(() => new FleetBundle('shop', args(inNamespaces('a', 'b'))))).rejects.toThrow(
      'the clusters of the inventory are not all in one',
    );
  });

  test('accepts no Output as a limit', async () => {
    const args = { metadata, targets, rollout: { maxUnavailable: pulumi.output(1) } } as unknown as FleetBundleArgs;
    await expect(run(() => new FleetBundle('shop', args))).rejects.toThrow('rollout.maxUnavailable is a Pulumi Output');
  });
});

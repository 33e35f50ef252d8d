import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { DaemonSetPolicy } from 'rolloutkit/pulumi';
import type { DaemonSetPolicyArgs } from 'rolloutkit/pulumi';
import { planManifests } from '../../src/headless';
import type { Manifest } from '../../src/core/manifest/manifest';
import { run, valueOf } from './program';

const spec = (image: pulumi.Input<string>) => ({
  selector: { matchLabels: { app: 'agent' } },
  template: {
    metadata: { labels: { app: 'agent' } },
    spec: { containers: [{ name: 'agent', image, readinessProbe: { httpGet: { path: '/', port: 80 } } }] },
  },
});
const nodes = ['a', 'b', 'c'].map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } }));

describe('a DaemonSetPolicy', () => {
  test('creates DaemonSets of the typed class, with the update strategy of the policy', async () => {
    const workloads = [{ metadata: { name: 'agent' }, spec: spec(pulumi.output('agent:2')) }];
    const { resources } = await run(() => new DaemonSetPolicy('agents', { policy: { maxSurge: 1 }, workloads }), { preview: false });

    expect(resources).toMatchInlineSnapshot(`
[
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {},
    "name": "agents",
    "type": "rolloutkit:kubernetes:DaemonSetPolicy",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kubernetes:DaemonSetPolicy::agents",
  },
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {
      "apiVersion": "apps/v1",
      "kind": "DaemonSet",
      "metadata": {
        "name": "agent",
      },
      "spec": {
        "selector": {
          "matchLabels": {
            "app": "agent",
          },
        },
        "template": {
          "metadata": {
            "labels": {
              "app": "agent",
            },
          },
          "spec": {
            "containers": [
              {
                "image": "agent:2",
                "name": "agent",
                "readinessProbe": {
                  "httpGet": {
                    "path": "/",
                    "port": 80,
                  },
                },
              },
            ],
          },
        },
        "updateStrategy": {
          "rollingUpdate": {
            "maxSurge": 1,
            "maxUnavailable": 0,
          },
          "type": "RollingUpdate",
        },
      },
    },
    "name": "agents-agent",
    "type": "kubernetes:apps/v1:DaemonSet",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kubernetes:DaemonSetPolicy$kubernetes:apps/v1:DaemonSet::agents-agent",
  },
]
`);
  });

  test('keeps the revision history of the DaemonSet unless it is set', async () => {
    const workloads = [{ metadata: { name: 'agent' }, spec: { ...spec('agent:2'), revisionHistoryLimit: 3 } }];
    const kept = await run(() => new DaemonSetPolicy('agents', { policy: { maxUnavailable: 1 }, workloads }));
    const given = await run(() => new DaemonSetPolicy('agents', { policy: { maxUnavailable: 1, revisionHistory: 5 }, workloads }));

    expect([kept, given].map(({ resources }) => resources[1]!.inputs)).toMatchObject([
      { spec: { revisionHistoryLimit: 3 } },
      { spec: { revisionHistoryLimit: 5 } },
    ]);
  });

  test('plans on the nodes in its surroundings, like a plan of the registered objects', async () => {
    let policy!: DaemonSetPolicy;
    const workloads = [{ metadata: { name: 'agent' }, spec: spec('agent:2') }];
    const { resources, logged } = await run(() => {
      policy = new DaemonSetPolicy('agents', { policy: { maxUnavailable: '34%' }, workloads, surroundings: nodes });
    });
    const plan = await valueOf(policy.plan);

    expect(resources.map(({ name }) => name)).toEqual(['agents', 'agents-agent']);
    expect(plan.rollouts[0]!.simulation).toMatchObject({ kind: 'daemonset', nodes: 3, unavailable: 2, minAvailable: 1 });
    expect(plan).toEqual(planManifests([resources[1]!.inputs as unknown as Manifest, ...nodes]));
    expect(logged).toEqual([]);
  });

  test('logs that waves are unknown without nodes', async () => {
    const workloads = [{ metadata: { name: 'agent' }, spec: spec('agent:2') }];
    const { logged } = await run(() => new DaemonSetPolicy('agents', { policy: { maxUnavailable: 1 }, workloads }));

    expect(logged).toEqual([expect.stringMatching(/^info agents: \[kubernetes\/no-nodes\] /)]);
  });

  test.each([
    ['a number in quotes', { maxUnavailable: '1' }, '[kubernetes/quoted-integer] policy.maxUnavailable:'],
    ['both limits', { maxSurge: 1, maxUnavailable: 1 }, '[kubernetes/invalid-strategy] policy.maxSurge:'],
    ['a limit of zero', { maxUnavailable: 0 }, '[kubernetes/invalid-strategy] policy.maxUnavailable:'],
  ])('that the API server would refuse fails the preview: %s', async (_, policy, message) => {
    const args = { policy, workloads: [{ metadata: { name: 'agent' }, spec: spec('agent:2') }] } as unknown as DaemonSetPolicyArgs;
    await expect(run(() => new DaemonSetPolicy('agents', args))).rejects.toThrow(message);
  });

  test('with an Output as a limit is refused, with the prop', async () => {
    const args = { policy: { maxUnavailable: pulumi.output(1) }, workloads: [] } as unknown as DaemonSetPolicyArgs;
    await expect(run(() => new DaemonSetPolicy('agents', args))).rejects.toThrow('policy.maxUnavailable is a Pulumi Output');
  });

  test('without a policy is refused', async () => {
    const args = { workloads: [] } as unknown as DaemonSetPolicyArgs;
    await expect(run(() => new DaemonSetPolicy('agents', args))).rejects.toThrow('policy is undefined; write a map');
  });
});

describe('the policy as a transform', () => {
  const transformed = (type: string, props: object) =>
    DaemonSetPolicy.transform({ maxSurge: '10%' })({ type, name: 'agent', custom: true, props, opts: {} }) as
      | { readonly props: { readonly spec: pulumi.Output<unknown> } }
      | undefined;

  test('writes into every DaemonSet, including one whose spec is an Output', async () => {
    const type = 'kubernetes:apps/v1:DaemonSet';
    const written = {
      minReadySeconds: 4,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } },
    };

    expect(transformed(type, { spec: { minReadySeconds: 4 } })!.props.spec).toEqual(written);
    expect(await valueOf(transformed(type, { spec: pulumi.output({ minReadySeconds: 4 }) })!.props.spec)).toEqual(written);
  });

  test('does not change other resources', () => {
    expect(transformed('kubernetes:apps/v1:Deployment', { spec: {} })).toBeUndefined();
  });

  test('uses the type of the Kubernetes provider', async () => {
    const { resources } = await run(() => new k8s.apps.v1.DaemonSet('agent', { spec: spec('agent:2') }));
    expect(resources[0]!.type).toBe('kubernetes:apps/v1:DaemonSet');
  });

  test('is refused if the API server would refuse the policy', () => {
    expect(() => DaemonSetPolicy.transform({ maxSurge: 0 })).toThrow('[kubernetes/invalid-strategy]');
  });
});

import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { DeploymentPolicy, Rollout } from 'rolloutkit/pulumi';
import type { DeploymentPolicyArgs } from 'rolloutkit/pulumi';
import { run, valueOf } from './program';
import { recordedCall } from './recorded-hooks';
import { autoscaler } from '../builders/autoscaler';

const spec = (image: pulumi.Input<string>) => ({
  replicas: 4,
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image, readinessProbe: { httpGet: { path: '/', port: 80 } } }] },
  },
});
const stateless = { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, revisionHistory: 5 } as const;
const hpa = autoscaler({ minReplicas: 2, maxReplicas: 9 });

describe('a DeploymentPolicy', () => {
  test('creates Deployments of the typed class, with the strategy of the policy', async () => {
    const { resources } = await run(
      () => new DeploymentPolicy('shop', { stateless, workloads: [{ metadata: { name: 'web' }, spec: spec(pulumi.output('web:2')) }] }),
      {
        preview: false,
      },
    );

    expect(resources).toMatchInlineSnapshot(`
[
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {},
    "name": "shop",
    "type": "rolloutkit:kubernetes:DeploymentPolicy",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kubernetes:DeploymentPolicy::shop",
  },
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {
      "apiVersion": "apps/v1",
      "kind": "Deployment",
      "metadata": {
        "name": "web",
      },
      "spec": {
        "replicas": 4,
        "revisionHistoryLimit": 5,
        "selector": {
          "matchLabels": {
            "app": "web",
          },
        },
        "strategy": {
          "rollingUpdate": {
            "maxSurge": 1,
            "maxUnavailable": 0,
          },
          "type": "RollingUpdate",
        },
        "template": {
          "metadata": {
            "labels": {
              "app": "web",
            },
          },
          "spec": {
            "containers": [
              {
                "image": "web:2",
                "name": "web",
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
      },
    },
    "name": "shop-web",
    "type": "kubernetes:apps/v1:Deployment",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kubernetes:DeploymentPolicy$kubernetes:apps/v1:Deployment::shop-web",
  },
]
`);
  });

  test('a workload that the API server would refuse fails the preview, with the component and the field', async () => {
    const workloads = [{ metadata: { name: 'web' }, spec: { template: { spec: { containers: [{ name: 'Web' }] } } } }];
    const refused = run(() => new DeploymentPolicy('shop', { stateless: { update: 'Recreate' }, workloads }));
    await expect(refused).rejects.toThrow(
      /DeploymentPolicy "shop" is refused \(created at .*\):\n {2}\[kubernetes\/invalid-workload\] workloads\[0\]\.spec\.selector: .*\n {2}.*containers\[0\]\.name: .*\n {2}.*image: /,
    );
  });

  test('creates StatefulSets, and plans each of them', async () => {
    let policy!: DeploymentPolicy;
    const { resources, logged } = await run(() => {
      const args: DeploymentPolicyArgs = {
        stateful: { update: 'RollingUpdate', partition: 2, replicas: 5 },
        workloads: [{ metadata: { name: 'db' }, spec: { ...spec('db:2'), serviceName: 'db' } }],
      };
      policy = new DeploymentPolicy('data', args);
    });

    expect(resources[1]).toMatchObject({
      type: 'kubernetes:apps/v1:StatefulSet',
      name: 'data-db',
      inputs: {
        spec: { replicas: 5, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
      },
    });
    expect(resources[1]!.inputs.metadata).toEqual({ name: 'db', annotations: { 'pulumi.com/skipAwait': 'true' } });
    expect(logged.filter((line) => line.includes('skipAwait'))).toEqual([
      'info data-db: Pulumi does not wait for its pods (pulumi.com/skipAwait), because partition 2 keeps pods on the old revision',
    ]);
    expect((await valueOf(policy.plan)).rollouts[0]!.simulation).toMatchObject({
      kind: 'statefulset',
      replicas: 5,
      order: [4, 3, 2],
      untouched: [0, 1],
    });
  });

  test('ignores replicas that an autoscaler owns, and then has nothing to warn about', async () => {
    const workloads = [
      { metadata: { name: 'web' }, spec: spec('web:2') },
      { metadata: { name: 'other' }, spec: spec('other:2') },
    ];
    let policy!: DeploymentPolicy;
    const { resources, logged } = await run(() => {
      policy = new DeploymentPolicy('shop', { stateless, workloads, surroundings: [hpa] });
    });

    expect(resources.map(({ name, ignoreChanges }) => ({ name, ignoreChanges }))).toEqual([
      { name: 'shop', ignoreChanges: [] },
      { name: 'shop-web', ignoreChanges: ['spec.replicas'] },
      { name: 'shop-other', ignoreChanges: [] },
    ]);
    expect(logged.filter((line) => line.includes('hpa-owns-replicas'))).toEqual([]);
    const findings = (await valueOf(policy.plan)).rollouts.flatMap((rollout) => rollout.findings);
    expect(findings.filter(({ code }) => code === 'kubernetes/hpa-owns-replicas').map(({ suppressed }) => suppressed)).toEqual([
      { by: 'configuration', reason: 'Pulumi ignores changes of spec.replicas (ignoreChanges)' },
    ]);
  });

  test('finds an autoscaler in a List, like the plan, and skips empty values', async () => {
    const workloads = [{ metadata: { name: 'web' }, spec: spec('web:2') }];
    const list = { apiVersion: 'v1', kind: 'List', items: [hpa] };
    const surroundings = [undefined, null, list] as unknown as DeploymentPolicyArgs['surroundings'];
    const { resources } = await run(() => new DeploymentPolicy('shop', { stateless, workloads, surroundings }));

    expect(resources.map(({ name, ignoreChanges }) => ({ name, ignoreChanges }))).toEqual([
      { name: 'shop', ignoreChanges: [] },
      { name: 'shop-web', ignoreChanges: ['spec.replicas'] },
    ]);
  });

  test('that the API server would refuse fails the preview', async () => {
    const args: DeploymentPolicyArgs = {
      stateless: { update: 'RollingUpdate', maxSurge: '1' as '1%', maxUnavailable: 0 },
      workloads: [{ metadata: { name: 'web' }, spec: spec('web:2') }],
    };
    await expect(run(() => new DeploymentPolicy('shop', args))).rejects.toThrow('[kubernetes/quoted-integer] stateless.maxSurge:');
  });
});

describe('the policy as a transform', () => {
  const transformed = (type: string, props: object) =>
    DeploymentPolicy.transform({ stateless })({ type, name: 'web', custom: true, props, opts: {} }) as
      | { readonly props: { readonly spec: pulumi.Output<unknown> } }
      | undefined;

  test('writes into every Deployment, including one whose spec is an Output', async () => {
    const type = 'kubernetes:apps/v1:Deployment';
    const written = {
      replicas: 4,
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    };

    expect(transformed(type, { spec: { replicas: 4 } })!.props.spec).toEqual(written);
    expect(await valueOf(transformed(type, { spec: pulumi.output({ replicas: 4 }) })!.props.spec)).toEqual(written);
  });

  test.each([
    ['an unknown value', 'unknown', 1],
    ['a secret', 'secret', 0],
  ])('leaves %s where it is, in what a real engine passed', (_, name, variable) => {
    const { props, type } = recordedCall('create', 'transform', name);
    const written = transformed(type, props!)!.props.spec as unknown as {
      readonly template: { readonly spec: { readonly containers: readonly { readonly env: readonly { readonly value: unknown }[] }[] } };
    };

    // If all of spec were an Output, the engine would preview a replacement, or encrypt all of it in the state.
    expect(pulumi.Output.isInstance(written)).toBe(false);
    expect(written).toMatchObject({ replicas: 2, revisionHistoryLimit: 5 });
    expect(pulumi.Output.isInstance(written.template.spec.containers[0]!.env[variable]!.value)).toBe(true);
  });

  test.each([
    ['the list of containers', (words: string[]) => ({ containers: pulumi.output([{ name: 'web', image: 'web:2', command: words }]) })],
    [
      'a word of a container',
      (words: string[]) => ({ containers: [{ name: 'web', image: 'web:2', command: words.map((word) => pulumi.output(word)) }] }),
    ],
  ])('writes a drain once the Output that decides it is known, as for plain values: %s', async (_, podSpec) => {
    const drain = { longestRequest: '60s' };
    const transform = DeploymentPolicy.transform({ stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, drain } });
    const template = { metadata: { labels: { app: 'web' } }, spec: podSpec(['uvicorn', 'app:app']) };
    const type = 'kubernetes:apps/v1:Deployment';
    const { props } = transform({ type, name: 'web', custom: true, props: { spec: { template } }, opts: {} }) as unknown as {
      readonly props: { readonly spec: { readonly template: pulumi.Output<unknown> } };
    };

    expect(await valueOf(props.spec.template)).toMatchObject({
      spec: { containers: [{ args: ['--timeout-graceful-shutdown', '60'] }], terminationGracePeriodSeconds: 80 },
    });
  });

  test.each<[what: string, spec: unknown, reason: string]>([
    ['no spec', undefined, 'spec is undefined: write a map'],
    ['a null', null, 'spec is null: write a map'],
    ['a number', 5, 'spec is 5: write a map'],
    [
      'no template',
      {},
      'drain.longestRequest needs 60 s, but spec.template.spec.containers does not show which container serves requests: declare its ports',
    ],
    [
      'a null in the list of containers',
      { template: { spec: { containers: [null] } } },
      'drain.longestRequest needs 60 s, but spec.template.spec.containers[0] is null: write a container',
    ],
  ])('names the resource that it cannot write a drain into: %s', (_, given, reason) => {
    const drain = { longestRequest: '60s' };
    const transform = DeploymentPolicy.transform({ stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, drain } });
    const type = 'kubernetes:apps/v1:Deployment';
    const apply = () => transform({ type, name: 'web', custom: true, props: { spec: given }, opts: {} });
    expect(apply).toThrow(`the policy of Deployment web: ${reason}`);
  });

  test.each([
    ['replicas', { ...spec('web:2'), replicas: pulumi.secret(4) }],
    ['the template', { ...spec('web:2'), replicas: 4, template: pulumi.secret(spec('web:2').template) }],
  ])('resolves a goal once the Output that decides it is known, and makes only the strategy an Output: %s', async (_, given) => {
    const transform = DeploymentPolicy.transform({ stateless: { rollout: Rollout.goal({ available: 3, extraPods: 0 }) } });
    const { props } = transform({
      type: 'kubernetes:apps/v1:Deployment',
      name: 'web',
      custom: true,
      props: { spec: given },
      opts: {},
    }) as unknown as {
      readonly props: { readonly spec: { readonly selector: unknown; readonly strategy: pulumi.Output<unknown> } };
    };

    expect(pulumi.Output.isInstance(props.spec)).toBe(false);
    expect(props.spec.selector).toEqual(given.selector);
    expect(await valueOf(props.spec.strategy)).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
  });

  test('does not make Pulumi wait for a partition, which never ends', async () => {
    const transform = DeploymentPolicy.transform({ stateful: { update: 'RollingUpdate', partition: 1 } });
    const { props, type } = recordedCall('create', 'transform', 'db');
    const metadataOf = (metadata: unknown) =>
      (transform({ type, name: 'db', custom: true, props: { ...props, metadata }, opts: {} }) as pulumi.ResourceTransformResult).props
        .metadata as unknown;

    expect(metadataOf(props!.metadata)).toEqual({ name: 'db', namespace: 'default', annotations: { 'pulumi.com/skipAwait': 'true' } });
    expect(metadataOf({ annotations: { 'pulumi.com/skipAwait': 'false' } })).toEqual({ annotations: { 'pulumi.com/skipAwait': 'false' } });
    expect(metadataOf(undefined)).toEqual({ annotations: { 'pulumi.com/skipAwait': 'true' } });
  });

  test('is refused after another transform that says something else: Pulumi would let the most general one win', () => {
    const type = 'kubernetes:apps/v1:Deployment';
    const create = (maxSurge: number) =>
      DeploymentPolicy.transform({ stateless: { update: 'RollingUpdate', maxSurge, maxUnavailable: 0 } });
    const [own, same, general] = [create(1), create(1), create(3)];
    const apply = (transform: pulumi.ResourceTransform, props: object) =>
      (transform({ type, name: 'api', custom: true, props, opts: {} }) as pulumi.ResourceTransformResult).props as object;
    const props = { metadata: { name: 'api' }, spec: spec('api:1') };
    const transformedOnce = apply(own, props);

    expect(apply(same, transformedOnce)).toEqual(transformedOnce);
    expect(() => apply(general, transformedOnce)).toThrow(
      'the policy of Deployment api: another transform has written a policy into this resource, which this one would replace: maxSurge is 3 here and 1 there.',
    );
    // The program runs again, with another policy.
    expect(() => apply(general, props)).not.toThrow();
  });

  test('does not change other resources', () => {
    expect(transformed('kubernetes:apps/v1:StatefulSet', { spec: {} })).toBeUndefined();
  });

  test('uses the type of the Kubernetes provider', async () => {
    const { resources } = await run(() => new k8s.apps.v1.Deployment('web', { spec: spec('web:2') }));
    expect(resources[0]!.type).toBe('kubernetes:apps/v1:Deployment');
  });

  test('is refused if the API server would refuse the policy', () => {
    expect(() => DeploymentPolicy.transform({ stateless: { update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } })).toThrow(
      '[kubernetes/invalid-strategy]',
    );
  });
});

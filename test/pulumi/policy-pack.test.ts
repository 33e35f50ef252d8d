import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unknownCheckingProxy } from '@pulumi/policy';
import type { PolicyResource, StackValidationArgs } from '@pulumi/policy';
import Ajv2020 from 'ajv/dist/2020';
import { guardrailPolicy, rolloutPolicies } from 'rolloutkit/pulumi-policy';
import { headsOf } from '../facts';
import { autoscaler } from '../builders/autoscaler';
import { disruptionBudget } from '../builders/disruption-budget';

/** Represents a string that is not known at preview (pulumi sdk, UnknownStringValue). */
const unknownStringValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Returns a resource of a stack as the engine passes it to a policy. */
function resource(type: string, name: string, props: object): PolicyResource {
  return { type, name, urn: `urn:pulumi:dev::shop::${type}::${name}`, props: unknownCheckingProxy(props) } as unknown as PolicyResource;
}

function deployment(name: string, strategy: object, image: string): PolicyResource {
  return resource('kubernetes:apps/v1:Deployment', name, {
    __fieldManager: 'pulumi',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 4,
      strategy,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image }] } },
    },
  });
}

/** Returns a resource with the provider of a cluster. */
function inCluster(given: PolicyResource, kubeconfig: string, name = kubeconfig): PolicyResource {
  const props = unknownCheckingProxy({ kubeconfig }) as Record<string, unknown>;
  const type = 'pulumi:providers:kubernetes';
  const provider = { type, name, urn: `urn:pulumi:dev::shop::${type}::${name}`, props };
  return { ...given, urn: `${given.urn}-${name}`, provider };
}

/** Returns `policy urn: [code] path:` for every violation. */
function violations(resources: readonly PolicyResource[], config: object = {}): string[] {
  return rolloutPolicies().flatMap(({ name, validateStack }) => {
    const reported: string[] = [];
    void validateStack({ resources, getConfig: () => config } as unknown as StackValidationArgs, (message, urn) =>
      reported.push(...headsOf(`${name} ${urn}: ${message}`)),
    );
    return reported;
  });
}

describe('the policies of the pack', () => {
  test('are mandatory for errors and advisory for warnings', () => {
    expect(rolloutPolicies().map(({ name, enforcementLevel }) => [name, enforcementLevel])).toEqual([
      ['rolloutkit-errors', 'mandatory'],
      ['rolloutkit-warnings', 'advisory'],
      ['rolloutkit-not-evaluated', 'advisory'],
    ]);
  });

  test('check every Kubernetes resource of the stack, and report its URN', () => {
    const resources = [
      resource('random:index:Pet', 'pet', { kind: 'Deployment', apiVersion: 'apps/v1' }),
      deployment('web', { rollingUpdate: { maxSurge: '1' } }, 'web:2'),
    ];

    expect(violations(resources)).toMatchInlineSnapshot(`
[
  "rolloutkit-errors urn:pulumi:dev::shop::kubernetes:apps/v1:Deployment::web: [kubernetes/quoted-integer] spec.strategy.rollingUpdate.maxSurge:",
]
`);
  });

  test('consider the objects of the stack that limit others', () => {
    const hpa = resource('kubernetes:autoscaling/v2:HorizontalPodAutoscaler', 'web', autoscaler({ minReplicas: 2, maxReplicas: 9 }));

    expect(violations([hpa, deployment('web', {}, 'web:2')])).toContainEqual(
      expect.stringMatching(
        /^rolloutkit-warnings urn:pulumi:dev::shop::kubernetes:apps\/v1:Deployment::web: \[kubernetes\/hpa-owns-replicas\]/,
      ),
    );
  });

  test('plan each cluster of a stack on its own: one may have objects of the same names, and its quotas limit no other', () => {
    const hard = { pods: '1' };
    const quota = resource('kubernetes:core/v1:ResourceQuota', 'q', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard },
    });
    const [bad, good] = [{ rollingUpdate: { maxSurge: '1' } }, {}].map((strategy) => deployment('web', strategy, 'web:2')) as [
      PolicyResource,
      PolicyResource,
    ];
    const urn = 'urn:pulumi:dev::shop::kubernetes:apps/v1:Deployment::web';

    expect(violations([inCluster(good, 'east'), inCluster(bad, 'west')])).toEqual([
      `rolloutkit-errors ${urn}-west: [kubernetes/quoted-integer] spec.strategy.rollingUpdate.maxSurge:`,
    ]);
    expect(violations([inCluster(quota, 'east'), inCluster(good, 'west')])).toEqual([]);
    // A provider whose cluster is not known yet is no other provider.
    expect(violations([inCluster(quota, unknownStringValue, 'a'), inCluster(good, unknownStringValue, 'b')])).toEqual([]);
    // Two providers of one cluster.
    expect(violations([inCluster(quota, 'east', 'a'), inCluster(good, 'east', 'b')])).toEqual([
      `rolloutkit-errors ${urn}-b: [kubernetes/insufficient-capacity] spec.template.spec.containers:`,
    ]);
  });

  test('do not warn about replicas that Pulumi does not update', () => {
    const hpa = resource('kubernetes:autoscaling/v2:HorizontalPodAutoscaler', 'web', autoscaler({ minReplicas: 2, maxReplicas: 9 }));
    const web = { ...deployment('web', {}, 'web:2'), opts: { ignoreChanges: ['spec.replicas'] } } as unknown as PolicyResource;

    expect(violations([hpa, web]).filter((line) => line.includes('hpa-owns-replicas'))).toEqual([]);
  });

  test('take a patch for a part of an object, and not for an object without a selector', () => {
    const type = 'kubernetes:apps/v1:DeploymentPatch';
    const patch = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { template: { metadata: {} } } };

    expect(violations([resource(type, 'patch', patch)])).toEqual([expect.stringContaining('rolloutkit-not-evaluated')]);
    expect(violations([resource('kubernetes:apps/v1:Deployment', 'web', patch)])).toContainEqual(expect.stringContaining('spec.selector'));
  });

  test("read the patch of KServe's ConfigMap, which the component KServePlatformConfig writes", () => {
    const level = {
      defaultDeploymentMode: 'Standard',
      deploymentRolloutStrategy: { defaultRollout: { maxSurge: '25%', maxUnavailable: '0%' } },
    };
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
      data: { deploy: JSON.stringify(level) },
    };
    const service = {
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name: 'iris', namespace: 'models' },
      spec: { predictor: { minReplicas: 4, model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://iris' } } },
    };
    const iris = resource('kubernetes:serving.kserve.io/v1beta1:InferenceService', 'iris', service);
    const patch = resource('kubernetes:core/v1:ConfigMapPatch', 'platform', config);
    const whole = resource('kubernetes:core/v1:ConfigMap', 'whole', config);

    expect(violations([iris])).toEqual(['rolloutkit-warnings undefined: [kserve/no-platform-config] data[deploy]:']);
    expect(violations([iris, patch])).toEqual([]);
    expect(violations([iris, whole, patch])).toEqual(violations([iris, whole]));
  });

  test('do not miss the name of an object that Pulumi names', () => {
    const { props, ...web } = deployment('web', {}, 'web:2');
    const named = resource(web.type, 'web', { ...props, metadata: { labels: { app: 'web' } } });

    expect(violations([named])).toEqual(violations([deployment('web', {}, 'web:2')]));
  });

  test('treat values that are not known at preview as missing', () => {
    expect(
      violations([deployment('web', { type: unknownStringValue, rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }, unknownStringValue)]),
    ).toContainEqual(expect.stringContaining('[kubernetes/invalid-strategy] spec.strategy.rollingUpdate.maxUnavailable'));
  });
});

describe('what is not evaluated', () => {
  /** Returns `urn: message` for every report of the policy. */
  function unevaluated(...resources: readonly PolicyResource[]): string[] {
    const reports: string[] = [];
    const { validateStack } = rolloutPolicies().find(({ name }) => name === 'rolloutkit-not-evaluated')!;
    void validateStack({ resources } as unknown as StackValidationArgs, (message, urn) => reports.push(`${urn}: ${message}`));
    return reports;
  }
  const web = deployment('web', {}, 'web:2');
  const release = resource('kubernetes:helm.sh/v3:Release', 'nginx', { chart: 'nginx', namespace: 'shop', values: { replicas: 2 } });

  test('fails the preview only if the pack requires so', () => {
    const levelOf = (options: object) => rolloutPolicies(options).find(({ name }) => name === 'rolloutkit-not-evaluated')?.enforcementLevel;

    expect([levelOf({}), levelOf({ requirePlanned: true })]).toEqual(['advisory', 'mandatory']);
  });

  test('is nothing if every workload is planned', () => {
    expect(unevaluated(web, resource('random:index:Pet', 'pet', {}))).toEqual([]);
  });

  test('is a Helm release, also if another resource names it as its parent', () => {
    expect(unevaluated(release, { ...web, parent: release })).toMatchInlineSnapshot(`
[
  "urn:pulumi:dev::shop::kubernetes:helm.sh/v3:Release::nginx: kubernetes:helm.sh/v3:Release nginx is not evaluated: Helm applies its objects, which are no resources of the stack. Use kubernetes:helm.sh/v4:Chart, whose objects are.",
]
`);
  });

  test.each([
    'kubernetes:helm.sh/v3:Chart',
    'kubernetes:helm.sh/v4:Chart',
    'kubernetes:yaml:ConfigFile',
    'kubernetes:yaml/v2:ConfigGroup',
    'kubernetes:kustomize:Directory',
    'kubernetes:kustomize/v2:Directory',
  ])('is a %s of which no object is known at preview, and not one with objects', (type) => {
    const component = resource(type, 'shop', {});

    expect(unevaluated(component, { ...web, parent: component })).toEqual([]);
    expect(unevaluated(component)).toEqual([`${component.urn}: ${type} shop is not evaluated: no object of it is known.`]);
  });

  test('is a custom resource whose kind is not known at preview', () => {
    const custom = resource('kubernetes:acme.io/v1:Widget', 'widget', { apiVersion: 'acme.io/v1', kind: unknownStringValue });

    expect(unevaluated(custom)).toMatchInlineSnapshot(`
[
  "urn:pulumi:dev::shop::kubernetes:acme.io/v1:Widget::widget: kubernetes:acme.io/v1:Widget widget is not evaluated: no object of it is known.",
]
`);
  });

  test('is a workload of a kind that is not planned, with the reason', () => {
    const kafka = { apiVersion: 'kafka.strimzi.io/v1beta2', kind: 'Kafka', metadata: { name: 'orders', namespace: 'shop' } };

    expect(unevaluated(web, resource('kubernetes:kafka.strimzi.io/v1beta2:Kafka', 'orders', kafka))).toMatchInlineSnapshot(`
[
  "urn:pulumi:dev::shop::kubernetes:kafka.strimzi.io/v1beta2:Kafka::orders: Kafka shop/orders is not planned: rolloutkit does not support it.",
]
`);
  });

  test('is the patch of a workload, but not of an object without pods', () => {
    const patch = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { strategy: { type: 'Recreate' } } };
    const labels = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', labels: { team: 'shop' } } };

    expect(
      unevaluated(
        resource('kubernetes:apps/v1:DeploymentPatch', 'recreate', patch),
        resource('kubernetes:core/v1:ConfigMapPatch', 'label', labels),
      ),
    ).toMatchInlineSnapshot(`
[
  "urn:pulumi:dev::shop::kubernetes:apps/v1:DeploymentPatch::recreate: Deployment web is not evaluated: a DeploymentPatch has only a part of the object.",
]
`);
  });
});

describe('guardrails', () => {
  /** Returns the reports of the policy about one resource. */
  function refusals(given: PolicyResource, guardrails: Parameters<typeof guardrailPolicy>[0], ...others: PolicyResource[]): string[] {
    const reports: string[] = [];
    void guardrailPolicy(guardrails).validateStack(
      { resources: [given, ...others] } as unknown as StackValidationArgs,
      (message, urn) => urn === given.urn && reports.push(...headsOf(message)),
    );
    return reports;
  }
  const recreate = deployment('web', { type: 'Recreate' }, 'web:2');

  test('refuse every Deployment that violates them', () => {
    expect(refusals(recreate, { neverBelow: { available: '75%' }, requireReadinessProbe: true })).toEqual([
      '[guardrails/refused] spec.strategy.type:',
      '[guardrails/refused] spec.template.spec.containers:',
    ]);
    expect(refusals(recreate, { strategies: ['Recreate'] })).toEqual([]);
    expect(refusals({ ...recreate, type: 'random:index:Pet' }, { strategies: ['RollingUpdate'] })).toEqual([]);
  });

  test('consider the budgets of the stack', () => {
    const budget = resource('kubernetes:policy/v1:PodDisruptionBudget', 'budget', disruptionBudget({ maxUnavailable: 1 }));
    expect(refusals(recreate, { requireBudget: true })).toEqual(['[guardrails/refused] spec.template.metadata.labels:']);
    expect(refusals(recreate, { requireBudget: true }, budget)).toEqual([]);
  });

  test('do not take a budget of another cluster for one of this', () => {
    const budget = resource('kubernetes:policy/v1:PodDisruptionBudget', 'budget', disruptionBudget({ maxUnavailable: 1 }));
    expect(refusals(inCluster(recreate, 'east'), { requireBudget: true }, inCluster(budget, 'west'))).toEqual([
      '[guardrails/refused] spec.template.metadata.labels:',
    ]);
    expect(refusals(inCluster(recreate, 'east'), { requireBudget: true }, inCluster(budget, 'east'))).toEqual([]);
  });

  test('are mandatory', () => {
    expect(guardrailPolicy({}).enforcementLevel).toBe('mandatory');
  });

  test('that are invalid are refused when the pack is created', () => {
    expect(() => guardrailPolicy({ strategies: ['Rolling'] })).toThrow('strategies: "Rolling" is not a strategy');
  });
});

describe('the config of a policy', () => {
  const web = deployment('web', { rollingUpdate: { maxSurge: '1' } }, 'web:2');
  const POLICY_CODE = /^(\S+) \S+ \[([^\]]+)\]/;
  const codes = (config: object) => violations([web], config).map((line) => POLICY_CODE.exec(line)!.slice(1).join(' '));

  test('sets severities, which determine the policy that reports a finding', () => {
    expect(codes({})).toEqual(['rolloutkit-errors kubernetes/quoted-integer']);
    expect(codes({ rules: { 'kubernetes/quoted-integer': 'warning' } })).toEqual(['rolloutkit-warnings kubernetes/quoted-integer']);
    expect(codes({ rules: { 'kubernetes/quoted-integer': 'off' } })).toEqual([]);
  });

  test('ignores known findings, with a reason', () => {
    const known = { rule: 'kubernetes/quoted-integer', resource: 'Deployment/web', reason: 'a webhook mends it' };

    expect(codes({ ignore: [known] })).toEqual([]);
    expect(codes({ ignore: [{ ...known, resource: 'Deployment/api' }] })).toEqual(['rolloutkit-errors kubernetes/quoted-integer']);
  });

  test('sets versions', () => {
    expect(() => codes({ versions: { kubernetes: 'latest' } })).toThrow('"latest" is not a version');
  });

  test('is refused for an unknown code', () => {
    expect(() => codes({ rules: { 'kubernetes/quoted-integr': 'off' } })).toThrow('write kubernetes/quoted-integer');
  });

  test('has a schema, with which Pulumi refuses invalid values, and accepts the example', () => {
    const ajv = new Ajv2020();
    const example = JSON.parse(readFileSync(path.join(__dirname, '../../examples/pulumi/policy/config.json'), 'utf8')) as Record<
      string,
      object
    >;
    for (const { name, configSchema } of rolloutPolicies()) {
      if (!configSchema) continue;
      const validate = ajv.compile({ type: 'object', properties: configSchema.properties });
      const { enforcementLevel: _, ...config } = example[name] as { readonly enforcementLevel?: string };

      expect(validate(config)).toBe(true);
      expect(validate({ rules: { 'kubernetes/outage': 'fatal' } })).toBe(false);
      expect(validate({ ignore: [{ rule: 'kubernetes/outage' }] })).toBe(false);
      expect(() => codes(config)).not.toThrow();
    }
  });
});

test('a finding that an object suppresses by its annotation is not a violation', () => {
  const { props, ...web } = deployment('web', { rollingUpdate: { maxSurge: '1' } }, 'web:2');
  const annotations = { 'rolloutkit/ignore': 'kubernetes/quoted-integer: known' };
  const annotated = { ...web, props: { ...props, metadata: { name: 'web', annotations } } } as PolicyResource;

  expect(violations([annotated])).toEqual([]);
});

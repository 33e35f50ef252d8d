import { unknownCheckingProxy } from '@pulumi/policy';
import type { PolicyResource, StackValidationArgs } from '@pulumi/policy';
import { rolloutPolicies } from 'rolloutkit/pulumi-policy';
import { headsOf } from '../facts';

/** What stands for a string that is not known at preview (pulumi sdk, UnknownStringValue). */
const unknownStringValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** A resource of a stack as the engine shows it to a policy. */
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

/** `policy urn: [code] path:` for every violation. */
function violations(resources: readonly PolicyResource[]): string[] {
  return rolloutPolicies().flatMap(({ name, validateStack }) => {
    const reported: string[] = [];
    void validateStack({ resources } as StackValidationArgs, (message, urn) => reported.push(...headsOf(`${name} ${urn}: ${message}`)));
    return reported;
  });
}

describe('the policies of the pack', () => {
  test('are mandatory for errors and advisory for warnings', () => {
    expect(rolloutPolicies().map(({ name, enforcementLevel }) => [name, enforcementLevel])).toEqual([
      ['rolloutkit-errors', 'mandatory'],
      ['rolloutkit-warnings', 'advisory'],
    ]);
  });

  test('judge every Kubernetes resource of the stack, by its URN', () => {
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

  test('know the objects of the stack that limit one another', () => {
    const autoscaler = resource('kubernetes:autoscaling/v2:HorizontalPodAutoscaler', 'web', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 9 },
    });

    expect(violations([autoscaler, deployment('web', {}, 'web:2')])).toContainEqual(
      expect.stringMatching(
        /^rolloutkit-warnings urn:pulumi:dev::shop::kubernetes:apps\/v1:Deployment::web: \[kubernetes\/hpa-owns-replicas\]/,
      ),
    );
  });

  test('take what is not known at preview as left out', () => {
    expect(
      violations([deployment('web', { type: unknownStringValue, rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }, unknownStringValue)]),
    ).toContainEqual(expect.stringContaining('[kubernetes/invalid-strategy] spec.strategy.rollingUpdate.maxUnavailable'));
  });
});

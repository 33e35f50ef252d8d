import { ApiObject, JsonPatch, Testing, Yaml } from 'cdk8s';
import type { Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { DeploymentPolicy } from '../../src/constructs/deployment-policy';
import { planManifests } from '../../src/headless';
import { headsOf } from '../facts';
import { synthError, withoutPlaces } from './synth-error';
import { sound } from '../sound-workload';

const containers = [{ image: 'web:2', portNumber: 8080, readiness: kplus.Probe.fromHttpGet('/ready', { port: 8080 }) }];

/** Returns a workload without its pod spec. */
function plainWorkload(
  chart: Chart,
  kind: 'Deployment' | 'StatefulSet',
  name: string,
  labels: Record<string, string> = {},
  podLabels = labels,
) {
  const spec = { replicas: 4, template: { metadata: { labels: podLabels } } };
  return new ApiObject(chart, name, sound({ apiVersion: 'apps/v1', kind, metadata: { name, labels }, spec }));
}

function specOf(object: ApiObject) {
  return (object.toJson() as { spec: Record<string, unknown> }).spec;
}

describe('a stateless policy', () => {
  test('writes ints, percents and zeros into a cdk8s-plus Deployment', () => {
    const chart = Testing.chart();
    const web = new kplus.Deployment(chart, 'web', { containers, replicas: 4 });

    const object = DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, revisionHistory: 5 }).applyTo(web);

    expect(specOf(object)).toMatchObject({
      replicas: 4,
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });

    DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: '30%', maxUnavailable: '10%' }).applyTo(web);

    expect(specOf(object)).toMatchObject({
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%', maxUnavailable: '10%' } },
    });
  });

  test('leaves a limit that is not set to Kubernetes, even if the workload had one', () => {
    const web = new kplus.Deployment(Testing.chart(), 'web', { containers });

    expect(specOf(DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 2 }).applyTo(web)).strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 2 },
    });
  });

  test('removes the limits with Recreate', () => {
    const web = new kplus.Deployment(Testing.chart(), 'web', { containers });

    expect(specOf(DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(web)).strategy).toEqual({ type: 'Recreate' });
  });

  test('writes into a plain object', () => {
    const mail = plainWorkload(Testing.chart(), 'Deployment', 'mail');

    DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 0, maxUnavailable: '50%' }).applyTo(mail);

    expect(Yaml.stringify(mail.toJson())).toMatchInlineSnapshot(`
"apiVersion: apps/v1
kind: Deployment
metadata:
  name: mail
spec:
  replicas: 4
  selector:
    matchLabels:
      app: mail
  template:
    metadata:
      labels:
        app: mail
    spec:
      containers:
        - image: app:1
          name: app
          readinessProbe:
            tcpSocket:
              port: 8080
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 50%
"
`);
  });

  test('is overridden by a later patch', () => {
    const mail = plainWorkload(Testing.chart(), 'Deployment', 'mail');
    DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1 }).applyTo(mail);

    mail.addJsonPatch(JsonPatch.replace('/spec/strategy/rollingUpdate/maxSurge', 3));

    expect(specOf(mail).strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } });
  });

  test.each([
    ['guide scenario 1', { maxSurge: 1, maxUnavailable: 0 }, 4],
    ['guide scenario 2', { maxSurge: 2, maxUnavailable: 2 }, 1],
    ['guide scenario 3', { maxSurge: 0, maxUnavailable: 2 }, 2],
  ] as const)('%s: 4 replicas with %j take %d iterations', (_, limits, iterations) => {
    const chart = Testing.chart();
    const web = new kplus.Deployment(chart, 'web', { containers, replicas: 4 });
    DeploymentPolicy.stateless({ update: 'RollingUpdate', ...limits }).applyTo(web);

    expect(planManifests(Testing.synth(chart)).rollouts[0]!.simulation).toMatchObject({ replicas: 4, iterations });
  });
});

describe('a stateful policy', () => {
  test('sets partition, replicas and revision history of a cdk8s-plus StatefulSet', () => {
    const orders = new kplus.StatefulSet(Testing.chart(), 'orders', { containers });

    const policy = DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 2, replicas: 5, revisionHistory: 10 });
    const spec = specOf(policy.applyTo(orders));

    expect(spec).toMatchObject({
      replicas: 5,
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    });
  });

  test('can wait until a user deletes the pods', () => {
    const orders = plainWorkload(Testing.chart(), 'StatefulSet', 'orders');

    expect(specOf(DeploymentPolicy.stateful({ update: 'OnDelete' }).applyTo(orders))).toMatchObject({
      replicas: 4,
      updateStrategy: { type: 'OnDelete' },
    });
  });
});

describe('a policy on a scope', () => {
  test('finds workloads by their labels, by labels of their pods, or all without labels', () => {
    const chart = Testing.chart();
    const onItself = plainWorkload(chart, 'StatefulSet', 'on-itself', { tier: 'db' }, {});
    const onPods = plainWorkload(chart, 'StatefulSet', 'on-pods', {}, { tier: 'db' });
    const other = plainWorkload(chart, 'StatefulSet', 'other', { tier: 'cache' });
    const plus = new kplus.StatefulSet(chart, 'plus', { containers, podMetadata: { labels: { tier: 'db' } } });
    const policy = DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 1 });

    expect(policy.applyToAll(chart, { matchLabels: { tier: 'db' } })).toEqual([onItself, onPods, ApiObject.of(plus)]);
    expect(specOf(other).updateStrategy).toBeUndefined();
    expect(policy.applyToAll(chart)).toEqual([onItself, onPods, other, ApiObject.of(plus)]);
  });

  test('skips kinds that are not selected', () => {
    const chart = Testing.chart();
    const web = plainWorkload(chart, 'Deployment', 'web');
    plainWorkload(chart, 'StatefulSet', 'orders');

    expect(DeploymentPolicy.stateless({ update: 'Recreate' }).applyToAll(chart, { kinds: ['Deployment'] })).toEqual([web]);
    expect(() => chart.node.validate()).not.toThrow();
    expect(Testing.synth(chart)).toHaveLength(2);
  });

  test('keeps the revision history of a workload if it sets none', () => {
    const chart = Testing.chart();
    const web = new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind: 'Deployment', spec: { revisionHistoryLimit: 3 } });
    DeploymentPolicy.stateless({ update: 'Recreate' }).applyToAll(chart);

    expect(specOf(web)).toEqual({ revisionHistoryLimit: 3, strategy: { type: 'Recreate' } });
  });

  test('does not change workloads that are created later', () => {
    const chart = Testing.chart();
    DeploymentPolicy.stateless({ update: 'Recreate' }).applyToAll(chart);
    const late = plainWorkload(chart, 'Deployment', 'late');

    expect(specOf(late).strategy).toBeUndefined();
  });

  test('reads labels without rendering cdk8s-plus pods, which would spread them twice', () => {
    const chart = Testing.chart();
    const web = new kplus.Deployment(chart, 'web', { containers, spread: true, podMetadata: { labels: { app: 'web' } } });
    DeploymentPolicy.stateless({ update: 'Recreate' }).applyToAll(chart, { matchLabels: { app: 'web' } });

    const [deployment] = Testing.synth(chart);

    const spread = deployment.spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    expect(spread.map((term: { topologyKey: string }) => term.topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    expect(web.replicas).toBeUndefined();
  });
});

describe('what fails the synth', () => {
  test('a policy on a scope without such a workload', () => {
    const message = synthError((chart) => {
      plainWorkload(chart, 'Deployment', 'web', { tier: 'web' });
      const stateful = DeploymentPolicy.stateful({ update: 'RollingUpdate' });
      stateful.applyToAll(chart, { matchLabels: { tier: 'db', team: 'orders' } });
      stateful.applyToAll(chart, { kinds: ['StatefulSet'] });
    });

    expect(withoutPlaces(message)).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [shop] applyToAll of a StatefulSet policy found no Deployment or StatefulSet with tier=db and team=orders in this scope, so the policy has no effect: call it after the workloads are created, or fix the labels
  [shop] applyToAll of a StatefulSet policy found no StatefulSet in this scope, so the policy has no effect: call it after the workloads are created, or fix the labels"
`);
  });

  test('a selector with a typo, which would select every workload, or with an unsupported kind', () => {
    const policy = DeploymentPolicy.stateless({ update: 'Recreate' });
    const message = synthError((chart) => {
      policy.applyToAll(chart, { matchLabel: { tier: 'db' } } as never);
      policy.applyToAll(chart, { kinds: ['DaemonSet'] });
    });

    expect(withoutPlaces(message)).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [shop] applyToAll: matchLabel is not a prop; write matchLabels, or leave it out
  [shop] applyToAll: kinds[0] is "DaemonSet"; write Deployment or StatefulSet"
`);
  });

  test('a stateless policy on a StatefulSet', () => {
    const message = synthError((chart) => {
      DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(plainWorkload(chart, 'StatefulSet', 'orders'));
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/orders] [kubernetes/invalid-strategy] kind:",
]
`);
  });

  test('a stateless policy on a scope with StatefulSets: each is refused, the Deployments get the policy', () => {
    const message = synthError((chart) => {
      plainWorkload(chart, 'StatefulSet', 'orders');
      const web = plainWorkload(chart, 'Deployment', 'web');
      plainWorkload(chart, 'StatefulSet', 'customers');
      new ApiObject(chart, 'agent', sound({ apiVersion: 'apps/v1', kind: 'DaemonSet', spec: {} }));

      expect(DeploymentPolicy.stateless({ update: 'Recreate' }).applyToAll(chart)).toEqual([web]);
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop] [kubernetes/invalid-strategy] kind:",
  "[shop] [kubernetes/invalid-strategy] kind:",
]
`);
  });

  test('values that the API server refuses: reported once per policy, and not written into the workloads', () => {
    const message = synthError((chart) => {
      const policed = [plainWorkload(chart, 'Deployment', 'web'), plainWorkload(chart, 'Deployment', 'mail')];
      // @ts-expect-error a number in quotes is no IntOrPercent; JavaScript can still bring one
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: '1' }).applyToAll(chart);

      expect(policed.map((object) => specOf(object).strategy)).toEqual([undefined, undefined]);
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop] [kubernetes/quoted-integer] maxSurge:",
]
`);
  });

  test('both limits zero', () => {
    const message = synthError((chart) => {
      // @ts-expect-error
      DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 0, maxUnavailable: '0%' }).applyTo(
        plainWorkload(chart, 'Deployment', 'web'),
      );
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/web] [kubernetes/invalid-strategy] maxUnavailable:",
]
`);
  });

  test('a construct without an object', () => {
    const chart = Testing.chart();

    expect(() => DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(chart)).toThrow(/cannot find .* ApiObject/);
  });
});

describe('what the plan warns about', () => {
  test('replicas that an autoscaler owns', () => {
    const chart = Testing.chart();
    const web = new kplus.Deployment(chart, 'web', { containers });
    new kplus.HorizontalPodAutoscaler(chart, 'scaler', { target: web, minReplicas: 3, maxReplicas: 9 });

    DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);
    expect(planManifests(Testing.synth(chart)).rollouts[0]).toMatchObject({ simulation: { replicas: 3 } });

    DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, replicas: 5 }).applyTo(web);
    expect(planManifests(Testing.synth(chart)).rollouts[0]!.findings).toContainEqual(
      expect.objectContaining({ code: 'kubernetes/hpa-owns-replicas', severity: 'warning' }),
    );
  });

  test('a workload that another controller writes', () => {
    const chart = Testing.chart();
    const owned = new ApiObject(
      chart,
      'iris-predictor',
      sound({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          name: 'iris-predictor',
          ownerReferences: [
            { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', name: 'iris', uid: '1', controller: true },
          ],
        },
        spec: { replicas: 4 },
      }),
    );
    DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(owned);

    expect(planManifests(Testing.synth(chart)).rollouts[0]!.findings).toContainEqual(
      expect.objectContaining({ code: 'kubernetes/foreign-owner', severity: 'warning' }),
    );
  });
});

describe('what the API server refuses in a workload that a policy is applied to', () => {
  const POLICY = DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 });

  test('fails the synth with the path of the construct and the field', () => {
    const error = synthError((chart) => {
      POLICY.applyTo(new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: {} }));
    });
    expect(error).toContain('[shop/web] [kubernetes/invalid-workload] spec.selector:');
    expect(error).toContain('[shop/web] [kubernetes/invalid-workload] spec.template.spec.containers:');
  });

  test('also in a patch after the policy, including misplaced limits', () => {
    const error = synthError((chart) => {
      const web = plainWorkload(chart, 'Deployment', 'web');
      POLICY.applyToAll(chart);
      web.addJsonPatch(JsonPatch.replace('/spec/template/spec/containers/0/image', ''));
      web.addJsonPatch(JsonPatch.replace('/spec/strategy/rollingUpdate/maxSurge', '1'));
    });
    expect(error).toContain('[shop/web] [kubernetes/invalid-workload] spec.template.spec.containers[0].image:');
    expect(error).toContain('[shop/web] [kubernetes/quoted-integer] spec.strategy.rollingUpdate.maxSurge:');
  });
});

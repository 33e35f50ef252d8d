import { ApiObject, JsonPatch, Testing, Yaml } from 'cdk8s';
import type { Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import * as fc from 'fast-check';
import { DaemonSetPolicy } from '../../src/constructs/daemon-set-policy';
import { DeploymentPolicy } from '../../src/constructs/deployment-policy';
import { planManifests } from '../../src/headless';
import type { DaemonSetSimulation } from '../../src/core/simulations/daemonset';
import { headsOf } from '../facts';
import { synthError, withoutPlaces } from './synth-error';
import { sound } from '../sound-workload';

const containers = [{ image: 'agent:2', portNumber: 9100, readiness: kplus.Probe.fromHttpGet('/ready', { port: 9100 }) }];

/** Returns a DaemonSet without its pod spec. */
function plainAgent(chart: Chart, name: string, labels: Record<string, string> = {}, podLabels = labels): ApiObject {
  return new ApiObject(
    chart,
    name,
    sound({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name, labels },
      spec: { template: { metadata: { labels: podLabels } } },
    }),
  );
}

function specOf(object: ApiObject) {
  return (object.toJson() as { spec: Record<string, unknown> }).spec;
}

describe('a policy', () => {
  test('writes one limit into a cdk8s-plus DaemonSet, as an int or as a percentage', () => {
    const agent = new kplus.DaemonSet(Testing.chart(), 'agent', { containers });

    expect(specOf(DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(agent)).updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '10%' },
    });
    expect(specOf(DaemonSetPolicy.of({ maxUnavailable: 3 }).applyTo(agent)).updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 3 },
    });
  });

  test('writes maxUnavailable: 0 in addition to maxSurge, because its default is 1', () => {
    const chart = Testing.chart();
    const written = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } };
    const policy = DaemonSetPolicy.of({ maxSurge: '25%' });

    expect(specOf(policy.applyTo(new kplus.DaemonSet(chart, 'plus', { containers }))).updateStrategy).toEqual(written);
    expect(specOf(policy.applyTo(plainAgent(chart, 'plain'))).updateStrategy).toEqual(written);
  });

  test('removes previous limits, also with OnDelete', () => {
    const agent = new kplus.DaemonSet(Testing.chart(), 'agent', { containers });
    DaemonSetPolicy.of({ maxSurge: 1 }).applyTo(agent);

    expect(specOf(DaemonSetPolicy.of({ maxUnavailable: 1 }).applyTo(agent)).updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 1 },
    });
    expect(specOf(DaemonSetPolicy.of({ update: 'OnDelete' }).applyTo(agent)).updateStrategy).toEqual({ type: 'OnDelete' });
  });

  test('keeps the revision history unless it is set', () => {
    const agent = new ApiObject(
      Testing.chart(),
      'agent',
      sound({
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'agent' },
        spec: { revisionHistoryLimit: 3 },
      }),
    );

    expect(specOf(DaemonSetPolicy.of({ maxUnavailable: 1 }).applyTo(agent))).toMatchObject({ revisionHistoryLimit: 3 });
    expect(specOf(DaemonSetPolicy.of({ maxUnavailable: 1, revisionHistory: 0 }).applyTo(agent))).toMatchObject({ revisionHistoryLimit: 0 });
    expect(specOf(DaemonSetPolicy.of({ maxUnavailable: 1 }).applyTo(plainAgent(Testing.chart(), 'other')))).not.toHaveProperty(
      'revisionHistoryLimit',
    );
  });

  test('writes into a plain object', () => {
    const agent = plainAgent(Testing.chart(), 'agent', { tier: 'node' });

    DaemonSetPolicy.of({ maxSurge: 1, revisionHistory: 5 }).applyTo(agent);

    expect(Yaml.stringify(agent.toJson())).toMatchInlineSnapshot(`
"apiVersion: apps/v1
kind: DaemonSet
metadata:
  labels:
    tier: node
  name: agent
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
        tier: node
    spec:
      containers:
        - image: app:1
          name: app
          readinessProbe:
            tcpSocket:
              port: 8080
  updateStrategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  revisionHistoryLimit: 5
"
`);
  });

  test('is overridden by a later patch', () => {
    const agent = plainAgent(Testing.chart(), 'agent');
    DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(agent);

    agent.addJsonPatch(JsonPatch.replace('/spec/updateStrategy/rollingUpdate/maxUnavailable', 2));

    expect(specOf(agent).updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } });
  });
});

describe('a policy on a scope', () => {
  test('finds DaemonSets by their labels, by labels of their pods, or all without labels', () => {
    const chart = Testing.chart();
    const onItself = plainAgent(chart, 'on-itself', { tier: 'node' }, {});
    const onPods = plainAgent(chart, 'on-pods', {}, { tier: 'node' });
    const other = plainAgent(chart, 'other', { tier: 'storage' });
    const plus = new kplus.DaemonSet(chart, 'plus', { containers, podMetadata: { labels: { tier: 'node' } } });
    const policy = DaemonSetPolicy.of({ maxUnavailable: 2 });

    expect(policy.applyToAll(chart, { matchLabels: { tier: 'node' } })).toEqual([onItself, onPods, ApiObject.of(plus)]);
    expect(specOf(other).updateStrategy).toBeUndefined();
    expect(policy.applyToAll(chart)).toEqual([onItself, onPods, other, ApiObject.of(plus)]);
  });

  test('skips other kinds and DaemonSets that are created later', () => {
    const chart = Testing.chart();
    const web = new kplus.Deployment(chart, 'web', { containers });
    const agent = plainAgent(chart, 'agent');

    expect(DaemonSetPolicy.of({ maxUnavailable: 2 }).applyToAll(chart)).toEqual([agent]);
    expect(specOf(ApiObject.of(web)).updateStrategy).toBeUndefined();
    expect(specOf(plainAgent(chart, 'late')).updateStrategy).toBeUndefined();
  });
});

describe('what fails the synth', () => {
  test('a policy on workloads of other kinds, each separately', () => {
    const message = synthError((chart) => {
      for (const kind of ['Deployment', 'StatefulSet', 'ReplicaSet']) {
        const object = new ApiObject(chart, kind, { apiVersion: 'apps/v1', kind, metadata: { name: 'web' } });
        DaemonSetPolicy.of({ maxUnavailable: 1 }).applyTo(object);
      }
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/Deployment] [kubernetes/invalid-strategy] kind:",
  "[shop/StatefulSet] [kubernetes/invalid-strategy] kind:",
  "[shop/ReplicaSet] [kubernetes/invalid-strategy] kind:",
]
`);
  });

  test('a policy for Deployments on a DaemonSet', () => {
    const message = synthError((chart) => {
      DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(plainAgent(chart, 'agent'));
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/agent] [kubernetes/invalid-strategy] kind:",
]
`);
  });

  test('both limits, which JavaScript callers can pass, and neither is written', () => {
    const message = synthError((chart) => {
      const agents = [plainAgent(chart, 'agent'), plainAgent(chart, 'logs')];
      // @ts-expect-error one limit or the other
      DaemonSetPolicy.of({ maxSurge: 1, maxUnavailable: 1 }).applyToAll(chart);

      expect(agents.map((object) => specOf(object).updateStrategy)).toEqual([undefined, undefined]);
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop] [kubernetes/invalid-strategy] maxSurge:",
]
`);
  });

  test('a number in quotes', () => {
    const message = synthError((chart) => {
      // @ts-expect-error a number in quotes is no IntOrPercent; JavaScript can still bring one
      DaemonSetPolicy.of({ maxUnavailable: '1' }).applyTo(plainAgent(chart, 'agent'));
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/agent] [kubernetes/quoted-integer] maxUnavailable:",
]
`);
  });

  test('a limit of zero, which leaves both at zero', () => {
    const message = synthError((chart) => {
      DaemonSetPolicy.of({ maxUnavailable: 0 }).applyTo(plainAgent(chart, 'agent'));
      DaemonSetPolicy.of({ maxSurge: '0%' }).applyTo(plainAgent(chart, 'logs'));
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/agent] [kubernetes/invalid-strategy] maxUnavailable:",
  "[shop/logs] [kubernetes/invalid-strategy] maxUnavailable:",
]
`);
  });

  test('a percentage above 100 and a negative revision history, both in one run', () => {
    const message = synthError((chart) => {
      DaemonSetPolicy.of({ maxUnavailable: '101%', revisionHistory: -1 }).applyTo(plainAgent(chart, 'agent'));
    });

    expect(headsOf(message)).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/agent] [kubernetes/invalid-strategy] revisionHistory:",
  "[shop/agent] [kubernetes/invalid-strategy] maxUnavailable:",
]
`);
  });

  test('a policy on a scope without a DaemonSet with the labels', () => {
    const message = synthError((chart) => {
      plainAgent(chart, 'agent', { tier: 'node' });
      DaemonSetPolicy.of({ maxUnavailable: 1 }).applyToAll(chart, { matchLabels: { tier: 'storage' } });
    });

    expect(withoutPlaces(message)).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [shop] applyToAll of a DaemonSet policy found no DaemonSet with tier=storage in this scope, so the policy has no effect: call it after the workloads are created, or fix the labels"
`);
  });

  test('a construct without an object', () => {
    expect(() => DaemonSetPolicy.of({ update: 'OnDelete' }).applyTo(Testing.chart())).toThrow(/cannot find .* ApiObject/);
  });
});

test('a DaemonSet that another controller writes is a warning of the plan', () => {
  const chart = Testing.chart();
  const owned = new ApiObject(
    chart,
    'dcgm',
    sound({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: {
        name: 'dcgm',
        ownerReferences: [{ apiVersion: 'nvidia.com/v1', kind: 'ClusterPolicy', name: 'gpus', uid: '1', controller: true }],
      },
      spec: {},
    }),
  );
  DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(owned);

  expect(planManifests(Testing.synth(chart)).rollouts[0]!.findings).toContainEqual(
    expect.objectContaining({ code: 'kubernetes/foreign-owner', severity: 'warning', path: 'spec.updateStrategy' }),
  );
});

/** The plan of the emitted YAML, without knowledge of the policy, respects the limit. */
describe('for any limit and number of nodes', () => {
  const limit = fc.oneof(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 100 }).map((percent): `${number}%` => `${percent}%`),
  );
  const nodes = fc.integer({ min: 1, max: 60 });

  /** Returns the only rollout of a DaemonSet with this policy on a number of nodes. */
  function rolloutOn(count: number, policy: DaemonSetPolicy) {
    const chart = Testing.chart();
    policy.applyTo(new kplus.DaemonSet(chart, 'agent', { containers }));
    const { rollouts } = planManifests(Testing.synth(chart), { capacity: { nodePools: [{ name: 'all', count }] } });
    return rollouts[0]!;
  }

  function inNodes(value: number | `${number}%`, count: number): number {
    return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * count) / 100);
  }

  test('maxUnavailable keeps at least the other nodes available, and creates no extra pods', () => {
    fc.assert(
      fc.property(limit, nodes, (maxUnavailable, count) => {
        const { strategy, simulation, findings } = rolloutOn(count, DaemonSetPolicy.of({ maxUnavailable }));
        const unavailable = inNodes(maxUnavailable, count);

        expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable } });
        expect(simulation).toMatchObject({ nodes: count, unavailable, peakPods: count, minAvailable: Math.max(0, count - unavailable) });
        expect((simulation as DaemonSetSimulation).waves.at(-1)).toMatchObject({ newPods: count, oldPods: 0 });
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
    );
  });

  test('maxSurge keeps every node available, and creates at most that many extra pods', () => {
    fc.assert(
      fc.property(limit, nodes, (maxSurge, count) => {
        const { strategy, simulation, findings } = rolloutOn(count, DaemonSetPolicy.of({ maxSurge }));
        const surge = inNodes(maxSurge, count);

        expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 0 } });
        expect(simulation).toMatchObject({ nodes: count, surge, minAvailable: count, peakPods: count + Math.min(surge, count) });
        expect((simulation as DaemonSetSimulation).waves.at(-1)).toMatchObject({ newPods: count, oldPods: 0 });
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
    );
  });
});

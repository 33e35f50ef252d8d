import { planChange } from '../../../src/headless';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import { rolloutOf } from '../../workloads/plan';
import { limitRange, quota } from '../../builders/quota';
import { deployment } from '../../builders/workload';

function web(podSpec: object) {
  return deployment({ replicas: 1, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }, template: { spec: podSpec } });
}

const EVERYTHING = { pods: 0, 'requests.cpu': 0, 'limits.cpu': 0, 'requests.memory': 0, 'limits.memory': 0 };

/** Returns how much of a resource one pod uses, as the plan reports it if there is none of it. Returns undefined if it uses none. */
function charge(
  resource: keyof typeof EVERYTHING,
  podSpec: object,
  otherObjects: readonly object[],
  kubernetes = '1.34',
): string | undefined {
  const objects = [web(podSpec), quota({ [resource]: 0 }), ...otherObjects];
  const rollout: PlannedRollout = rolloutOf(objects, { versions: { kubernetes } });
  const { shortage } = rollout.capacity ?? {};
  return (shortage?.kind === 'quota' ? shortage.refusal : undefined) ?? shortage?.needed;
}

function charges(podSpec: object, otherObjects: readonly object[]) {
  const names = ['requests.cpu', 'limits.cpu', 'requests.memory', 'limits.memory'] as const;
  return Object.fromEntries(names.map((name) => [name, charge(name, podSpec, otherObjects)]));
}

const container = (resources?: object) => ({ containers: [{ name: 'web', ...(resources && { resources }) }] });

describe('a LimitRange fills in missing container resources', () => {
  // Figures of k/k pkg/apis/core/v1/defaults_test.go, TestSetDefaultLimitRangeItem, and plugin/pkg/admission/limitranger/admission_test.go.
  test('a maximum becomes the limit and the request, a minimum only the request', () => {
    expect(charges(container(), [limitRange([{ type: 'Container', max: { cpu: '100m' }, min: { memory: '100Mi' } }])])).toEqual({
      'requests.cpu': '100m',
      'limits.cpu': '100m',
      'requests.memory': '100Mi',
      'limits.memory': 'ResourceQuota "compute" refuses every new pod (must specify limits.memory for: web)',
    });
  });

  const AMOUNTS = { default: { cpu: '75m', memory: '10Mi' }, defaultRequest: { cpu: '50m', memory: '5Mi' } };
  const DEFAULTS = limitRange([{ type: 'Container', ...AMOUNTS }]);

  test('default becomes the limit, defaultRequest the request', () => {
    expect(charges(container(), [DEFAULTS])).toEqual({
      'requests.cpu': '50m',
      'limits.cpu': '75m',
      'requests.memory': '5Mi',
      'limits.memory': '10Mi',
    });
  });

  test('values of a container stay, and its limit becomes its request before the LimitRange applies', () => {
    expect(charges(container({ limits: { memory: '512Mi' }, requests: { cpu: '60m' } }), [DEFAULTS])).toEqual({
      'requests.cpu': '60m',
      'limits.cpu': '75m',
      'requests.memory': '512Mi',
      'limits.memory': '512Mi',
    });
  });

  test('it fills in every container, including init containers', () => {
    const initContainers = [{ name: 'init', resources: { requests: { cpu: 2 } } }];
    const podSpec = { containers: [{ name: 'web' }, { name: 'log' }], initContainers };
    expect(charge('requests.cpu', podSpec, [DEFAULTS])).toBe('2');
    expect(charge('requests.memory', podSpec, [DEFAULTS])).toBe('10Mi');
  });

  const cpu = (amount: number) => ({ type: 'Container', default: { cpu: amount } });

  test('the last of several items in one LimitRange wins', () => {
    expect(charge('limits.cpu', container(), [limitRange([cpu(1), cpu(2)])])).toBe('2');
  });

  // https://kubernetes.io/docs/concepts/policy/limit-range/: which default of several LimitRanges is applied is not deterministic.
  describe('with several LimitRanges with different defaults, the result is random', () => {
    const DIFFERENT = [limitRange([cpu(3)], { name: 'more' }), limitRange([cpu(2)], { name: 'some' })];
    const capacityFor = (podSpec: object, nodeCpu: number, ranges = DIFFERENT) =>
      rolloutOf([web(podSpec), ...ranges], { capacity: { nodePools: [{ name: 'a', count: 1, allocatable: { cpu: nodeCpu } }] } }).capacity;

    test('pods that do not fit with the smallest default never fit', () => {
      expect(capacityFor(container(), 1)).toMatchObject({ verdict: 'deadlocks', shortage: { needed: '2' } });
    });

    test('pods that fit with the smallest default may not fit', () => {
      expect(capacityFor(container(), 2)).toEqual({
        verdict: 'may-not-fit',
        peakPods: 1,
        podsThatFit: 1,
        because: ['different defaults of LimitRanges'],
        message:
          'May not fit: there is capacity for its peak of 1 pod with the smallest defaults of the LimitRanges in the namespace, but which LimitRange applies is random.',
      });
    });

    test('other constraints that are not modelled are listed as well', () => {
      expect(capacityFor({ ...container(), schedulerName: 'volcano' }, 2)!.message).toContain(
        'but which LimitRange applies is random, and plans do not model schedulerName.',
      );
    });

    test('the result is not random if a container sets the amount or a limit itself', () => {
      expect(capacityFor(container({ limits: { cpu: 1 } }), 2)).toMatchObject({ verdict: 'fits' });
      expect(capacityFor(container({ requests: { cpu: 1 } }), 2)).toMatchObject({ verdict: 'may-not-fit' });
      const requests = DIFFERENT.map(({ metadata }, index) =>
        limitRange([{ type: 'Container', defaultRequest: { cpu: index + 1 } }], metadata),
      );
      expect(capacityFor(container({ requests: { cpu: 1 } }), 2, requests)).toMatchObject({ verdict: 'fits' });
    });

    test('nor if LimitRanges set the same amount, or different resources', () => {
      expect(
        capacityFor(container(), 2, [
          limitRange([cpu(1)]),
          limitRange([{ type: 'Container', default: { cpu: '1000m' } }], { name: 'same' }),
        ]),
      ).toMatchObject({ verdict: 'fits' });
      const memory = limitRange([{ type: 'Container', default: { memory: '1Mi' } }], { name: 'memory' });
      expect(capacityFor(container(), 2, [limitRange([cpu(1)]), memory])).toMatchObject({ verdict: 'fits' });
    });
  });

  test('a LimitRange of another namespace or for pods fills in nothing', () => {
    const refusal = 'ResourceQuota "compute" refuses every new pod (must specify limits.cpu for: web)';
    expect(charge('limits.cpu', container(), [limitRange([{ type: 'Container', default: { cpu: 1 } }], { namespace: 'shop' })])).toBe(
      refusal,
    );
    expect(charge('limits.cpu', container(), [limitRange([{ type: 'Pod', max: { cpu: 1 } }])])).toBe(
      'LimitRange "defaults" refuses every new pod (maximum cpu usage per Pod is 1.  No limit is specified)',
    );
  });

  test('what it fills in uses capacity of the nodes too', () => {
    const capacity = { nodePools: [{ name: 'small', count: 1, allocatable: { cpu: '100m' } }] };
    expect(rolloutOf([web(container()), limitRange([{ type: 'Container', max: { cpu: '200m' } }])], { capacity }).capacity).toMatchObject({
      verdict: 'deadlocks',
      shortage: { kind: 'one-node', limit: 'any one node', resource: 'cpu', needed: '200m', available: '100m', excludesNodes: false },
    });
  });
});

describe('pod-level resources', () => {
  const podSpec = { ...container({ requests: { cpu: 1 } }), resources: { requests: { cpu: 3 } } };

  test('replace the sum of the containers from 1.34 on', () => {
    expect(charge('requests.cpu', podSpec, [], '1.34')).toBe('3');
  });

  test('are dropped before 1.34, because the gate is disabled', () => {
    expect(charge('requests.cpu', podSpec, [], '1.33')).toBe('1');
    expect(charge('requests.cpu', podSpec, [], '1.28')).toBe('1');
  });

  test('are filled in before those of the containers: the request is the limit, or the current requests of the containers', () => {
    const range = limitRange([{ type: 'Container', default: { cpu: 1 } }]);
    const resources = { limits: { cpu: 12 } };
    expect(charge('requests.cpu', { ...container(), resources }, [range])).toBe('12');
    const containers = [{ name: 'a', resources: { requests: { cpu: 2 } } }, { name: 'b' }];
    expect(charge('requests.cpu', { containers, resources }, [range])).toBe('2');
  });
});

describe('a quota of a PriorityClass counts pods that name none if the class is the default', () => {
  const priorityClass = (globalDefault: boolean) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
    globalDefault,
  });
  const highOnly = quota(
    { pods: 1 },
    { spec: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } } },
  );
  const surging = (image: string) => deployment({ replicas: 1, template: { spec: { containers: [{ name: 'web', image }] } } });
  const verdictOf = (old: readonly object[], next: readonly object[]) =>
    planChange([surging('web:1'), highOnly, ...old], [surging('web:2'), highOnly, ...next]).rollouts[0]!.capacity?.message;

  test('and no other class', () => {
    expect(verdictOf([priorityClass(true)], [priorityClass(true)])).toBe(
      'Deadlocks at wave 1: it peaks at 2 pods and ResourceQuota "compute" has 1 left.',
    );
    expect(verdictOf([priorityClass(false)], [priorityClass(false)])).toBeUndefined();
  });

  test('and not if the apply makes it the default, because the running pods may lack it', () => {
    expect(verdictOf([], [priorityClass(true)])).toBeUndefined();
    expect(verdictOf([priorityClass(false)], [priorityClass(true)])).toBeUndefined();
  });
});

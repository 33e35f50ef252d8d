import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';

function quota(spec: object) {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute', namespace: 'shop' }, spec };
}

function limitRange(...limits: readonly object[]) {
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'defaults', namespace: 'shop' }, spec: { limits } };
}

/** Returns the effect, with the server's message if the object is refused. */
function effectOf(old: object | undefined, next: object) {
  const { objects } = expectValidPlan(planChange(old ? [old] : [], [next])).change;
  const { effect, refusal } = objects[0]!;
  return refusal ? `${effect} ${refusal.path}: ${refusal.message}` : effect;
}

const CPU = quota({ hard: { 'requests.cpu': '4' } });

describe('a ResourceQuota that is applied', () => {
  test.each<[string, object, string]>([
    ['more', quota({ hard: { 'requests.cpu': '8' } }), 'settings'],
    ['the same values with another spelling', quota({ hard: { 'requests.cpu': '4000m' } }), 'none'],
    [
      'a resource that no quota counts',
      quota({ hard: { deployments: 4 } }),
      'refused spec.hard[deployments]: Invalid value: "deployments": must be a standard resource type or fully qualified',
    ],
    [
      'a device limit, which quotas count by request',
      quota({ hard: { gpu: 4 } }),
      'refused spec.hard[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
    ],
    [
      'container storage',
      quota({ hard: { storage: '1Gi' } }),
      'refused spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota',
    ],
    [
      'a negative amount',
      quota({ hard: { 'requests.cpu': '-1' } }),
      'refused spec.hard[requests.cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    ['half a pod', quota({ hard: { pods: '1500m' } }), 'refused spec.hard[pods]: Invalid value: "1500m": must be an integer'],
    ['half a device', quota({ hard: { 'requests.nvidia.com/gpu': '500m' } }), 'settings'],
  ])('with %s', (_what, next, effect) => {
    expect(effectOf(CPU, next)).toBe(effect);
  });

  const scoped = (...scopes: readonly string[]) => quota({ hard: { pods: 4 }, scopes });

  test.each<[string, object, object, string]>([
    ['in another order are unchanged', scoped('Terminating', 'NotBestEffort'), scoped('NotBestEffort', 'Terminating'), 'settings'],
    [
      'may not change',
      scoped('Terminating'),
      scoped('NotTerminating'),
      'refused spec.scopes: Invalid value: ["NotTerminating"]: field is immutable',
    ],
    [
      'must not contradict each other',
      CPU,
      scoped('BestEffort', 'NotBestEffort'),
      'refused spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
    ],
    [
      'must apply to the counted resources',
      CPU,
      quota({ hard: { 'requests.cpu': 4 }, scopes: ['BestEffort'] }),
      'refused spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
    ],
  ])('its scopes %s', (_what, old, next, effect) => {
    expect(effectOf(old, next)).toBe(effect);
  });

  test('is refused for the same reason if it is new', () => {
    expect(effectOf(undefined, quota({ hard: { pods: -1 } }))).toBe(
      'refused spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
    );
  });
});

describe('a LimitRange that is applied', () => {
  const container = (amounts: object) => limitRange({ type: 'Container', ...amounts });

  test.each<[string, object, string]>([
    ['other defaults', container({ default: { cpu: '2' } }), 'settings'],
    ['written-out defaults of the server', container({ default: { cpu: '1' }, defaultRequest: { cpu: '1' } }), 'none'],
    [
      'a minimum above its maximum',
      container({ min: { cpu: '2' }, max: { cpu: '1' } }),
      'refused spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ],
    [
      'a default above its maximum',
      container({ default: { cpu: '2' }, max: { cpu: '1' } }),
      'refused spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
    ],
    [
      'a request above its limit',
      container({ default: { cpu: '1' }, defaultRequest: { cpu: '2' } }),
      'refused spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
    ],
    [
      'a ratio that its bounds exclude',
      container({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '4' } }),
      'refused spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "4": ratio 4 is greater than max/min = 2.000000',
    ],
    [
      'defaults of complete pods',
      limitRange({ type: 'Pod', default: { cpu: '1' } }),
      "refused spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
    ],
    ['a duplicate type', limitRange({ type: 'Pod' }, { type: 'Pod' }), 'refused spec.limits[1].type: Duplicate value: "Pod"'],
    [
      'no bound for claims',
      limitRange({ type: 'PersistentVolumeClaim' }),
      'refused spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
  ])('with %s', (_what, next, effect) => {
    expect(effectOf(container({ default: { cpu: '1' } }), next)).toBe(effect);
  });
});

import * as fc from 'fast-check';
import { planChange } from '../../../src/headless';

/** A Deployment, or another kind, in a quota. CPU is in thousandths. */
interface State {
  readonly kind?: string;
  readonly replicas: number;
  readonly cpu: number;
  readonly image?: string;
  readonly limits?: object;
}

const MAX_UNAVAILABLE_0 = { maxSurge: 1, maxUnavailable: 0 };

function objectsOf({ kind = 'Deployment', replicas, cpu, image = 'web:1', limits }: State, hard: object) {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute', namespace: 'shop' }, spec: { hard } };
  const labels = { app: 'web' };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'web', image, resources: { requests: { cpu: `${cpu}m` } } }] },
  };
  const strategy = limits && { [kind === 'Deployment' ? 'strategy' : 'updateStrategy']: { rollingUpdate: limits } };
  const spec = { replicas, ...strategy, selector: { matchLabels: labels }, template };
  return [quota, { apiVersion: 'apps/v1', kind, metadata: { name: 'web', namespace: 'shop' }, spec }];
}

const CODES = ['kubernetes/insufficient-capacity', 'kubernetes/surge-needs-headroom'];

function errorsOf(old: State, next: State, hard: object, hardAfter = hard) {
  const { rollouts } = planChange(objectsOf(old, hard), objectsOf(next, hardAfter));
  return rollouts.flatMap(({ findings }) => findings.filter(({ code, severity }) => severity === 'error' && CODES.includes(code)));
}

describe('the advice for a quota that is full of 4 old pods of 1 CPU', () => {
  const OLD: State = { replicas: 4, cpu: 1000 };
  const CPU = { 'requests.cpu': '4' };

  test.each<readonly [what: string, next: State, hard: object, help: string]>([
    [
      'more replicas: smaller pods would replace the old ones, so they come before',
      { replicas: 6, cpu: 1000 },
      CPU,
      'Lower the number of pods, or in an earlier apply the requests of each, until all of them fit, or raise ResourceQuota "compute" so that it has 6 requests.cpu left.',
    ],
    [
      'more replicas in a quota on pods: requests do not matter',
      { replicas: 6, cpu: 1000 },
      { pods: '4' },
      'Lower the number of pods until all of them fit, or raise ResourceQuota "compute" so that it has 6 pods left.',
    ],
    [
      'more replicas and smaller pods: no old pod is deleted, and no new one fits, however small it is',
      { replicas: 6, cpu: 500 },
      CPU,
      'Lower the replicas until the peak fits, or raise ResourceQuota "compute" so that it has 6500m requests.cpu left.',
    ],
    [
      'larger pods: one of at most 1 CPU takes the place of an old one',
      { replicas: 4, cpu: 2000 },
      CPU,
      'Lower the replicas or the requests of a pod until the peak fits, or raise ResourceQuota "compute" so that it has 9 requests.cpu left.',
    ],
    [
      'larger pods of which not even one fits: fewer do not help',
      { replicas: 4, cpu: 5000 },
      CPU,
      'Lower the requests of a pod until the peak fits, or raise ResourceQuota "compute" so that it has 21 requests.cpu left.',
    ],
    [
      'larger pods of which none may be deleted first, so that no other fits: fewer old pods leave room',
      { replicas: 4, cpu: 2000, image: 'web:2', limits: MAX_UNAVAILABLE_0 },
      CPU,
      'Lower the replicas until the peak fits, or raise ResourceQuota "compute" so that it has 9 requests.cpu left.',
    ],
    [
      'larger pods of which none may be deleted first and not even one fits next to an old one: only the quota helps',
      { replicas: 4, cpu: 4000, image: 'web:2', limits: MAX_UNAVAILABLE_0 },
      CPU,
      'Raise ResourceQuota "compute" so that it has 17 requests.cpu left.',
    ],
    [
      'more and larger pods of a StatefulSet, whose controller creates all before it replaces one',
      { kind: 'StatefulSet', replicas: 6, cpu: 1200 },
      CPU,
      'Lower the replicas until the peak fits, or raise ResourceQuota "compute" so that it has 7200m requests.cpu left.',
    ],
  ])('%s', (_, next, hard, help) => {
    expect(errorsOf({ ...OLD, ...(next.kind && { kind: next.kind }) }, next, hard).map((finding) => finding.help)).toEqual([help]);
  });
});

/** The smallest rollouts of each advice. */
const ADVISED: Readonly<Record<string, readonly Partial<State>[]>> = {
  'fewer-replicas': [{ replicas: 1 }, { cpu: 1 }],
  'only-fewer-replicas': [{ replicas: 1 }],
  'smaller-pods': [{ cpu: 1 }],
  'in-place': [{ limits: { maxSurge: 0, maxUnavailable: 1 } }],
  'more-capacity': [],
};

test('a rollout that is as small as the advice says, or in a quota that is as large, has no such error', () => {
  const sizes = fc.record({
    running: fc.integer({ min: 1, max: 5 }),
    spare: fc.constantFrom(0, 400, 1000),
    replicas: fc.integer({ min: 1, max: 8 }),
    cpu: fc.constantFrom(500, 1000, 1500, 2000),
    image: fc.constantFrom('web:1', 'web:2'),
    limits: fc.constantFrom(undefined, { maxSurge: 0, maxUnavailable: 1 }, MAX_UNAVAILABLE_0, { maxSurge: '50%', maxUnavailable: '50%' }),
  });
  fc.assert(
    fc.property(sizes, ({ running, spare, replicas, cpu, image, limits }) => {
      const strategy = limits && { limits };
      const old = { replicas: running, cpu: 1000, ...strategy };
      const next = { replicas, cpu, image, ...strategy };
      const hard = { 'requests.cpu': `${running * 1000 + spare}m` };
      const isRolled = image !== 'web:1' || cpu !== 1000;
      const fits = (change: Partial<State>) => errorsOf(old, { ...next, ...change }, hard).length === 0;
      for (const { help, data } of isRolled ? errorsOf(old, next, hard) : []) {
        const { way } = (data as { remedy: { way: string } }).remedy;
        expect(ADVISED[way]!.filter((change) => !fits(change))).toEqual([]);
        const raised = /so that it has (\w+) requests\.cpu left/.exec(help!)![1]!;
        expect(errorsOf(old, next, hard, { 'requests.cpu': raised })).toEqual([]);
      }
    }),
  );
});

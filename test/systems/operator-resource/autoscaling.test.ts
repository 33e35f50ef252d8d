import { operatorResource, plan, planOne } from './plan';

const strategy = { type: 'RollingUpdate', rolling_update: { max_surge: 1, max_unavailable: '25%' } };

/** Returns the planned replicas, and both ends of the autoscaling. */
function figures(holder: object) {
  const { simulation, autoscaled } = planOne({ runtime_configuration: { strategy, ...holder } });
  const replicasOf = (either: unknown) => (either as { readonly replicas: number }).replicas;
  return {
    replicas: replicasOf(simulation),
    ...(autoscaled && { by: autoscaled.by, minimum: replicasOf(autoscaled.minimum), maximum: replicasOf(autoscaled.maximum) }),
  };
}

const BY = 'autoscaling of the custom resource';

test('with autoscaling enabled next to the strategy, the plan uses its minimum and shows the rollout at both ends', () => {
  const autoscaling = { enabled: true, min_replicas: 4, max_replicas: 8, target_cpu_utilization_percentage: 80 };
  expect(planOne({ baw_configuration: [{ name: 'a', strategy, autoscaling }] })).toMatchObject({
    simulation: { replicas: 4, surge: 1, unavailable: 1, peakPods: 5, minAvailable: 3 },
    autoscaled: {
      by: BY,
      minimum: { replicas: 4, surge: 1, unavailable: 1, peakPods: 5, minAvailable: 3 },
      maximum: { replicas: 8, surge: 1, unavailable: 2, peakPods: 9, minAvailable: 6 },
    },
  });
});

test.each([
  [
    'replicas take precedence',
    { replicas: 3, autoscaling: { enabled: true, min_replicas: 2, max_replicas: 6 } },
    { replicas: 3, by: BY, minimum: 2, maximum: 6 },
  ],
  [
    'numbers may be quoted',
    { autoscaling: { enabled: true, min_replicas: '2', max_replicas: '6' } },
    { replicas: 2, by: BY, minimum: 2, maximum: 6 },
  ],
  [
    "an omitted or negative bound is the default of IBM's template",
    { autoscaling: { enabled: true, max_replicas: -1 } },
    { replicas: 2, by: BY, minimum: 2, maximum: 3 },
  ],
  [
    'a maximum below the minimum is the minimum',
    { autoscaling: { enabled: true, min_replicas: 5 } },
    { replicas: 5, by: BY, minimum: 5, maximum: 5 },
  ],
  [
    'a minimum of 0 still starts from 1',
    { autoscaling: { enabled: true, min_replicas: 0 } },
    { replicas: 1, by: BY, minimum: 0, maximum: 3 },
  ],
  ['disabled autoscaling has no effect', { autoscaling: { enabled: false, min_replicas: 4, max_replicas: 8 } }, { replicas: 1 }],
  ['autoscaling that is not a map is ignored', { autoscaling: 'on' }, { replicas: 1 }],
])('%s', (_what, holder, expected) => {
  expect(figures(holder)).toEqual(expected);
});

test("a field with that name in another operator's resource may mean anything and is ignored", () => {
  const spec = { strategy, autoscaling: { enabled: true, min_replicas: 4, max_replicas: 8 } };
  const [rollout] = plan(operatorResource(spec, 'apps.example.com/v1', 'Shop'));
  expect(rollout).toMatchObject({ simulation: { replicas: 1 } });
  expect(rollout!.autoscaled).toBeUndefined();
});

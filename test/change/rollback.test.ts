import { planChange } from '../../src/headless';
import type { Simulation } from '../../src/core/simulations/simulation';
import type { RolloutRollback } from '../../src/core/document/initial-state';
import { expectValidPlan } from '../plan-schema';
import { SIMULATED } from '../simulated';

/** Whether a version that never becomes ready can be rolled back, and the command if it is more than applying the old manifest again. */
const BACK: { readonly [K in Simulation['kind']]: Pick<RolloutRollback, 'works' | 'command'> } = {
  deployment: { works: true, command: 'kubectl rollout undo deployment/web -n shop' },
  statefulset: { works: false, command: 'kubectl rollout undo statefulset/web -n shop && kubectl delete pod web-2 -n shop' },
  daemonset: { works: true, command: 'kubectl rollout undo daemonset/web -n shop' },
  revision: { works: true },
  leaderworkerset: { works: true },
  disaggregatedset: { works: true },
  rayservice: { works: false },
  fleet: { works: true },
  argorollout: { works: true, command: 'kubectl argo rollouts abort web -n shop' },
  rollingsync: { works: true },
};

const KINDS = Object.keys(BACK) as Simulation['kind'][];

test.each(KINDS)('%s: how to roll back a change of its content', (kind) => {
  const { object, otherObjects = [], options = {} } = SIMULATED[kind];
  const { rollouts } = expectValidPlan(planChange([object(1), ...otherObjects], [object(2), ...otherObjects], options));
  expect(rollouts.map(({ simulation }) => simulation?.kind)).toEqual([kind]);
  const { works, command } = rollouts[0]!.rollback!;
  expect({ works, ...(command !== undefined && { command }) }).toEqual(BACK[kind]);
});

test.each([
  ['deployment', 'ReplicaSet', {}],
  ['statefulset', 'ControllerRevision', { podManagementPolicy: 'Parallel' }],
  ['daemonset', 'ControllerRevision', {}],
] as const)('%s without a history: nothing is left to undo once the rollout is complete', (kind, revision, fields) => {
  const { object, otherObjects = [], options = {} } = SIMULATED[kind];
  const [old, next] = [object(1), object(2)].map((each) => ({
    ...each,
    spec: { ...(each.spec as object), ...fields, revisionHistoryLimit: 0 },
  }));
  const { rollouts } = planChange([old!, ...otherObjects], [next!, ...otherObjects], options);
  expect(rollouts[0]!.rollback).toEqual({
    works: false,
    message: `revisionHistoryLimit is 0, so the old ${revision} is deleted once the rollout is complete, and "kubectl rollout undo" finds nothing; apply OLD again`,
  });
});

test('the command is "kubectl rollout undo" only for kinds that it supports', () => {
  const undone = KINDS.filter((kind) => BACK[kind].command?.startsWith('kubectl rollout undo'));
  expect(undone).toEqual(['deployment', 'statefulset', 'daemonset']);
});

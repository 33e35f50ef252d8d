import { planChange } from '../../src/headless';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

/** New pods, old pods, their sum, and the available ones. */
type Counts = readonly [newPods: number, oldPods: number, total: number, available: number];

interface Scale {
  readonly kind: 'Deployment' | 'StatefulSet';
  /** Unset for a Recreate, as maxUnavailable is. */
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
  readonly paused?: boolean;
  readonly podManagementPolicy?: string;
  readonly partition?: number;
  /** Whether the feature gate MaxUnavailableStatefulSet is on. */
  readonly gate?: boolean;
  readonly from: number;
  readonly to: number;
  /** Whether the image changes. */
  readonly rolls: boolean;
  /** Maximum number of pods. */
  readonly room: number;
  /** Whether further pods are refused. Otherwise they have no node. */
  readonly refused: boolean;
  readonly waves: readonly Counts[];
  /** Counts when nothing changes any longer. */
  readonly end: Counts;
  /** Ordinals of a StatefulSet in the order in which their pods were deleted. */
  readonly deleted?: readonly number[];
}

function strategyOf({ kind, maxSurge, maxUnavailable, partition, gate }: Scale): object {
  if (kind === 'StatefulSet') {
    return { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition, ...(gate && { maxUnavailable }) } } };
  }
  return {
    strategy: maxSurge === undefined ? { type: 'Recreate' } : { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
  };
}

function workload(scale: Scale, replicas: number, image: string): object {
  const labels = { app: 'web' };
  const own = scale.kind === 'StatefulSet' ? { serviceName: 'web', podManagementPolicy: scale.podManagementPolicy } : {};
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image, resources: { requests: { cpu: 1 } } }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template, ...own, ...strategyOf(scale) };
  return { apiVersion: 'apps/v1', kind: scale.kind, metadata: { name: 'web', namespace: 'shop' }, spec };
}

function paused(object: object): object {
  return { ...object, spec: { ...(object as { readonly spec: object }).spec, paused: true } };
}

const plans = new Map<Scale, PlannedRollout>();

/** Returns the plan of a scale; each is planned once. */
function plannedOnce(scale: Scale): PlannedRollout {
  const plan = plans.get(scale) ?? planned(scale);
  plans.set(scale, plan);
  return plan;
}

/** Plans the same apply under a quota on pods, or on nodes for that number of pods. */
function planned(scale: Scale): PlannedRollout {
  const { from, to, rolls, room, refused, gate } = scale;
  const next = workload(scale, to, rolls ? 'web:2' : 'web:1');
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'shop' }, spec: { hard: { pods: room } } };
  const applied = scale.paused ? paused(next) : next;
  const capacity = { nodePools: [{ name: 'nodes', count: room, allocatable: { cpu: 1 } }] };
  return planChange([workload(scale, from, 'web:1')], [applied, ...(refused ? [quota] : [])], {
    versions: { kubernetes: gate ? '1.35' : '1.34' },
    ...(!refused && { capacity }),
  }).rollouts[0]!;
}

const scales = recorded('kubernetes-quota-scales') as readonly Scale[];
const scalesOnly = scales.filter(({ rolls }) => !rolls);
const scalesUp = scalesOnly.filter(({ from, to }) => to > from);

describe('scaling with limited capacity, by the controllers of Kubernetes 1.34', () => {
  test('results in the number of pods that we predict, for any kind, strategy and cause of the limit', () => {
    const ours = (scale: Scale) => {
      const { capacity } = plannedOnce(scale);
      return { verdict: capacity?.verdict, pods: capacity?.podsThatFit };
    };
    const theirs = ({ to, end }: Scale) => ({ verdict: end[3] < to ? 'deadlocks' : 'fits', pods: end[3] });
    const compared = sampleOf(scalesUp);
    expect(compared.map((scale) => ({ ...scale, ours: ours(scale) }))).toEqual(
      compared.map((scale) => ({ ...scale, ours: theirs(scale) })),
    );
    expect([scalesUp.length, scalesUp.filter(({ to, end }) => end[3] < to).length]).toEqual([304, 203]);
  });

  test('has no capacity result if replicas decrease or stay the same', () => {
    const compared = sampleOf(scalesOnly.filter(({ from, to }) => to <= from));
    expect(compared.filter((scale) => plannedOnce(scale).capacity !== undefined)).toEqual([]);
  });

  test('together with a rollout finishes exactly when we report it', () => {
    const both = scales.filter(({ rolls, from, to }) => rolls && from > 0 && to > 0);
    const theirs = ({ kind, to, partition = 0, end }: Scale) =>
      end[3] === to && (kind === 'Deployment' ? end[0] === to : end[0] >= Math.max(0, to - partition));
    const ours = (scale: Scale) => (plannedOnce(scale).capacity?.verdict ?? 'fits') !== 'deadlocks';
    expect([both.length, both.filter((scale) => !theirs(scale)).length]).toEqual([223, 118]);
    const compared = sampleOf(both);
    expect(compared.map((scale) => ({ ...scale, ends: ours(scale) }))).toEqual(
      compared.map((scale) => ({ ...scale, ends: theirs(scale) })),
    );
  });

  test('has the recorded first row and end if a quota refuses pods of a Deployment', () => {
    const refused = scales.filter(
      ({ kind, rolls, from, to, refused: isRefused, maxSurge }) =>
        kind === 'Deployment' && rolls && from > 0 && to > 0 && isRefused && from !== to && maxSurge !== undefined,
    );
    const countsOf = (scale: Scale) => {
      const { simulation } = plannedOnce(scale);
      const rows = simulation?.kind === 'deployment' ? simulation.waves : [];
      const counts = rows.map(({ newReplicas, oldReplicas, total, available }): Counts => [newReplicas, oldReplicas, total, available]);
      const [newPods, oldPods] = counts.at(-1)!;
      return { first: counts[0], end: [newPods, oldPods] };
    };
    const compared = sampleOf(refused.filter(({ paused: isPaused = false }) => !isPaused));
    expect(compared.map((scale) => ({ ...scale, rows: countsOf(scale) }))).toEqual(
      compared.map((scale) => ({ ...scale, rows: { first: scale.waves[0] ?? scale.end, end: scale.end.slice(0, 2) } })),
    );
    expect(refused.length).toBe(58);
  });

  test('lets a StatefulSet replace no pod if the missing pods do not fit', () => {
    const missing = scales.filter(
      ({ kind, rolls, from, to, end }) => kind === 'StatefulSet' && rolls && from > 0 && to > from && end[3] < to,
    );
    expect(missing.length).toBeGreaterThan(20);
    const order = (scale: Scale) => {
      const { simulation } = plannedOnce(scale);
      return simulation?.kind === 'statefulset' ? simulation.order : [];
    };
    expect(missing.map((scale) => ({ ...scale, deleted: order(scale) }))).toEqual(
      missing.map((scale) => ({ ...scale, deleted: scale.deleted ?? [] })),
    );
  });
});

import { checkInvalidRollout } from '../../src/systems/argo-rollouts/rules/invalid-rollout';
import { parseArgoStrategy } from '../../src/systems/argo-rollouts/strategy';
import { simulateAbortAfter, listRolloutStates, walkWithCapacity, simulateArgoRollout } from '../../src/systems/argo-rollouts/simulate';
import type { RolloutQuery } from '../../src/systems/argo-rollouts/walk-rollout';
import type { VersionPods } from '../../src/cluster/rollout/initial-state';
import { resolveRolloutsBehaviour } from '../../src/systems/argo-rollouts/versions';
import type { ArgoRolloutWave } from '../../src/core/simulations/argo-rollout';
import { planChange } from '../../src/headless';
import { sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

interface RecordedRow {
  readonly step?: number;
  readonly new: number;
  readonly old: number;
  readonly available: number;
  readonly weight?: number;
  readonly until?: string;
  readonly seconds?: number;
}

interface RecordedCase {
  readonly spec: { readonly replicas: number; readonly strategy: Record<string, unknown> };
  /** Replicas before the change; unset if the change keeps them. */
  readonly before?: number;
  readonly abort?: number;
  /** Maximum number of pods that can run at once. */
  readonly room?: number;
  readonly rows: readonly RecordedRow[] | null;
  readonly error?: string;
}

function asRecorded({
  stepsDone,
  newPods,
  oldPods,
  available,
  newWeight,
  until,
  seconds,
}: Omit<ArgoRolloutWave, 'wave' | 'total'>): RecordedRow {
  return JSON.parse(
    JSON.stringify({ step: stepsDone, new: newPods, old: oldPods, available, weight: newWeight, until, seconds }),
  ) as RecordedRow;
}

function ours({ spec, before = spec.replicas, abort = 0, room }: RecordedCase, version: string): readonly RecordedRow[] {
  const behaviour = resolveRolloutsBehaviour(version);
  const query = { strategy: parseArgoStrategy({ spec }, behaviour)!, replicas: spec.replicas, before, behaviour };
  return room === undefined ? withAbort(query, abort) : walkWithCapacity(query, room).rows.map(asRecorded);
}

/** Returns our rows up to the abort, followed by the rows after it. */
function withAbort(query: RolloutQuery, abort: number): readonly RecordedRow[] {
  const { waves } = simulateArgoRollout(query);
  if (abort === 0 || abort >= waves.length) return waves.map(asRecorded);
  return [...waves.slice(0, abort), ...simulateAbortAfter(query, listRolloutStates(query), abort)].map(asRecorded);
}

function hasRows(one: RecordedCase): one is RecordedCase & { readonly rows: readonly RecordedRow[] } {
  return one.error === undefined;
}

const RECORDINGS = [
  ['argo-rollouts-steps', '1.9.1'],
  ['argo-rollouts-steps-1.8', '1.8.3'],
  ['argo-rollouts-steps-1.10', '1.10.2'],
  ['argo-rollouts-changes', '1.9.1'],
  ['argo-rollouts-changes-1.8', '1.8.3'],
  ['argo-rollouts-changes-1.10', '1.10.2'],
  ['argo-rollouts-routers', '1.9.1'],
  ['argo-rollouts-more-routers-1.10', '1.10.2'],
  ['argo-rollouts-room-1.10', '1.10.2'],
] as const;

test.each(RECORDINGS)('%s: every row of every rollout matches the controller', (name, version) => {
  const cases = (recorded(name) as readonly RecordedCase[]).filter(hasRows);
  const differing = cases.filter((one) => JSON.stringify(ours(one, version)) !== JSON.stringify(one.rows));
  expect(differing.map((one) => ({ ...one, ours: ours(one, version) }))).toEqual([]);
  expect(cases.length).toBeGreaterThan(0);
});

/** A canary that is changed before it is fully rolled out. */
interface RecordedUnfinishedCanary {
  readonly spec: RecordedCase['spec'];
  readonly stable: VersionPods;
  readonly canary: VersionPods;
  readonly weight?: number;
  readonly before?: number;
  readonly step?: number;
  readonly aborted?: boolean;
  readonly back?: boolean;
  readonly newSteps?: boolean;
  readonly abort?: number;
  readonly rows: readonly RecordedRow[] | null;
  readonly error?: string;
}

/** Returns our rows of an unfinished canary that is superseded, rolled back or given other steps. */
function simulateUnfinishedCanary(one: RecordedUnfinishedCanary, version: string): readonly RecordedRow[] {
  const { spec, stable, canary, weight, before, step = 0, aborted = false, back = false, newSteps = false, abort = 0 } = one;
  const behaviour = resolveRolloutsBehaviour(version);
  const applied = back ? 'stable' : newSteps ? 'same' : 'another';
  const currentCanary = { stable, canary, applied, step, isAborted: aborted, ...(weight !== undefined && { weight }) } as const;
  const query = { strategy: parseArgoStrategy({ spec }, behaviour)!, replicas: spec.replicas, before, behaviour, currentCanary };
  return withAbort(query, abort);
}

test.each([
  ['is superseded or rolled back', 'argo-rollouts-interrupted-1.10'],
  ['is superseded or rolled back while its replicas change', 'argo-rollouts-interrupted-scaled-1.10'],
  ['gets other steps', 'argo-rollouts-new-steps-1.10'],
  ['gets other steps while its replicas change', 'argo-rollouts-new-steps-scaled-1.10'],
])('a canary that %s continues row by row from its current state', (_what, name) => {
  const cases = (recorded(name) as readonly RecordedUnfinishedCanary[]).filter(({ error }) => error === undefined);
  const differing = cases.filter((one) => JSON.stringify(simulateUnfinishedCanary(one, '1.10.2')) !== JSON.stringify(one.rows));
  expect(differing.map((one) => ({ ...one, ours: simulateUnfinishedCanary(one, '1.10.2') }))).toEqual([]);
  expect(cases.length).toBeGreaterThan(0);
});

interface RecordedRestart {
  readonly spec: RecordedCase['spec'] & { readonly paused?: boolean };
  readonly before?: number;
  /** Whether the same change also changes the steps. */
  readonly stepsChange?: boolean;
  /** Number of pods created after restartAt. */
  readonly young?: number;
  readonly rows: readonly RecordedRow[] | null;
  readonly error?: string;
}

const RESTART_AT = '2026-01-01T00:00:00Z';

function ownedBy(apiVersion: string, kind: string, name: string) {
  return [{ apiVersion, kind, name, uid: name, controller: true }];
}

/** Returns the live ReplicaSet and pods of a Rollout. The first `young` pods were created at restartAt. */
function pods(count: number, young: number) {
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'set', uid: 'set', ownerReferences: ownedBy('argoproj.io/v1alpha1', 'Rollout', 'web') },
  };
  const each = Array.from({ length: count }, (_, index) => {
    const creationTimestamp = index < young ? RESTART_AT : '2025-12-31T00:00:00Z';
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${index}`, creationTimestamp, ownerReferences: ownedBy('apps/v1', 'ReplicaSet', 'set') },
    };
  });
  return [set, ...each];
}

/** Returns our rows of a restart; none if the change restarts nothing. */
function simulateRestart(one: RecordedRestart, version: string): readonly RecordedRow[] {
  const { spec, before = spec.replicas, stepsChange = false, young = 0, rows } = one;
  const rollout = (own: object, strategy: object) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      ...spec,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      ...own,
      strategy,
    },
  });
  const { canary } = spec.strategy as { readonly canary?: { readonly steps?: readonly object[] } };
  const steps = [...(canary?.steps ?? []), { setWeight: 7 }];
  const next = rollout({ restartAt: RESTART_AT }, stepsChange ? { canary: { ...canary, steps } } : spec.strategy);
  const old = rollout({ replicas: before, paused: false }, spec.strategy);
  const [first] = rows ?? [];
  const live = { ...old, metadata: { name: 'web', uid: 'web' } };
  const known = young > 0 && first ? [live, ...pods(first.new + first.old, young)] : [old];
  const { change, rollouts } = planChange(known, [next], { versions: { 'argo-rollouts': version } });
  const { effect } = change.objects[0]!;
  const simulation = rollouts[0]?.simulation;
  if (!['roll', 'roll-and-scale'].includes(effect) || simulation?.kind !== 'argorollout') return [];
  return simulation.waves.map(asRecorded);
}

test.each([
  ['argo-rollouts-restarts', '1.9.1'],
  ['argo-rollouts-restarts-1.10', '1.10.2'],
])('%s: a restart evicts the same pods as the controller, row by row, or none of them', (name, version) => {
  const cases = sampleOf((recorded(name) as readonly RecordedRestart[]).filter(({ error }) => error === undefined));
  const differing = cases.filter((one) => {
    const rows = one.rows!;
    const evicts = rows.some((row) => row.new > Math.max(0, one.spec.replicas - (one.before ?? one.spec.replicas)) + (one.young ?? 0));
    return JSON.stringify(simulateRestart(one, version)) !== JSON.stringify(evicts ? rows : []);
  });
  expect(differing.map((one) => ({ ...one, ours: simulateRestart(one, version) }))).toEqual([]);
  expect(cases.length).toBeGreaterThan(0);
});

interface RecordedVerdict {
  readonly spec: Record<string, unknown>;
  readonly refused?: string;
}

test.each([
  ['argo-rollouts-validation', '1.9.1'],
  ['argo-rollouts-validation-1.10', '1.10.2'],
])('%s: we refuse exactly the Rollouts that the controller refuses', (name, version) => {
  const differing = (recorded(name) as readonly RecordedVerdict[]).filter(({ spec, refused }) => {
    const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { name: 'web' }, spec };
    return checkInvalidRollout(object, resolveRolloutsBehaviour(version)).length > 0 !== (refused !== undefined);
  });
  expect(differing).toEqual([]);
});

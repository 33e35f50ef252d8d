import { planChange } from '../../src/headless';
import type { AnalysisCheck, PlannedRollout } from '../../src/core/document/rollout';
import { RECORDING_STEP, sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

interface Row {
  readonly phase: '' | 'Initialized' | 'Failed' | AnalysisCheck['phase'] | 'Waiting' | 'WaitingPromotion';
  /** Replicas of the target and of the primary. */
  readonly target: number;
  readonly primary: number;
  readonly promoted?: true;
  readonly weight: number;
  readonly mirror?: true;
}

interface Case {
  readonly canary: { readonly provider?: string; readonly autoscalerRef?: object; readonly analysis: object };
  readonly target: Record<string, unknown>;
  readonly autoscaler?: object;
  readonly change: { readonly template?: object; readonly replicas?: number };
  readonly config?: true;
  readonly closed?: Readonly<Record<string, number>>;
  readonly stuck?: string;
  readonly delay?: number;
  readonly first: readonly Row[];
  readonly rows?: readonly Row[];
  readonly primary?: {
    readonly selector: object;
    readonly labels: object;
    readonly affinity: unknown;
    readonly topologySpreadConstraints: unknown;
    readonly minReplicas?: number | null;
    readonly maxReplicas?: number;
  };
}

const cases = sampleOf(recorded('flagger-canaries') as readonly Case[]);
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function createObject(apiVersion: string, kind: string, name: string, rest: object, metadata: object = {}): object {
  return { apiVersion, kind, metadata: { name, namespace: 'shop', ...metadata }, ...rest };
}

type ChangePlan = ReturnType<typeof planChange>;

const plans = new Map<Case, ChangePlan>();

function planOf(one: Case): ChangePlan {
  const known = plans.get(one) ?? planChangeOf(one);
  plans.set(one, known);
  return known;
}

/** Plans the recorded change as an apply to the cluster that Flagger left: the target has no pods, and the primary runs. */
function planChangeOf({ canary, target, autoscaler, change, config, closed = {}, first }: Case) {
  const webhooks = Object.keys(closed).map((type) => ({ type, name: type, url: 'http://gate' }));
  const { replicas: _, ...manifest } = target;
  const applied = createObject('apps/v1', 'Deployment', 'web', { spec: manifest });
  const live = createObject(
    'apps/v1',
    'Deployment',
    'web',
    { spec: { ...manifest, replicas: 0 } },
    { uid: '1', annotations: { [LAST_APPLIED]: JSON.stringify(applied) } },
  );
  const around = (value: string) => [
    createObject('flagger.app/v1beta1', 'Canary', 'web', {
      spec: {
        ...canary,
        targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        service: { port: 80 },
        analysis: { ...canary.analysis, webhooks },
      },
    }),
    createObject('v1', 'ConfigMap', 'settings', { data: { a: value } }),
    ...(autoscaler
      ? [
          createObject('autoscaling/v2', 'HorizontalPodAutoscaler', 'load', {
            spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...autoscaler },
          }),
        ]
      : []),
  ];
  const primary = createObject(
    'apps/v1',
    'Deployment',
    'web-primary',
    { spec: { ...target, replicas: first.at(-1)!.primary } },
    { uid: '2', ownerReferences: [{ apiVersion: 'flagger.app/v1beta1', kind: 'Canary', name: 'web', uid: '3', controller: true }] },
  );
  const isManaged = first.at(-1)!.phase === 'Initialized';
  const next = createObject('apps/v1', 'Deployment', 'web', { spec: { ...manifest, ...change } });
  return planChange([live, ...(isManaged ? [primary] : []), ...around('1')], [next, ...around(config ? '2' : '1')], { apply: 'client' });
}

function findRollout(rollouts: readonly PlannedRollout[], component?: string): PlannedRollout | undefined {
  return rollouts.find(({ resource }) => resource.name === 'web' && resource.component === component);
}

/** Without a router nothing shifts requests. What Flagger then counts as a weight is no share of them. */
function weightOf({ canary }: Case, { weight }: Row): number {
  return canary.provider === 'kubernetes' ? 0 : weight;
}

type Step = readonly [phase: string, pods: number, weight: number, mirrors: boolean];

function stepsOf(one: Case): Step[] {
  return one.rows!.map((row) => [row.phase, row.target, weightOf(one, row), row.mirror === true]);
}

function plannedSteps({ checks }: NonNullable<PlannedRollout['analysis']>): Step[] {
  return checks.map(({ phase, pods, newWeight, mirrors }) => [phase, pods, newWeight, mirrors === true]);
}

/** Returns the steps without those at which nothing changes, such as while pods start or a hook refuses. */
function withoutWaits(steps: readonly Step[]): Step[] {
  return steps.filter((step, index) => index === 0 || JSON.stringify(step) !== JSON.stringify(steps[index - 1]));
}

const managed = cases.filter(({ rows }) => rows !== undefined);
const analyzed = managed.filter(({ rows }) => rows!.some(({ phase }) => phase === 'Progressing'));
const promoted = analyzed.filter(({ rows }) => rows!.at(-1)!.phase === 'Succeeded');

test('a selector without a label that Flagger looks for: it leaves the Deployment alone, and its controller rolls it', () => {
  const alone = cases.filter(({ rows }) => rows === undefined);
  expect(alone.length).toBeGreaterThan(50 / RECORDING_STEP);
  expect(alone.every(({ first }) => first.every(({ target, primary }) => target === first[0]!.target && primary === 0))).toBe(true);
  for (const one of alone) {
    const { rollouts, findings } = planOf(one);
    expect(rollouts.map(({ system }) => system)).toEqual(['kubernetes']);
    expect(findings.map(({ code }) => code)).toContain('flagger/selector-label');
  }
});

test('without waits the analysis is as recorded, check by check, and as many pods run', () => {
  const plain = promoted.filter(({ closed = {}, delay = 0 }) => delay === 0 && Object.values(closed).every((times) => times === 0));
  expect(plain.length).toBeGreaterThan(130 / RECORDING_STEP);
  for (const one of plain) {
    const { analysis, creates } = findRollout(planOf(one).rollouts, 'primary')!;
    expect({ one, steps: plannedSteps(analysis!) }).toEqual({ one, steps: stepsOf(one) });
    expect(analysis!.durationSeconds).toBe((one.rows!.length - 1) * analysis!.intervalSeconds);
    expect(creates![0]!.replicas).toBe(one.rows!.at(-1)!.primary);
  }
});

test('pods that start slowly and hooks that refuse only prolong it', () => {
  const slow = promoted.filter(({ closed, delay }) => closed !== undefined || delay !== undefined);
  expect(slow.length).toBeGreaterThan(130 / RECORDING_STEP);
  for (const one of slow) {
    const { analysis } = findRollout(planOf(one).rollouts, 'primary')!;
    // It waits for the start with no pods of the target, and for the promotion in the middle of the analysis.
    const known = stepsOf(one).filter(([phase]) => phase !== 'Waiting' && phase !== 'Initialized');
    const recordedSteps = withoutWaits(known.map(([phase, ...rest]) => [phase === 'WaitingPromotion' ? 'Progressing' : phase, ...rest]));
    const planned = withoutWaits(plannedSteps(analysis!));
    expect({ one, steps: planned }).toEqual({ one, steps: recordedSteps });
    expect(analysis!.durationSeconds).toBeLessThanOrEqual((one.rows!.length - 1) * analysis!.intervalSeconds);
  }
});

test('what never is promoted was not: neither weights nor iterations, or a mirror that the router lacks', () => {
  const isHealthy = ({ stuck, closed = {} }: Case) => stuck === undefined && Object.values(closed).every((times) => times === 0);
  for (const one of analyzed.filter(isHealthy)) {
    const { change, rollouts } = planOf(one);
    const { analysis } = findRollout(rollouts, 'primary')!;
    const isPromoted = one.rows!.at(-1)!.phase === 'Succeeded';
    expect({ one, outcome: analysis!.outcome }).toEqual({ one, outcome: isPromoted ? 'promoted' : 'never-promoted' });
    expect(change.objects[0]!.effect === 'held').toBe(!isPromoted);
  }
});

test('a failed analysis scales the target to 0 and leaves the primary as it was', () => {
  const failed = analyzed.filter(({ rows, stuck }) => rows!.at(-1)!.phase === 'Failed' && stuck !== 'web-primary');
  expect(failed.length).toBeGreaterThan(20 / RECORDING_STEP);
  for (const { rows, first, config } of failed) {
    expect(rows!.at(-1)).toMatchObject({ target: 0, primary: first.at(-1)!.primary, weight: 0 });
    expect(config === true || rows!.every((row) => !row.promoted)).toBe(true);
  }
});

test('without a new template or data nothing is analyzed, and replicas of the manifest start idle pods', () => {
  const idle = managed.filter((one) => !analyzed.includes(one) && one.stuck === undefined);
  expect(idle.length).toBeGreaterThan(50 / RECORDING_STEP);
  for (const one of idle) {
    const { change, rollouts } = planOf(one);
    expect({ one, podsReplaced: change.summary.podsReplaced }).toEqual({ one, podsReplaced: 0 });
    const codes = findRollout(rollouts, 'primary')?.findings.map(({ code }) => code) ?? [];
    expect({ one, isWarned: codes.includes('flagger/replicas-in-manifest') }).toEqual({ one, isWarned: one.rows!.at(-1)!.target > 0 });
  }
});

test('the primary has the recorded selector, and its autoscaler the recorded limits', () => {
  for (const one of promoted) {
    const { creates, autoscaled } = findRollout(planOf(one).rollouts, 'primary')!;
    expect(creates![0]!.selector).toEqual(one.primary!.selector);
    const { maxReplicas, minReplicas } = one.primary!;
    if (maxReplicas === undefined) continue;
    expect(autoscaled).toMatchObject({
      by: 'HorizontalPodAutoscaler "load-primary"',
      minimum: { replicas: minReplicas ?? 1 },
      maximum: { replicas: maxReplicas },
    });
  }
});

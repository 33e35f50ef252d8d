import { parseGoDuration } from '../../core/values/go-duration';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, getListAt, getOwnValue, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { AnalysisCheck, RolloutAnalysis } from '../../core/document/rollout';
import { selectVisibleRows } from '../../core/simulations/row-limit';
import { toSafeText } from '../../core/text/value-text';

/*
 * The analysis of a Canary of Flagger, check by check, if pods become ready at once, all checks pass and all hooks approve.
 * Source: Flagger v1.44.0, pkg/controller/scheduler.go, `advanceCanary`, `runCanary`, `runAB`, `runBlueGreen`, `runPromotionTrafficShift`.
 */

const KUBERNETES = 'kubernetes';

/** The default of Flagger's flag `-mesh-provider`. */
const DEFAULT_PROVIDER = 'istio';

/** Iterations of an analysis that shifts no requests, because Kubernetes alone cannot, and that names none. */
const DEFAULT_ITERATIONS = 10;

/** Default and minimum seconds of an interval. Source: pkg/apis/flagger/v1beta1/canary.go, `GetAnalysisInterval`. */
const DEFAULT_INTERVAL_SECONDS = 60;
const MIN_INTERVAL_SECONDS = 10;

const NANOS_PER_SECOND = 1_000_000_000n;

/** Rows that are alike. */
interface Segment {
  readonly count: number;
  readonly phase: AnalysisCheck['phase'];
  readonly newWeight: number;
  readonly mirrors?: true;
  /** Whether the target is scaled to 0. */
  readonly isScaledDown?: true;
}

/** Settings of an analysis as Flagger reads them. */
interface AnalysisSettings {
  readonly provider: string;
  readonly iterations: number;
  readonly hasMatch: boolean;
  readonly mirrors: boolean;
  readonly stepWeight: number;
  readonly stepWeights: readonly number[];
  readonly maxWeight: number;
  readonly stepWeightPromotion: number;
}

function readInteger(fields: Fields, name: string): number {
  const value = fields[name];
  return isInt32(value) ? value : 0;
}

function readSettings(canary: Manifest): AnalysisSettings {
  const analysis = getFieldsAt(canary, 'spec', 'analysis');
  const { provider } = getFieldsAt(canary, 'spec');
  const isPlain = provider === KUBERNETES;
  const iterations = readInteger(analysis, 'iterations');
  return {
    provider: typeof provider === 'string' && provider !== '' ? provider : DEFAULT_PROVIDER,
    iterations: isPlain && iterations < 1 ? DEFAULT_ITERATIONS : iterations,
    hasMatch: !isPlain && getListAt(analysis, 'match').length > 0,
    mirrors: analysis.mirror === true,
    stepWeight: readInteger(analysis, 'stepWeight'),
    stepWeights: getListAt(analysis, 'stepWeights').filter(isInt32),
    maxWeight: readInteger(analysis, 'maxWeight'),
    stepWeightPromotion: readInteger(analysis, 'stepWeightPromotion'),
  };
}

function readIntervalSeconds(canary: Manifest): number {
  const { interval } = getFieldsAt(canary, 'spec', 'analysis');
  const nanos = typeof interval === 'string' ? parseGoDuration(interval) : undefined;
  return nanos === undefined ? DEFAULT_INTERVAL_SECONDS : Math.max(MIN_INTERVAL_SECONDS, Number(nanos / NANOS_PER_SECOND));
}

/** Returns by how much the weight grows. 0 if it never does. */
function nextStep({ stepWeight, stepWeights }: AnalysisSettings, weight: number): number {
  if (stepWeight > 0 || stepWeights.length === 0) return stepWeight;
  const rest = 100 - weight;
  if (rest === 0) return 1;
  if (weight === 0) return Math.min(rest, stepWeights[0]!);
  const index = stepWeights.slice(0, -1).indexOf(weight);
  return index === -1 ? rest : Math.min(rest, stepWeights[index + 1]! - weight);
}

function getMaxWeight({ stepWeights, maxWeight }: AnalysisSettings): number {
  if (stepWeights.length > 0) return Math.min(100, stepWeights.at(-1)!);
  return maxWeight > 0 ? maxWeight : 100;
}

/** Reports whether the router of a provider copies requests. That of the Gateway API does so only for a blue-green analysis. */
function canMirror({ provider, iterations }: AnalysisSettings): boolean {
  if (provider.startsWith('gatewayapi:v1')) return iterations > 0;
  return provider === DEFAULT_PROVIDER;
}

function createSegment(newWeight: number, phase: AnalysisCheck['phase'] = 'Progressing', count = 1): Segment {
  return { count, phase, newWeight };
}

/** Lists the rows in which the weight grows. Undefined if it never reaches its maximum. */
function listWeightSteps(settings: AnalysisSettings): Segment[] | undefined {
  const steps: Segment[] = [];
  let weight = 0;
  const hasMirrorStep = settings.mirrors;
  if (hasMirrorStep && nextStep(settings, 0) > 0) {
    if (!canMirror(settings)) return undefined;
    steps.push({ ...createSegment(0), mirrors: true });
  }
  for (const most = getMaxWeight(settings); weight < most;) {
    const step = nextStep(settings, weight);
    // A maximum above 100 is never reached, since the weight stays at 100.
    if (step <= 0 || weight === 100) return undefined;
    weight = Math.min(100, weight + step);
    steps.push(createSegment(weight));
  }
  return nextStep(settings, weight) > 0 ? steps : undefined;
}

/** Lists the rows of a blue-green analysis: checks without requests, then one with all of them. */
function listBlueGreenSteps(settings: AnalysisSettings): Segment[] {
  const isRouted = settings.provider !== KUBERNETES;
  const checks = createSegment(0, 'Progressing', settings.iterations);
  return [settings.mirrors && isRouted && canMirror(settings) ? { ...checks, mirrors: true } : checks, createSegment(isRouted ? 100 : 0)];
}

/** Lists the rows from the promotion on: the primary rolls, then it gets the requests back, then the target is scaled to 0. */
function listPromotionSteps({ provider, stepWeightPromotion }: AnalysisSettings, reached: number): Segment[] {
  const steps = [createSegment(reached, 'Promoting')];
  const scaledDown: Segment = { ...createSegment(0, 'Succeeded'), isScaledDown: true };
  if (provider === KUBERNETES || stepWeightPromotion <= 0) return [...steps, createSegment(0, 'Finalising'), scaledDown];
  let [primary, weight] = [100 - reached, reached];
  while (primary < 100) {
    primary = Math.min(100, primary + stepWeightPromotion);
    weight = Math.max(0, weight - stepWeightPromotion);
    steps.push(createSegment(weight, primary === 100 ? 'Finalising' : 'Promoting'));
  }
  return [...steps, scaledDown];
}

type AnalysisStrategy = RolloutAnalysis['strategy'];

function selectStrategy(canary: Manifest, { iterations, hasMatch }: AnalysisSettings): AnalysisStrategy {
  if (getFieldsAt(canary, 'spec').skipAnalysis === true) return 'skipped';
  if (iterations > 0) return hasMatch ? 'ab-testing' : 'blue-green';
  return 'canary';
}

const ANALYSIS_STEPS: Readonly<Record<Exclude<AnalysisStrategy, 'skipped'>, (settings: AnalysisSettings) => Segment[] | undefined>> = {
  canary: listWeightSteps,
  'blue-green': listBlueGreenSteps,
  'ab-testing': ({ iterations }) => [createSegment(100, 'Progressing', iterations)],
};

/** Lists all rows. Undefined if the analysis never ends. */
function listSegments(strategy: AnalysisStrategy, settings: AnalysisSettings): Segment[] | undefined {
  const detected = createSegment(0);
  if (strategy === 'skipped') return [detected, { ...createSegment(0, 'Succeeded'), isScaledDown: true }];
  const steps = ANALYSIS_STEPS[strategy](settings);
  return steps && [detected, ...steps, ...listPromotionSteps(settings, steps.at(-1)!.newWeight)];
}

/** Hooks that must approve a step, by the strategies that ask them. */
const APPROVAL_HOOKS: Readonly<Record<string, readonly AnalysisStrategy[]>> = {
  'confirm-rollout': ['canary', 'blue-green', 'ab-testing', 'skipped'],
  'confirm-traffic-increase': ['canary'],
  'confirm-promotion': ['canary', 'blue-green', 'ab-testing'],
};

function listApprovals(canary: Manifest, strategy: AnalysisStrategy): string[] {
  return getListAt(canary, 'spec', 'analysis', 'webhooks')
    .filter(isFields)
    .filter(({ type }) => typeof type === 'string' && getOwnValue(APPROVAL_HOOKS, type)?.includes(strategy) === true)
    .map(({ type, name }) => `${toSafeText(type)} "${toSafeText(name)}"`);
}

/** Returns the rows to show of segments: up to 1,000 all, else those at both ends. */
function listChecks(segments: readonly Segment[], pods: number, intervalSeconds: number): Pick<RolloutAnalysis, 'checks' | 'elided'> {
  const ends: number[] = [];
  for (const { count } of segments) ends.push((ends.at(-1) ?? 0) + count);
  const { rows, elided } = selectVisibleRows(ends.at(-1)!);
  const checks = rows.map((row): AnalysisCheck => {
    const { phase, newWeight, mirrors, isScaledDown } = segments[ends.findIndex((end) => row < end)]!;
    const shown = { phase, pods: isScaledDown ? 0 : pods, newWeight, ...(mirrors && { mirrors }) };
    return { check: row + 1, elapsedSeconds: row * intervalSeconds, ...shown };
  });
  return { checks, ...(elided > 0 && { elided }) };
}

/**
 * Simulates the analysis of a new version.
 *
 * @param pods number of pods of the target during the analysis
 */
export function simulateAnalysis(canary: Manifest, pods: number): RolloutAnalysis {
  const settings = readSettings(canary);
  const strategy = selectStrategy(canary, settings);
  const segments = listSegments(strategy, settings);
  const intervalSeconds = readIntervalSeconds(canary);
  const shown = segments ?? [createSegment(0)];
  const approvals = listApprovals(canary, strategy);
  const rows = shown.reduce((sum, { count }) => sum + count, 0);
  return {
    strategy,
    provider: settings.provider,
    ...(getFieldsAt(canary, 'spec').provider !== settings.provider && { isProviderAssumed: true as const }),
    intervalSeconds,
    ...listChecks(shown, pods, intervalSeconds),
    durationSeconds: (rows - 1) * intervalSeconds,
    outcome: segments ? 'promoted' : 'never-promoted',
    ...(approvals.length > 0 && { approvals }),
  };
}

/** Reports whether a new version can be promoted. */
export function canPromote(canary: Manifest): boolean {
  return simulateAnalysis(canary, 0).outcome === 'promoted';
}

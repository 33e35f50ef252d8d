import { findLargest } from '../core/values/find-largest';
import { ASSUMED_STARTUP_SECONDS } from '../core/values/startup-seconds';
import { createConstraints, explainUnmet, isWithinAll } from '../advise/constraints';
import type { GoalConstraint } from '../advise/constraints';
import { createRunFigures, DOUBTS } from '../advise/evaluate';
import type { EvaluatedStrategy, RunFigures } from '../advise/evaluate';
import { compareByPreference } from '../advise/front';
import { GoalError, isGoal, preferenceOf, requireKnownGoalFields, validateGoal } from '../advise/goal';
import type { Preference, RolloutFigures, RolloutGoal } from '../core/document/advice';
import { describeValue } from '../core/text/display-value';
import { formatGoal } from '../core/document/goal-text';
import { IntentError } from '../core/errors/intent-error';
import { isInt32 } from '../core/values/int-or-percent';
import { getFieldsAt } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { WorkerSize } from '../core/document/pod-group-size';
import type { RolloutDuration } from '../core/document/rollout';
import { pluralize } from '../core/text/text-format';
import { resolveVersions } from '../core/values/versions';
import { planInput } from '../plan/plan';
import { computeRolloutWorkers } from '../systems/kuberay/cluster-size';
import { computeUpgradeDuration } from '../systems/kuberay/duration';
import { resolveOperatorUpgrade } from '../systems/kuberay/manifests';
import { readRayService } from '../systems/kuberay/ray-service';
import type { ParsedRayService } from '../systems/kuberay/ray-service';
import { checkSurgeBelowOnePod } from '../systems/kuberay/rules/surge-below-one-pod';
import { getUnreachableCapacity } from '../systems/kuberay/serve-config';
import { simulateIncrementalUpgrade } from '../systems/kuberay/simulate';
import type { RayStartup } from '../systems/kuberay/simulate';
import { resolveRayStartup } from '../systems/kuberay/simulate-service';
import { ADVISED_INTERVAL_SECONDS } from '../systems/kuberay/strategy';
import type { RayClusterSpec } from '../systems/kuberay/types';
import type { OperatorUpgradeProps, ServiceUpgradeProps, UpgradeGoal, UpgradeProps, WithPace } from '../systems/kuberay/upgrade-props';
import { listCapacityRows } from '../systems/kuberay/upgrade-loop';
import type { CapacityRow } from '../systems/kuberay/upgrade-loop';
import { validateRayService } from '../systems/kuberay/validate-ray-service';
import { countGpus, sumPodResources } from '../systems/kuberay/worker-groups';
import type { GoalOrigin } from './goal-origin';
import type { SurroundingsReader } from './goals';
import { createUnmetGoalError, runGoalResolution } from './unmet-goal';

/** The Serve config and the cluster that an upgrade leads to. */
type UpgradedService = Pick<OperatorUpgradeProps, 'serveConfig' | 'rayCluster'>;

/** The numbers of a pace. */
type Pace = Required<Pick<UpgradeProps, 'maxSurgePercent' | 'stepSizePercent' | 'intervalSeconds'>>;

/** A pace and its figures: for the planned workers, then for the fewest and the most that the autoscaler may choose. */
interface EvaluatedPace extends EvaluatedStrategy {
  readonly strategy: Pace;
  /** Whether the plan has no finding about the pace. */
  readonly isSound: boolean;
}

const GOAL_FIELDS = ['extraGpus', 'within', 'maxStep', 'prefer', 'startupSeconds'] as const satisfies readonly (keyof UpgradeGoal)[];

const UNLIMITED_WORKERS = 'A worker group has no maxReplicas, so the autoscaler may add any number of GPUs.';

/** Reads a goal. @throws GoalError for a value that is not one of the limit */
function readGoal(goal: UpgradeGoal): { readonly limits: RolloutGoal; readonly maxStep: number } {
  requireKnownGoalFields(goal, GOAL_FIELDS);
  const { extraGpus, within, prefer, maxStep = 100 } = goal;
  if (!isInt32(maxStep) || maxStep < 1 || maxStep > 100) {
    throw new GoalError('maxStep', `${describeValue(maxStep)} is not a percentage of the traffic; write an integer from 1 to 100`);
  }
  const limits = {
    ...(extraGpus !== undefined && { extraGpus }),
    ...(within !== undefined && { within }),
    ...(prefer !== undefined && { prefer }),
  };
  return { limits: validateGoal(limits), maxStep };
}

function formatUpgradeGoal(limits: RolloutGoal, { maxStep }: UpgradeGoal): string {
  return [formatGoal(limits) ?? [], maxStep === undefined ? [] : `at most ${maxStep}% of the traffic in one step`].flat().join(', ');
}

/** Returns the cluster with the fewest workers that its autoscaler may choose. */
function withFewestWorkers(cluster: RayClusterSpec): RayClusterSpec {
  const workerGroupSpecs = cluster.workerGroupSpecs?.map((group) => ({ ...group, replicas: Math.max(1, group.minReplicas) }));
  return { ...cluster, ...(workerGroupSpecs && { workerGroupSpecs }) };
}

/** What the paces of an upgrade are evaluated for. */
interface PaceContext {
  /** The RayService with any pace. */
  readonly rayService: Manifest;
  readonly cluster: RayClusterSpec;
  /** Other objects that limit its pods. */
  readonly surroundings: readonly Manifest[];
  readonly kuberay: string;
  readonly startupSeconds: number;
}

/** Returns a RayService with another pace, or another cluster. */
function withStrategy(rayService: Manifest, pace: Pace, cluster?: RayClusterSpec): Manifest {
  const spec = rayService.spec as Fields;
  const upgradeStrategy = getFieldsAt(spec, 'upgradeStrategy');
  const clusterUpgradeOptions = { ...getFieldsAt(upgradeStrategy, 'clusterUpgradeOptions'), ...pace };
  const rayClusterConfig = { ...getFieldsAt(spec, 'rayClusterConfig'), ...cluster };
  return { ...rayService, spec: { ...spec, upgradeStrategy: { ...upgradeStrategy, clusterUpgradeOptions }, rayClusterConfig } };
}

/** A pace that KubeRay accepts. */
const ANY_PACE: Pace = { maxSurgePercent: 100, stepSizePercent: 100, intervalSeconds: ADVISED_INTERVAL_SECONDS };

/** Evaluates the paces of one upgrade, each once. */
class PaceEvaluator {
  /** Workers that figures are for: the planned ones, and those at the limits of the autoscaler. */
  public sizes: readonly number[] = [];
  /** Whether the autoscaler may add workers without limit. */
  public isUnlimited = false;
  private readonly known = new Map<string, EvaluatedPace>();
  private readonly planned = new Map<string, EvaluatedPace>();
  /** Surges whose pods do not fit, whatever the step and the interval. */
  private readonly tooLarge = new Map<number, EvaluatedPace>();
  /** Sizes of both clusters at the planned, the fewest and the most workers, by surge. */
  private readonly workers = new Map<number, readonly (WorkerSize | undefined)[]>();
  private readonly service: ParsedRayService;
  private readonly startup: RayStartup;
  private readonly headGpus: number;

  constructor(private readonly context: PaceContext) {
    const { rayService, cluster, kuberay, startupSeconds } = context;
    this.service = readRayService(withStrategy(rayService, ANY_PACE), kuberay);
    this.startup = resolveRayStartup(this.service, startupSeconds)!;
    this.headGpus = countGpus(sumPodResources(cluster.headGroupSpec?.template));
  }

  /** Whether KubeRay refuses the upgrade, whatever its pace. */
  get isRefused(): boolean {
    return validateRayService(this.service).isRefused;
  }

  /** Returns the figures of a pace if all pods fit. */
  evaluate(maxSurgePercent: number, stepSizePercent: number, intervalSeconds: number): EvaluatedPace {
    const pace = { maxSurgePercent, stepSizePercent, intervalSeconds };
    const key = keyOf(pace);
    const found = this.known.get(key) ?? this.simulate(pace);
    this.known.set(key, found);
    return found;
  }

  /** Returns the figures of a pace under the surroundings, as its plan shows them. No figure is better than without surroundings. */
  evaluateInCluster(pace: EvaluatedPace): EvaluatedPace {
    if (this.context.surroundings.length === 0) return pace;
    const key = keyOf(pace.strategy);
    const found = this.planned.get(key) ?? this.plan(pace);
    this.planned.set(key, found);
    return found;
  }

  /** Returns the figures that are known of a pace: those under the surroundings, if they were needed. */
  getKnown(pace: EvaluatedPace): EvaluatedPace {
    return this.planned.get(keyOf(pace.strategy)) ?? pace;
  }

  private simulate(pace: Pace): EvaluatedPace {
    const { service, startup } = this;
    const unreachableCapacity = getUnreachableCapacity(service.serveConfig.config);
    const simulation = simulateIncrementalUpgrade(pace, { startup, canRollBack: false, unreachableCapacity });
    const duration = computeUpgradeDuration({ pace, groups: service.groups, simulation, startup, idle: 0 });
    const sizes = this.workers.get(pace.maxSurgePercent) ?? this.computeSizes(listCapacityRows(simulation));
    this.workers.set(pace.maxSurgePercent, sizes);
    this.sizes = sizes.map((size) => size?.pods ?? 0);
    return {
      strategy: pace,
      figures: sizes.map((size) => this.toFigures(size, duration)),
      isSound: checkSurgeBelowOnePod(service, pace).length === 0,
    };
  }

  private computeSizes(rows: readonly CapacityRow[]): (WorkerSize | undefined)[] {
    const { rayService, cluster, kuberay } = this.context;
    const workers = computeRolloutWorkers(this.service, rows);
    if (!workers?.autoscaled) return [workers];
    this.isUnlimited = workers.maximum === undefined;
    const fewest = readRayService(withStrategy(rayService, ANY_PACE, withFewestWorkers(cluster)), kuberay);
    return [workers, computeRolloutWorkers(fewest, rows), workers.maximum];
  }

  private plan(ideal: EvaluatedPace): EvaluatedPace {
    const { rayService, surroundings, kuberay, startupSeconds } = this.context;
    const { maxSurgePercent } = ideal.strategy;
    const tooLarge = this.tooLarge.get(maxSurgePercent);
    if (tooLarge) return { ...tooLarge, strategy: ideal.strategy };
    const service = withStrategy(rayService, ideal.strategy);
    const { rollouts } = planInput({ objects: [service, ...surroundings] }, { versions: { kuberay }, startupSeconds });
    const found = rollouts.find(({ system, resource }) => system === 'kuberay' && resource.name === service.metadata!.name);
    const { duration, capacity } = found!;
    const verdict = capacity?.verdict ?? 'fits';
    const seconds = duration?.expectedSeconds ?? null;
    const figures = ideal.figures.map((run) => createPaceFigures({ ...run.figures, seconds, verdict }, capacity?.message));
    const planned = { ...ideal, figures };
    if (DOUBTS[verdict] > 0) this.tooLarge.set(maxSurgePercent, planned);
    return planned;
  }

  private toFigures(size: WorkerSize | undefined, duration: RolloutDuration | undefined): RunFigures {
    const { pods = 0, surgePods: extraPods = 0, surgeGpus = 0 } = size ?? {};
    return createPaceFigures({
      peakPods: pods + extraPods,
      extraPods,
      extraGpus: surgeGpus + this.headGpus,
      leastAvailable: pods,
      seconds: duration?.expectedSeconds ?? null,
      brokenByBadVersion: duration?.blastRadius ?? 0,
      verdict: 'fits',
    });
  }
}

/** Creates the figures of a pace. A service without GPUs is compared by its pods. */
function createPaceFigures(figures: RolloutFigures, message?: string): RunFigures {
  const run = createRunFigures(figures, message);
  return { ...run, metrics: { ...run.metrics, extra: figures.extraGpus || figures.extraPods } };
}

function keyOf({ maxSurgePercent, stepSizePercent, intervalSeconds }: Pace): string {
  return `${maxSurgePercent} ${stepSizePercent} ${intervalSeconds}`;
}

const PERCENTAGES = Array.from({ length: 100 }, (_, index) => index + 1);

/** Lists the best pace of each surge: the largest step, because a smaller one never finishes earlier and needs as many pods. */
function listPaces(evaluator: PaceEvaluator, maxStep: number, intervalSeconds: number): EvaluatedPace[] {
  return PERCENTAGES.map((surge) => evaluator.evaluate(surge, Math.min(surge, maxStep), intervalSeconds));
}

/**
 * Returns the preferred one of the paces that meet all limits in their cluster. It plans few of them: once one meets the limits, a pace
 * that is not better even if all pods fit is not planned.
 */
function findBestInCluster(
  paces: readonly EvaluatedPace[],
  evaluator: PaceEvaluator,
  constraints: readonly GoalConstraint[],
  preference: Preference,
): EvaluatedPace | undefined {
  const compare = compareByPreference(preference);
  let best: EvaluatedPace | undefined;
  for (const pace of paces.filter((each) => isWithinAll(each, constraints)).toSorted(compare)) {
    if (best && compare(pace, best) >= 0) break;
    const planned = evaluator.evaluateInCluster(pace);
    if (isWithinAll(planned, constraints) && (!best || compare(planned, best) < 0)) best = planned;
  }
  return best;
}

/** Returns the pace with the smallest step that takes as long as this one: fewer requests reach a bad version at first. */
function withSmallestStep(evaluator: PaceEvaluator, pace: EvaluatedPace): Pace {
  const { maxSurgePercent, stepSizePercent, intervalSeconds } = pace.strategy;
  const secondsOf = ({ figures }: EvaluatedPace) => figures[0]!.metrics.seconds;
  const isAsFast = (step: number) => {
    const smaller = evaluator.evaluate(maxSurgePercent, step, intervalSeconds);
    return secondsOf(evaluator.evaluateInCluster(smaller)) <= secondsOf(pace);
  };
  const fewer = findLargest(stepSizePercent - 1, (distance) => isAsFast(stepSizePercent - distance));
  return { maxSurgePercent, stepSizePercent: stepSizePercent - fewer, intervalSeconds };
}

/** What a pace is resolved for. */
interface PaceRequest {
  readonly goal: UpgradeGoal;
  /** Written interval. @default - the advised one, or the longest one that is in time */
  readonly intervalSeconds: number | undefined;
  readonly evaluator: PaceEvaluator;
}

/**
 * Finds the best pace. All surges are tried, each with the largest allowed step. The interval is the one that the guide advises, or the
 * longest one that is in time. An upgrade that is refused whatever its pace gets any pace, so that its errors are reported.
 *
 * @throws IntentError if no pace meets the goal
 */
function findBestPace({ goal, intervalSeconds, evaluator }: PaceRequest): Pace {
  const { limits, maxStep } = readGoal(goal);
  const longest = intervalSeconds ?? ADVISED_INTERVAL_SECONDS;
  if (evaluator.isRefused) return ANY_PACE;
  listPaces(evaluator, maxStep, longest);
  if (evaluator.isUnlimited && limits.extraGpus !== undefined) {
    throw new IntentError(`upgrade.goal.extraGpus: ${UNLIMITED_WORKERS} Set maxReplicas`);
  }
  const { sizes } = evaluator;
  // The time, and whether the pods fit, do not depend on the autoscaler.
  const constraints = createConstraints(limits, sizes, { unitPods: 1, hasKnownRequests: true }, []).filter(
    ({ limit, size }) => size === 0 || limit === 'extraGpus',
  );
  const findBestAt = (interval: number) => {
    const paces = listPaces(evaluator, maxStep, interval);
    const sound = paces.filter(({ isSound }) => isSound);
    const find = (among: readonly EvaluatedPace[]) => findBestInCluster(among, evaluator, constraints, preferenceOf(limits));
    return find(sound) ?? find(paces);
  };
  const hasBestAt = (interval: number) => findBestAt(interval) !== undefined;
  const interval = hasBestAt(longest) ? longest : intervalSeconds === undefined ? findLargest(longest, hasBestAt) || undefined : undefined;
  const best = interval === undefined ? undefined : findBestAt(interval);
  if (best) return withSmallestStep(evaluator, best);
  const fastest = listPaces(evaluator, maxStep, intervalSeconds ?? 1).map((pace) => evaluator.getKnown(pace));
  throw createUnmetGoalError({
    prop: 'upgrade.goal',
    tried: 'pace',
    goal: formatUpgradeGoal(limits, goal),
    subject: pluralize(sizes[0]!, 'worker'),
    unmet: explainUnmet(fastest, constraints, sizes),
  });
}

/**
 * Resolves the goal of an upgrade to the best pace for the service that it leads to. Returns props in numbers as they are.
 *
 * @param name - of the upgrade
 * @param service - that the upgrade leads to
 * @param surroundings - other objects that limit its pods, such as quotas
 * @throws IntentError for a goal that cannot be read, or that no pace meets
 */
export function resolvePace<Props extends ServiceUpgradeProps & Pick<OperatorUpgradeProps, 'metadata'>>(
  name: string,
  props: Props,
  { serveConfig, rayCluster }: UpgradedService,
  surroundings: SurroundingsReader,
): { readonly paced: WithPace<Props>; readonly origin?: GoalOrigin } {
  const { upgrade, metadata, kuberay, startupSeconds } = props;
  if (!isGoal(upgrade)) return { paced: { ...props, upgrade } };
  const { goal, gatewayClassName, intervalSeconds } = upgrade;
  const service = { serveConfig, rayCluster, ...(metadata && { metadata }), ...(kuberay !== undefined && { kuberay }) };
  return runGoalResolution('upgrade.goal', () => {
    const beside = (['maxSurgePercent', 'stepSizePercent'] as const).find((field) => upgrade[field] !== undefined);
    if (beside !== undefined) throw new IntentError(`upgrade.${beside} is set next to upgrade.goal, which decides it: delete one of them`);
    readGoal(goal);
    const text = formatUpgradeGoal(goal, goal);
    if (text === '') throw new IntentError('upgrade.goal has no limit: write extraGpus, within or maxStep');
    const { rayService } = resolveOperatorUpgrade(name, { ...service, upgrade: { gatewayClassName, ...ANY_PACE } });
    const evaluator = new PaceEvaluator({
      rayService,
      cluster: rayCluster,
      surroundings: surroundings(),
      kuberay: resolveVersions({ kuberay }).kuberay,
      startupSeconds: goal.startupSeconds ?? (startupSeconds || ASSUMED_STARTUP_SECONDS),
    });
    const pace = findBestPace({ goal, intervalSeconds, evaluator });
    const origin: GoalOrigin = { reason: `goal: ${text}`, values: { ...pace } };
    return { paced: { ...props, upgrade: { gatewayClassName, ...pace } }, origin };
  });
}

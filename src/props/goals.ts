import { adviseInput } from '../advise/advise';
import { isGoal } from '../advise/goal';
import { formatStartupKey } from '../core/values/startup-seconds';
import type { AdviceAssumptions, RolloutGoal } from '../core/document/advice';
import { describeValue } from '../core/text/display-value';
import { formatGoal } from '../core/document/goal-text';
import { IntentError } from '../core/errors/intent-error';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { PlannedRollout } from '../core/document/rollout';
import { isInt32 } from '../core/values/int-or-percent';
import type { Provenance } from '../core/document/provenance';
import { pluralize } from '../core/text/text-format';
import type { LLMInferenceServiceRolloutProps, LlmRollout } from '../systems/llminferenceservice/props';
import type { PlanInput } from '../plan/plan-input';
import type { PlanOptions } from '../plan/plan-options';
import { buildInferenceService } from '../systems/kserve/manifests';
import { COMPONENTS } from '../systems/kserve/service';
import type { InferenceServiceProps, ResolvedComponent, ResolvedInferenceService } from '../systems/kserve/types';
import { buildLeaderWorkerSet } from '../systems/leaderworkerset/props';
import type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
import { listLlmDrains, resolveLlmVersion } from '../systems/llminferenceservice/props';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import { drainGroups } from '../workloads/leader-worker-set/props';
import { listDrainOrigins, readLimits } from './goal-origin';
import { llmOptionsOf, resolveLlmService } from './llm-inference-service';
import type { GoalOrigin } from './goal-origin';
import { createUnmetGoalError, runGoalResolution } from './unmet-goal';
import type { GoalIntent, RolloutIntent } from '../workloads/deployment/intent';
import type { WorkloadPolicy } from '../workloads/policies';

/** Returns the other objects that limit pods: quotas, budgets, autoscalers. It is only called for a goal. */
export type SurroundingsReader = () => readonly Manifest[];

/**
 * Throws for a limit next to a goal, which would have no effect because the goal decides all of them.
 *
 * @param prop - of the rollout: `predictor.rollout`
 */
export function requireOnlyGoal(intent: GoalIntent, prop: string): void {
  const field = Object.keys(intent).find((key) => key !== 'goal');
  if (field !== undefined) throw new IntentError(`${prop}.${field} is set next to ${prop}.goal, which decides it: delete one of them`);
}

/** A strategy for a goal, and the reason for it. */
export interface ResolvedIntent {
  /** The strategy that the API server stores. */
  readonly strategy: unknown;
  /** `goal: 6 available, at most 2 extra GPUs, within 15m` */
  readonly reason: string;
  /** Component of the object. @default - it has only one */
  readonly component?: string;
}

/** Where a goal is, and what it is resolved for. */
export interface GoalRequest {
  readonly intent: GoalIntent;
  /** Prop of the goal: `predictor.rollout`. */
  readonly prop: string;
  readonly input: PlanInput;
  readonly options: PlanOptions;
  /** Selects the rollout of the goal. @default - the only one */
  readonly isSelected?: (rollout: PlannedRollout) => boolean;
}

/** Formats what a goal depends on and the object does not show. */
function formatAssumptions({ within }: RolloutGoal, { startupSeconds, withoutGpus }: AdviceAssumptions = {}): string {
  const startup = within !== undefined && startupSeconds !== undefined ? `; assumes ${startupSeconds} s until a pod is ready` : '';
  return `${startup}${withoutGpus ? '; the pods request no GPU, so extraGpus limits nothing' : ''}`;
}

/**
 * Resolves a goal to the best strategy of an object that has any other strategy.
 *
 * @throws IntentError for a goal that cannot be read, that no strategy meets, or whose object has no strategy to choose
 */
export function resolveRolloutGoal({ intent, prop, input, options, isSelected = () => true }: GoalRequest): ResolvedIntent {
  requireOnlyGoal(intent, prop);
  const { startupSeconds, ...goal } = intent.goal;
  const path = `${prop}.goal`;
  if (formatGoal(goal) === undefined && Object.keys(goal).every((field) => field === 'prefer')) {
    throw new IntentError(`${path} has no limit: write available, extraPods, extraGpus or within`);
  }
  const planned = { ...options, ...(startupSeconds !== undefined && { startupSeconds }) };
  const { rollouts, notAdvised } = runGoalResolution(path, () => adviseInput(input, planned, goal, isSelected));
  const [advised] = rollouts;
  if (!advised) throw new IntentError(`${path} cannot be resolved. ${notAdvised[0]?.reason ?? 'The object rolls nothing out.'}`);
  const { best, replicas, unmet = [] } = advised;
  const text = formatGoal(goal)!;
  if (!best) throw createUnmetGoalError({ prop: path, tried: 'strategy', goal: text, subject: pluralize(replicas, 'replica'), unmet });
  const { component } = advised.resource;
  const note = formatAssumptions(goal, advised.assumed);
  return { strategy: best.strategy, reason: `goal: ${text}${note}`, ...(component !== undefined && { component }) };
}

/** A strategy of an object whose goal is not resolved yet. Every kind of rollout allows it. */
const UNRESOLVED = { maxSurge: 1, maxUnavailable: 0 } as const;

function readGroupLimits(strategy: unknown): typeof UNRESOLVED {
  return (strategy as { readonly rollingUpdateConfiguration: typeof UNRESOLVED }).rollingUpdateConfiguration;
}

/** Converts a strategy of a Deployment to an intent. */
export function toRolloutIntent(strategy: unknown): RolloutIntent {
  const { type, rollingUpdate } = strategy as { readonly type: unknown; readonly rollingUpdate?: typeof UNRESOLVED };
  return type === 'Recreate' ? { type } : { type: 'RollingUpdate', ...rollingUpdate };
}

/** Replaces a goal by any strategy, so that the object can be built and planned. */
export function replaceGoal(rollout: RolloutIntent): RolloutIntent {
  return isGoal(rollout) ? { type: 'RollingUpdate', ...UNRESOLVED } : rollout;
}

function withReason(component: ResolvedComponent, reason: string | undefined): ResolvedComponent {
  if (reason === undefined) return component;
  const isResolved = ({ field, layer }: Provenance) => layer === 'user' && ['type', 'maxSurge', 'maxUnavailable'].includes(field);
  const provenance = component.provenance.map((field) => (isResolved(field) ? { ...field, reason } : field));
  return { ...component, provenance };
}

/**
 * Builds an InferenceService, with the goals of its components resolved to the best strategies. Each field of such a strategy has the goal as
 * the reason in its provenance.
 *
 * @param surroundings other objects that limit its pods, such as quotas
 * @throws IntentError for a goal that cannot be resolved
 */
export function buildServiceWithGoals(
  name: string,
  props: InferenceServiceProps,
  { kserveConfig, surroundings = () => [] }: { readonly kserveConfig?: Fields; readonly surroundings?: SurroundingsReader } = {},
): ResolvedInferenceService {
  const goals = COMPONENTS.filter((component) => isGoal(props[component]?.rollout));
  if (goals.length === 0) return buildInferenceService(name, props);
  const withRollouts = (rolloutOf: (component: (typeof COMPONENTS)[number]) => RolloutIntent): InferenceServiceProps =>
    goals.reduce((built, component) => ({ ...built, [component]: { ...built[component], rollout: rolloutOf(component) } }), props);
  const { manifest } = buildInferenceService(
    name,
    withRollouts((component) => replaceGoal(props[component]!.rollout!)),
  );
  const options = { versions: { kserve: props.kserve }, ...(kserveConfig && { kserveConfig }) };
  const resolved = new Map(
    goals.map((component) => {
      const intent = props[component]!.rollout as GoalIntent;
      const isSelected = ({ resource }: PlannedRollout) => resource.component === component && resource.name === manifest.metadata?.name;
      const input = { objects: [manifest, ...surroundings()] };
      return [component, resolveRolloutGoal({ intent, prop: `${component}.rollout`, input, options, isSelected })];
    }),
  );
  const service = buildInferenceService(
    name,
    withRollouts((component) => toRolloutIntent(resolved.get(component)!.strategy)),
  );
  const reasonOf = ({ component }: ResolvedComponent) => resolved.get(component as (typeof COMPONENTS)[number])?.reason;
  return { ...service, components: service.components.map((component) => withReason(component, reasonOf(component))) };
}

/** An object whose goals are resolved. */
export interface ObjectWithGoals {
  readonly manifest: Manifest;
  /** Origins of the strategies that follow from goals. */
  readonly origins: readonly GoalOrigin[];
}

/** Builds a LeaderWorkerSet, with a goal resolved to the best limits. @throws IntentError for a goal that cannot be resolved */
export function buildLeaderWorkerSetWithGoal(
  name: string,
  props: LeaderWorkerSetRolloutProps,
  surroundings: SurroundingsReader = () => [],
): ObjectWithGoals {
  const { rollout, versions } = props;
  const drains = listDrainOrigins(drainGroups(props).provenance);
  if (!isGoal(rollout)) return { manifest: buildLeaderWorkerSet(name, props), origins: drains };
  const manifest = buildLeaderWorkerSet(name, { ...props, rollout: { maxSurge: 0, maxUnavailable: 1 } });
  const { strategy, reason } = resolveRolloutGoal({
    intent: rollout,
    prop: 'rollout',
    input: { objects: [manifest, ...surroundings()] },
    options: { ...(versions && { versions }) },
    isSelected: ({ resource }) => resource.kind === manifest.kind && resource.name === manifest.metadata?.name,
  });
  const { maxSurge, maxUnavailable } = readGroupLimits(strategy);
  const origin = { reason, values: readLimits(strategy) };
  return { manifest: buildLeaderWorkerSet(name, { ...props, rollout: { maxSurge, maxUnavailable } }), origins: [origin, ...drains] };
}

/** A workload of an LLMInferenceService whose limits can be chosen. */
type LlmWorkload = 'main' | 'prefill';

/** Reports whether a workload has this name in the plan. The main one is called `decode` if there is a prefill. */
function isComponentOf(workload: LlmWorkload, component: string | undefined): boolean {
  return workload === 'prefill' ? component === 'prefill' : component === 'workload' || component === 'decode';
}

/**
 * Builds an LLMInferenceService, with the goals of its workloads resolved to the best limits.
 *
 * @throws IntentError for a goal that cannot be resolved, and as `resolveLlmService`
 */
export function buildLlmServiceWithGoals(
  name: string,
  props: LLMInferenceServiceRolloutProps,
  surroundings: SurroundingsReader = () => [],
): ObjectWithGoals {
  const { rollout, prefill } = props;
  const goals = [
    ...(isGoal(rollout) ? [{ prop: 'rollout', workload: 'main', intent: rollout } as const] : []),
    ...(isGoal(prefill?.rollout) ? [{ prop: 'prefill.rollout', workload: 'prefill', intent: prefill.rollout } as const] : []),
  ];
  const drains = listLlmDrains(props, resolveLlmVersion(props) ?? DEFAULT_VERSIONS.kserve).flatMap(({ component, provenance }) =>
    listDrainOrigins(provenance, component),
  );
  if (goals.length === 0) return { manifest: resolveLlmService(name, props), origins: drains };
  const withLimits = (limitsOf: (workload: LlmWorkload) => LlmRollout | undefined): LLMInferenceServiceRolloutProps => {
    const [main, other] = [limitsOf('main'), limitsOf('prefill')];
    return { ...props, ...(main && { rollout: main }), ...(prefill && other && { prefill: { ...prefill, rollout: other } }) };
  };
  const hasGoal = (workload: LlmWorkload) => goals.some((goal) => goal.workload === workload);
  const manifest = resolveLlmService(
    name,
    withLimits((workload) => (hasGoal(workload) ? UNRESOLVED : undefined)),
  );
  const resolved = goals.map(({ prop, workload, intent }) => {
    const isSelected = ({ resource }: PlannedRollout) =>
      resource.kind === manifest.kind && resource.name === manifest.metadata?.name && isComponentOf(workload, resource.component);
    const input = { objects: [manifest, ...surroundings()] };
    return { workload, ...resolveRolloutGoal({ intent, prop, input, options: llmOptionsOf(props), isSelected }) };
  });
  const limitsOf = (workload: LlmWorkload): LlmRollout | undefined => {
    const found = resolved.find((each) => each.workload === workload);
    if (!found) return undefined;
    const { maxSurge, maxUnavailable } = readLimits(found.strategy);
    return { maxSurge, maxUnavailable } as LlmRollout;
  };
  const origins = resolved.map(({ component, strategy, reason }) => ({ component, reason, values: readLimits(strategy) }));
  return { manifest: resolveLlmService(name, withLimits(limitsOf)), origins: [...origins, ...drains] };
}

/** Returns the nodes that the goal of a policy gives for a DaemonSet, as an option of its plan. */
export function daemonSetNodesOf({ goal }: WorkloadPolicy, { kind, metadata }: Manifest): Pick<PlanOptions, 'daemonSetNodes'> {
  if (goal?.nodes === undefined || metadata?.name === undefined) return {};
  const { nodes } = goal;
  if (!isInt32(nodes) || nodes < 1)
    throw new IntentError(`nodes is ${describeValue(nodes)}: write the number of nodes that the pods run on`);
  const { namespace, name } = metadata;
  return { daemonSetNodes: { [formatStartupKey({ kind, namespace, name })]: nodes } };
}

/** A policy whose goal is resolved for one workload. */
export interface ResolvedPolicy<Policy extends WorkloadPolicy> {
  readonly policy: Policy;
  /** Origin of the strategy, if it follows from a goal. */
  readonly origin?: GoalOrigin;
}

/**
 * Resolves the goal of a policy for one workload. Returns the policy itself if it has none.
 *
 * @param surroundings other objects that limit its pods: autoscalers, quotas, budgets
 * @throws IntentError for a goal that cannot be resolved
 */
export function resolvePolicyGoal<Policy extends WorkloadPolicy>(
  policy: Policy,
  workload: Manifest,
  surroundings: SurroundingsReader = () => [],
): ResolvedPolicy<Policy> {
  const { goal, ...resolved } = policy;
  if (!goal || workload.kind !== policy.kind) return { policy };
  const { intent, kubernetes } = goal;
  if (!isGoal(intent)) throw new IntentError(`rollout is ${describeValue(intent)}: write Rollout.goal({ available: 6 })`);
  if (policy.kind === 'DaemonSet' && goal.nodes === undefined && !surroundings().some(({ kind }) => kind === 'Node')) {
    throw new IntentError('rollout.goal needs the number of nodes that the pods run on: write nodes: 20');
  }
  const spec = { ...(workload.spec as Fields), ...policy.spec };
  const { strategy, reason } = resolveRolloutGoal({
    intent,
    prop: 'rollout',
    input: { objects: [{ ...workload, spec }, ...surroundings()] },
    options: { ...(kubernetes !== undefined && { versions: { kubernetes } }), ...daemonSetNodesOf(policy, workload) },
    isSelected: ({ resource }) => resource.kind === workload.kind && resource.name === workload.metadata?.name,
  });
  const field = policy.kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  const origin = { reason, values: readLimits(strategy) };
  return { policy: { ...resolved, spec: { ...policy.spec, [field]: strategy } } as Policy, origin };
}

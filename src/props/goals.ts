import { adviseInput } from '../advise/advise';
import { GoalError } from '../advise/goal';
import type { AdvisedRollout, RolloutGoal, UnmetLimit } from '../core/advice';
import { describeValue } from '../core/display-value';
import { formatGoal, formatUnmetLimit } from '../core/goal-text';
import { IntentError } from '../core/intent-error';
import { isFields } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { isInt32 } from '../core/int-or-percent';
import { capitalize, pluralize } from '../core/text-format';
import type { PlanInput } from '../plan/plan-input';
import type { PlanOptions } from '../plan/plan-options';
import { buildInferenceService } from '../systems/kserve/manifests';
import { COMPONENTS } from '../systems/kserve/service';
import type { InferenceServiceProps, ResolvedComponent, ResolvedInferenceService } from '../systems/kserve/types';
import { buildLeaderWorkerSet } from '../systems/leaderworkerset/props';
import type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
import type { GoalIntent, RolloutIntent } from '../workloads/deployment/intent';
import type { PolicyGoal, WorkloadPolicy } from '../workloads/policies';

/** Reports whether a rollout is a goal, which has to be resolved for its object. */
export function isGoalIntent(rollout: unknown): rollout is GoalIntent {
  return isFields(rollout) && isFields(rollout.goal);
}

/** Returns the other objects that limit pods: quotas, budgets, autoscalers. It is only called for a goal. */
export type SurroundingsReader = () => readonly Manifest[];

/** A strategy for a goal, and the reason for it. */
export interface ResolvedIntent {
  /** The strategy that the API server stores. */
  readonly strategy: unknown;
  /** `goal: 6 available, at most 2 extra GPUs, within 15m` */
  readonly reason: string;
}

function explainUnmet(goal: RolloutGoal, { replicas, unmet = [] }: AdvisedRollout): string {
  const reasons = [...new Set(unmet.flatMap(({ because }: UnmetLimit) => because ?? []))];
  return [
    `No strategy meets the goal of ${formatGoal(goal)} for ${pluralize(replicas, 'replica')}.`,
    `${capitalize(unmet.map(formatUnmetLimit).join('; '))}.`,
    ...reasons,
    'Ask for less, or change what is in the way',
  ].join(' ');
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

/**
 * Resolves a goal to the best strategy of an object that has any other strategy.
 *
 * @throws IntentError for a goal that cannot be read, that no strategy meets, or whose object has no strategy to choose
 */
export function resolveRolloutGoal({ intent, prop, input, options, isSelected = () => true }: GoalRequest): ResolvedIntent {
  const { startupSeconds, ...goal } = intent.goal;
  if (formatGoal(goal) === undefined) throw new IntentError(`${prop}.goal has no limit: write available, extraPods, extraGpus or within`);
  const planned = { ...options, ...(startupSeconds !== undefined && { startupSeconds }) };
  try {
    const { rollouts, notAdvised } = adviseInput(input, planned, goal, isSelected);
    const [advised] = rollouts;
    if (!advised) throw new IntentError(`${prop}.goal cannot be resolved. ${notAdvised[0]?.reason ?? 'The object rolls nothing out.'}`);
    if (!advised.best) throw new IntentError(`${prop}.goal: ${explainUnmet(goal, advised)}`);
    return { strategy: advised.best.strategy, reason: `goal: ${formatGoal(goal)}` };
  } catch (error) {
    if (error instanceof GoalError) throw new IntentError(`${prop}.goal.${error.field}: ${error.message}`);
    if (error instanceof RangeError) throw new IntentError(`${prop}.goal: ${error.message}`);
    throw error;
  }
}

/** A strategy of an object whose goal is not resolved yet. Every kind of rollout allows it. */
const UNRESOLVED = { maxSurge: 1, maxUnavailable: 0 } as const;

/** Converts a strategy of a Deployment to an intent. */
export function toRolloutIntent(strategy: unknown): RolloutIntent {
  const { type, rollingUpdate } = strategy as { readonly type: unknown; readonly rollingUpdate?: typeof UNRESOLVED };
  return type === 'Recreate' ? { type } : { type: 'RollingUpdate', ...rollingUpdate };
}

/** Replaces a goal by any strategy, so that the object can be built and planned. */
export function replaceGoal(rollout: RolloutIntent): RolloutIntent {
  return isGoalIntent(rollout) ? { type: 'RollingUpdate', ...UNRESOLVED } : rollout;
}

function withReason(component: ResolvedComponent, reason: string | undefined): ResolvedComponent {
  if (reason === undefined) return component;
  const provenance = component.provenance.map((field) => (field.layer === 'user' ? { ...field, reason } : field));
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
  const goals = COMPONENTS.filter((component) => isGoalIntent(props[component]?.rollout));
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

/** Builds a LeaderWorkerSet, with a goal resolved to the best limits. @throws IntentError for a goal that cannot be resolved */
export function buildLeaderWorkerSetWithGoal(
  name: string,
  props: LeaderWorkerSetRolloutProps,
  surroundings: SurroundingsReader = () => [],
): Manifest {
  const { rollout, versions } = props;
  if (!isGoalIntent(rollout)) return buildLeaderWorkerSet(name, props);
  const manifest = buildLeaderWorkerSet(name, { ...props, rollout: { maxSurge: 0, maxUnavailable: 1 } });
  const { strategy } = resolveRolloutGoal({
    intent: rollout,
    prop: 'rollout',
    input: { objects: [manifest, ...surroundings()] },
    options: { ...(versions && { versions }) },
    isSelected: ({ resource }) => resource.kind === manifest.kind,
  });
  const { maxSurge, maxUnavailable } = (strategy as { readonly rollingUpdateConfiguration: typeof UNRESOLVED }).rollingUpdateConfiguration;
  return buildLeaderWorkerSet(name, { ...props, rollout: { maxSurge, maxUnavailable } });
}

/** Creates the nodes of a DaemonSet. Nothing is known of their capacity. */
function createNodes({ nodes }: PolicyGoal): Manifest[] {
  if (nodes === undefined) return [];
  if (!isInt32(nodes) || nodes < 1)
    throw new IntentError(`nodes is ${describeValue(nodes)}: write the number of nodes that the pods run on`);
  return Array.from({ length: nodes }, (_, index) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${index + 1}` } }));
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
): Policy {
  const { goal, ...resolved } = policy;
  if (!goal || workload.kind !== policy.kind) return policy;
  const { intent, kubernetes } = goal;
  if (!isGoalIntent(intent)) throw new IntentError(`rollout is ${describeValue(intent)}: write Rollout.goal({ available: 6 })`);
  const spec = { ...(workload.spec as Fields), ...policy.spec };
  const { strategy } = resolveRolloutGoal({
    intent,
    prop: 'rollout',
    input: { objects: [{ ...workload, spec }, ...surroundings(), ...createNodes(goal)] },
    options: { ...(kubernetes !== undefined && { versions: { kubernetes } }) },
    isSelected: ({ resource }) => resource.kind === workload.kind && resource.name === workload.metadata?.name,
  });
  const field = policy.kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  return { ...resolved, spec: { ...policy.spec, [field]: strategy } } as Policy;
}

import type { PlannedChange } from '../core/document/change';
import { Deadline, DeadlineError } from '../core/budget/deadline';
import type { PlanDocument } from '../core/document/plan-document';
import { addPlannedChange } from '../core/document/plan-key-order';
import { resolveVersions } from '../core/values/versions';
import { normalizeObjects } from '../input/normalize-objects';
import type { PlanBudget } from '../input/read-budget';
import { readInputDefinitions } from '../plan/input-definitions';
import { buildFullContext, planInput } from '../plan/plan';
import { createTimeoutFinding, resolvePlanBudget } from '../plan/plan-budget';
import type { PlanInput } from '../plan/plan-input';
import { PLAN_OPTIONS, validateOptions, wrapAsOptionError } from '../plan/validate-options';
import { APPLY_OPTIONS, assertKnownApplyMode } from './change-options';
import type { ChangeOptions } from './change-options';
import type { PodCountContext } from './result/pod-counts';
import type { ChangeRun, ChangeRunOptions, OldInput } from './change-state';
import { checkNextRollouts } from './steps/check-next-rollouts';
import { compareSides, createAppliedFormLookup } from './steps/compare-sides';
import { describeChange, summarizeChange } from './steps/describe-change';
import { evaluateEffects } from './steps/evaluate-effects';
import { includeBrokenObjects } from './steps/include-broken-objects';
import { matchSides } from './steps/match-sides';
import { planResult } from './steps/plan-result';

/**
 * The steps of a change, in order. Each reads what those before it found, and adds to it. `docs/architecture.md` shows the same list.
 *
 * @throws DeadlineError if comparing takes longer than the budget allows
 */
function runSteps(run: ChangeRun): PlanDocument {
  const matched = matchSides(run);
  const compared = compareSides(matched);
  run.options.onCompared?.(createAppliedFormLookup(compared));
  const evaluated = evaluateEffects(compared);
  const planned = planResult(evaluated);
  const result = includeBrokenObjects(planned);
  const plan = checkNextRollouts(result);
  return describeChange(result, plan);
}

/** Builds the plan of a change that timed out before any result was available. */
function buildTimedOutPlan(old: PlanInput, next: PlanInput, options: ChangeRunOptions, budget: PlanBudget): PlanDocument {
  const findings = [...(next.findings ?? []), ...(old.findings ?? []), createTimeoutFinding(budget)];
  const plan = planInput({ ...next, objects: [], findings }, options);
  const context: PodCountContext = {
    oldContext: buildFullContext([], options),
    podsPlanned: new Map(),
    limitToCapacity: (desired) => desired,
  };
  const summary = summarizeChange([], new Map(), [], [], context);
  return addPlannedChange(
    plan,
    { apply: options.apply ?? 'auto', pruned: options.prune ?? false, admissionNotChecked: true, summary, objects: [] },
    [],
  );
}

/** Plans a change of objects that are already read. */
export function planChangedInput(old: OldInput, next: PlanInput, options: ChangeRunOptions = {}): PlanDocument {
  const budget = resolvePlanBudget(options.budget);
  try {
    const deadline = new Deadline(budget.seconds);
    const versions = resolveVersions(options.versions);
    return deadline.limit(() => {
      // An upgrade changes no object.
      const definitions = options.upgrade ? undefined : readInputDefinitions(next, versions.kubernetes, budget.seconds, old.objects);
      return runSteps({ old, next: { ...next, ...(definitions && { definitions }) }, options, versions, deadline });
    });
  } catch (error) {
    if (error instanceof DeadlineError) return buildTimedOutPlan(old, next, options, budget);
    throw error;
  }
}

/**
 * Plans a change of Kubernetes objects as plain data: what happens to each object and its pods if NEW is applied over OLD.
 *
 * OLD may contain manifests as written, and live objects with those that their controllers created (ReplicaSets, ControllerRevisions, Pods):
 * the plan then starts from the state of the cluster. No object makes it throw; what cannot be planned is a finding.
 *
 * @throws VersionError for an unknown product or a version that is none
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 *
 * @example
 * const { change } = planChange([before], [after]);
 * change.objects[0].effect; // 'roll'
 */
export function planChange(
  old: readonly unknown[],
  next: readonly unknown[],
  options: ChangeOptions = {},
): PlanDocument & { readonly change: PlannedChange } {
  const resolved = validateOptions(options, { ...PLAN_OPTIONS, ...APPLY_OPTIONS });
  assertKnownApplyMode(resolved.apply);
  return wrapAsOptionError(() => planChangedInput(normalizeObjects(old), normalizeObjects(next), resolved)) as PlanDocument & {
    readonly change: PlannedChange;
  };
}

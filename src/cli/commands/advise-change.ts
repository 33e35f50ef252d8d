import type { AdvicePlanner } from '../../advise/advise';
import type { ChangeRunOptions } from '../../change/change-state';
import { objectKeyOf } from '../../change/match/match-objects';
import { planChangedInput } from '../../change/plan-change';
import { rolloutKeyOf } from '../../change/result/rollout-key';
import { DeadlineError } from '../../core/budget/deadline';
import type { Finding } from '../../core/findings/finding';
import { planInput } from '../../plan/plan';
import { isTimeoutFinding } from '../../plan/plan-budget';
import type { RolloutWithObject } from '../../plan/plan-input';
import type { PlanInput } from '../../plan/plan-input';
import { withUnreadTrial } from '../../live/unread-capacity';
import type { ChangedInput } from '../input/change-input';

/** Runs some planning, and returns the rollouts of its plan. */
function collectRollouts(plan: (onEvaluated: NonNullable<PlanInput['onEvaluated']>) => unknown): readonly RolloutWithObject[] {
  let evaluated: readonly RolloutWithObject[] = [];
  plan((rollouts) => (evaluated = rollouts));
  return evaluated;
}

/**
 * Creates the planner of an advice about a change: each rollout is that of the change, amid what runs. Where the change replaces no pod, it is
 * the next rollout.
 *
 * @throws DeadlineError if planning the change takes longer than the budget
 */
export function createChangePlanner({ old, options: changeOptions, header }: ChangedInput): AdvicePlanner {
  return (input, options) => {
    const { onEvaluated, ...next } = input;
    const all = { ...changeOptions, ...options };
    let findings: readonly Finding[] = [];
    let appliedFormOf: PlanInput['appliedFormOf'];
    const onCompared: ChangeRunOptions['onCompared'] = (found) => (appliedFormOf = found);
    const rollouts = collectRollouts((collect) => {
      ({ findings } = planChangedInput(old, { ...next, onEvaluated: collect }, { ...all, onCompared }));
      if (findings.some(isTimeoutFinding)) throw new DeadlineError();
    });
    const named = new Set(next.objects.map(objectKeyOf));
    const around = old.objects.filter((object) => !named.has(objectKeyOf(object)));
    let document: ReturnType<AdvicePlanner> | undefined;
    const later = collectRollouts((collect) => {
      const objects = [...next.objects, ...around];
      document = planInput({ ...next, objects, ...(appliedFormOf && { appliedFormOf }), onEvaluated: collect }, all);
    });
    const laterByKey = new Map(later.map((each) => [rolloutKeyOf(each.rollout.resource), each]));
    const chosen = rollouts.map((each) =>
      each.rollout.simulation === null ? (laterByKey.get(rolloutKeyOf(each.rollout.resource)) ?? each) : each,
    );
    onEvaluated?.(header ? chosen.map((each) => withUnreadTrial(each, header)) : chosen);
    // An object whose change cannot be planned has a finding only there.
    return { ...document!, findings: [...document!.findings, ...findings] };
  };
}

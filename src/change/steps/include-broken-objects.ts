import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { isAtLeastSeverity } from '../../core/findings/severity';
import { planInput } from '../../plan/plan';
import type { RolloutWithObject } from '../../plan/plan-input';
import { mapByRollout } from '../result/rollout-key';
import { withUnlimitedOutput } from '../change-state';
import { evaluateRetained, includeAffectedObjects } from './evaluate-effects';
import { planResult } from './plan-result';
import type { PlannedResult } from '../change-state';

/** Reports whether a finding is a warning or an error. */
function isProblem({ severity }: Finding): boolean {
  return isAtLeastSeverity(severity, 'warning');
}

/** Lists the objects that NEW lacks and that have a problem after the apply which OLD does not have, such as pods that their Namespace refuses now. */
function findBrokenObjects({ old, oldOnce, options, deadline, retainedRollouts, context }: PlannedResult): ReadonlySet<Manifest> {
  const suspects = context.changedContext.length === 0 ? [] : retainedRollouts.filter(({ rollout }) => rollout.findings.some(isProblem));
  if (suspects.length === 0) return new Set();
  const before = mapByRollout(planInput({ ...old, objects: oldOnce, findings: [], deadline }, withUnlimitedOutput(options)).rollouts);
  deadline.check();
  const isBroken = ([key, { rollout }]: [string, { readonly rollout: RolloutWithObject['rollout'] }]) => {
    const known = new Set(
      before
        .get(key)
        ?.findings.filter(isProblem)
        .map(({ code }) => code),
    );
    return rollout.findings.some((finding) => isProblem(finding) && !known.has(finding.code));
  };
  const suspectOf = mapByRollout(suspects.map((suspect) => ({ ...suspect, resource: suspect.rollout.resource })));
  return new Set([...suspectOf].filter(isBroken).map(([, { object }]) => object));
}

/** Plans the objects that NEW lacks and that get a problem by the apply, as if NEW contained them. */
export function includeBrokenObjects(result: PlannedResult): PlannedResult {
  const broken = findBrokenObjects(result);
  if (broken.size === 0) return result;
  const affected = [...broken].map((object) => evaluateRetained(object, result, result.context));
  return planResult(includeAffectedObjects(result, affected));
}

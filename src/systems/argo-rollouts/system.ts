import type { RolloutSystem } from '../../cluster/context';
import { groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { planWorkload } from '../../workloads/plan-workload';
import { computeArgoRolloutEffect } from './effects';
import { ARGO_ROLLOUT } from './kind';
import { ARGO_ROLLOUTS_RULES } from './rules';
import { findRolloutTemplate } from './template';

function isRollout(object: Manifest): boolean {
  return object.kind === ARGO_ROLLOUT.kind && groupOf(object) === 'argoproj.io';
}

/** The system for Rollouts of Argo Rollouts: canary and blue-green. */
export const argoRolloutsSystem: RolloutSystem = {
  name: ARGO_ROLLOUT.system,
  rules: () => ARGO_ROLLOUTS_RULES,
  recognises: isRollout,
  plan: (object, context) => [planWorkload(ARGO_ROLLOUT, object, context)],
  effects: (old, next, isSameTemplate) => [computeArgoRolloutEffect(old, next, isSameTemplate)],
  templateHolder: (object, context) => findRolloutTemplate(object, context)?.sourceObject,
};

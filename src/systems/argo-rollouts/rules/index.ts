import type { AnyRule } from '../../../core/findings/finding';
import { dynamicStableOvertaken } from './dynamic-stable-overtaken';
import { rollbackWithScaling } from './rollback-with-scaling';
import { canaryVanishes } from './canary-vanishes';
import { endlessPause } from './endless-pause';
import { invalidRollout } from './invalid-rollout';
import { keepsOldPods } from './keeps-old-pods';
import { needsHeadroom } from './needs-headroom';
import { orphanedPods } from './orphaned-pods';
import { ownsDeployment } from './owns-deployment';
import { argoRolloutPaused } from './paused';
import { argoRolloutRestart } from './restart';
import { quotedLimit } from './quoted-limit';
import { unusedLimits } from './unused-limits';
import { workloadRefScaleDown } from './workload-ref-scale-down';
import { weightNotReached } from './weight-not-reached';

/** The rules about Argo Rollouts. */
export const ARGO_ROLLOUTS_RULES: readonly AnyRule[] = [
  dynamicStableOvertaken,
  rollbackWithScaling,
  canaryVanishes,
  endlessPause,
  invalidRollout,
  keepsOldPods,
  needsHeadroom,
  orphanedPods,
  ownsDeployment,
  argoRolloutPaused,
  quotedLimit,
  argoRolloutRestart,
  unusedLimits,
  workloadRefScaleDown,
  weightNotReached,
];

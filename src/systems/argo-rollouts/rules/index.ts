import type { AnyRule } from '../../../core/finding';
import { backWithReplicas } from './back-with-replicas';
import { endlessPause } from './endless-pause';
import { invalidRollout } from './invalid-rollout';
import { keepsOldPods } from './keeps-old-pods';
import { needsRoom } from './needs-room';
import { paused } from './paused';
import { restart } from './restart';
import { quotedLimit } from './quoted-limit';
import { unusedLimits } from './unused-limits';

/** Every rule that is about Argo Rollouts alone. */
export const ARGO_ROLLOUTS_RULES: readonly AnyRule[] = [
  backWithReplicas,
  endlessPause,
  invalidRollout,
  keepsOldPods,
  needsRoom,
  paused,
  quotedLimit,
  restart,
  unusedLimits,
];

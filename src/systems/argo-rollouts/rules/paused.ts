import { toFieldPath } from '../../../core/manifest/field-path';
import { suggestManualFix } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { renderArgoRollout } from './examples';

/** Reports a Rollout that is paused. */
export const argoRolloutPaused = defineRule({
  code: 'argo-rollouts/paused',
  since: '0.1.0',
  severity: 'info',
  fires: 'spec.paused is true.',
  why: 'While it is paused, the controller neither scales pods nor shifts traffic: a new version gets an empty ReplicaSet and waits.',
  fix: 'Delete `paused` or set it to false to let changes roll out.',
  example: renderArgoRollout('canary: {}', '  paused: true\n'),
  fixedExample: renderArgoRollout('canary: {}'),
  messages: {
    paused: defineMessage<object>({
      text: () => 'spec.paused is true: nothing rolls out until it is unset.',
      help: () => 'Delete paused to let it roll out. Plan it without paused first: until then the plan shows no rollout.',
      suggestedFix: () => suggestManualFix(),
      sample: {},
    }),
  },
});

export function checkArgoRolloutPaused(isPaused: boolean | undefined): Finding[] {
  return isPaused ? [argoRolloutPaused.createFinding('paused', { path: toFieldPath`spec.paused`, data: {} })] : [];
}

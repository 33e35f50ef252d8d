import { toFieldPath } from '../../../core/field-path';
import { suggestManualFix } from '../../../core/suggested-fix';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { renderArgoRollout } from './examples';

/** A Rollout that is paused. */
export const argoRolloutPaused = defineRule({
  code: 'argo-rollouts/paused',
  since: '0.1.0',
  severity: 'info',
  fires: 'spec.paused is true.',
  why: 'The controller then changes no number of pods and moves no request: a new version makes an empty ReplicaSet, and waits.',
  fix: 'Delete `paused`, or write false, to let changes roll out.',
  example: renderArgoRollout('canary: {}', '  paused: true\n'),
  fixedExample: renderArgoRollout('canary: {}'),
  messages: {
    paused: defineMessage<object>({
      text: () => 'spec.paused is true: nothing rolls out until it is taken back.',
      help: () => 'Delete paused when it is to roll out, and plan it without first: until then nothing says how that will go.',
      suggestedFix: () => suggestManualFix(),
      sample: {},
    }),
  },
});

export function checkArgoRolloutPaused(isPaused: boolean | undefined): Finding[] {
  return isPaused ? [argoRolloutPaused.createFinding('paused', { path: toFieldPath`spec.paused`, data: {} })] : [];
}

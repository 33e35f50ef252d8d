import { at } from '../../../core/field-path';
import { byChoice } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { rolloutWith } from './examples';

/** A Rollout that is paused. */
export const paused = rule({
  code: 'argo-rollouts/paused',
  since: '0.1.0',
  severity: 'info',
  fires: 'spec.paused is true.',
  why: 'The controller then changes no number of pods and moves no request: a new version makes an empty ReplicaSet, and waits.',
  fix: 'Delete `paused`, or write false, to let changes roll out.',
  example: rolloutWith('canary: {}', '  paused: true\n'),
  fixed: rolloutWith('canary: {}'),
  messages: {
    paused: message<object>({
      text: () => 'spec.paused is true: nothing rolls out until it is taken back.',
      help: () => 'Delete paused when it is to roll out, and plan it without first: until then nothing says how that will go.',
      advice: () => byChoice(),
      sample: {},
    }),
  },
});

export function pausedFindings(isPaused: boolean | undefined): Finding[] {
  return isPaused ? [paused.finding('paused', { path: at`spec.paused`, data: {} })] : [];
}

import { toFieldPath } from '../../../core/manifest/field-path';
import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { ArgoRolloutSimulation } from '../../../core/simulations/argo-rollout';
import { pluralize } from '../../../core/text/text-format';
import { renderRoutedRollout } from './examples';

interface LeftoverPodsData {
  readonly pods: number;
}

/** Reports a scaleDownDelaySeconds of 0, with which old pods are never scaled down. */
export const keepsOldPods = defineRule({
  code: 'argo-rollouts/keeps-old-pods',
  since: '0.1.0',
  severity: 'warning',
  fires: 'scaleDownDelaySeconds is 0, with a router or blue-green.',
  why:
    'The controller scales old pods down once their deadline has passed. With 0 seconds it writes no deadline, ' +
    'so the pods of the previous version keep running, at least until the rollout after the next one. Recorded from the controller at 1.8.3 and 1.9.1.',
  fix: 'Delete the field (the default is 30 s), or write 1. `scaleDownDelayRevisionLimit: 0` scales old pods down immediately.',
  example: renderRoutedRollout('scaleDownDelaySeconds: 0'),
  fixedExample: renderRoutedRollout('scaleDownDelaySeconds: 1'),
  messages: {
    neverScaledDown: defineMessage<LeftoverPodsData>({
      text: ({ pods }) =>
        `scaleDownDelaySeconds is 0: the controller never scales down the ${pluralize(pods, 'pod')} of the previous version, which ${pods === 1 ? 'keeps' : 'keep'} running.`,
      help: () => 'Write 1 or more seconds, or scaleDownDelayRevisionLimit: 0 for no delay.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { pods: 4 },
    }),
  },
});

/** Reports old pods that keep running after the rollout. */
export function checkKeepsOldPods({ type, remainingOldPods }: ArgoRolloutSimulation): Finding[] {
  if (remainingOldPods === undefined) return [];
  return [
    keepsOldPods.createFinding('neverScaledDown', {
      path: toFieldPath`spec.strategy.${type}.scaleDownDelaySeconds`,
      data: { pods: remainingOldPods },
    }),
  ];
}

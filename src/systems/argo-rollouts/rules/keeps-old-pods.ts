import { at } from '../../../core/field-path';
import { byChoice, remove } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ArgoRolloutSimulation } from '../../../core/simulations/argo-rollout';
import { counted } from '../../../core/words';
import { routedWith } from './examples';

interface KeptData {
  readonly pods: number;
}

/** A scaleDownDelaySeconds of 0, with which old pods are never scaled down. */
export const keepsOldPods = rule({
  code: 'argo-rollouts/keeps-old-pods',
  since: '0.1.0',
  severity: 'warning',
  fires: 'scaleDownDelaySeconds is 0, with a router or blue-green.',
  why:
    'The controller scales old pods down once the deadline that it wrote has passed. With 0 seconds it writes none, ' +
    'so the pods of the version before stay for good, until the rollout after the next one at the earliest. Recorded from the controller at 1.8.3 and 1.9.1.',
  fix: 'Delete the field (30 s is the default), or write 1; `scaleDownDelayRevisionLimit: 0` scales old pods down at once.',
  example: routedWith('scaleDownDelaySeconds: 0'),
  fixed: routedWith('scaleDownDelaySeconds: 1'),
  messages: {
    kept: message<KeptData>({
      text: ({ pods }) =>
        `scaleDownDelaySeconds is 0: the controller then never scales down the ${counted(pods, 'pod')} of the version before, which ${pods === 1 ? 'stays' : 'stay'} for good.`,
      help: () => 'Write 1 or more seconds, or scaleDownDelayRevisionLimit: 0 for none.',
      advice: (_data, path) => byChoice(remove(path)),
      sample: { pods: 4 },
    }),
  },
});

/** Old pods that stay. */
export function keptPodsFindings({ type, leftOver }: ArgoRolloutSimulation): Finding[] {
  if (leftOver === undefined) return [];
  return [keepsOldPods.finding('kept', { path: at`spec.strategy.${type}.scaleDownDelaySeconds`, data: { pods: leftOver } })];
}

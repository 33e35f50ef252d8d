import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import { renderArgoRollout } from './examples';

interface OrphanedData {
  /** Number of old pods. */
  readonly pods: number;
}

const ROLLOUT = renderArgoRollout('canary: {}');

function renderChange(next: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${ROLLOUT}# new.yaml
${next}`;
}

/** A Rollout whose new selector does not match the labels of its old pods. */
export const orphanedPods = defineRule({
  code: 'argo-rollouts/orphaned-pods',
  since: '0.1.0',
  severity: 'error',
  fires: 'A change of a Rollout has another selector, which does not match the labels of its running pods.',
  why:
    'The controller gives up the ReplicaSets that its selector no longer matches. Their pods run on without an owner, and no rollout deletes them. ' +
    'The controller then creates all new pods at once, as for a new Rollout, without its steps. ' +
    'Source: Argo Rollouts v1.9, rollout/replicaset.go, `getReplicaSetsForRollouts`.',
  fix: 'Keep the selector and the labels that it names. To change them, create a Rollout with another name, and delete the old one afterwards.',
  example: renderChange(ROLLOUT.replaceAll('app: web', 'app: shop')),
  fixedExample: renderChange(ROLLOUT.replaceAll('app:1', 'app:2')),
  messages: {
    orphaned: defineMessage<OrphanedData>({
      text: ({ pods }) =>
        `The selector no longer matches the ${pluralize(pods, 'old pod')}: the controller gives up their ReplicaSet, so ${pods === 1 ? 'it runs' : 'they run'} on next to the new pods, which are all created at once without steps.`,
      help: () => 'Keep the selector and the labels that it names, or delete the old ReplicaSet once the new pods are ready.',
      sample: { pods: 4 },
      variants: [{ pods: 1 }],
    }),
  },
});

/** Creates the finding about pods that the controller gives up. */
export function reportOrphanedPods(pods: number): Finding {
  return orphanedPods.createFinding('orphaned', { path: toFieldPath`spec.selector`, data: { pods } });
}

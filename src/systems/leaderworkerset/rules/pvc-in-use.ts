import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';

function formatSetExample(storage: string, image: string): string {
  return `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: llm, namespace: models }
spec:
  replicas: 3
  leaderWorkerTemplate:
    size: 2
    volumeClaimTemplates:
      - metadata: { name: cache }
        spec: { accessModes: [ReadWriteOncePod], resources: { requests: { storage: ${storage} } } }
    workerTemplate:
      spec:
        containers: [{ name: vllm, image: "${image}", readinessProbe: { httpGet: { path: /health, port: 8080 } } }]
`;
}

const OLD_SET = formatSetExample('10Gi', 'vllm:1');

/** Rule about changed claims of a set, which the StatefulSet of its leaders cannot get. */
export const pvcInUse = defineRule({
  code: 'lws/pvc-in-use',
  since: '0.1.0',
  severity: 'error',
  fires: 'An apply changes the volumeClaimTemplates of a LeaderWorkerSet.',
  why:
    'The API server stores them in the set. The controller copies them to the StatefulSet of the leaders, where claims are immutable. ' +
    'The API server refuses that write at every reconcile, including a new template and a new number of groups. ' +
    'Only the log of the controller reports this. Before LeaderWorkerSet 0.8 a set has no claims, so nothing is blocked.',
  fix: 'Restore the previous claims, or delete and recreate the set, which makes all of its groups unavailable meanwhile.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_SET}# new.yaml
${formatSetExample('20Gi', 'vllm:1')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_SET}# new.yaml
${formatSetExample('10Gi', 'vllm:2')}`,
  messages: {
    claims: defineMessage<object>({
      text: () =>
        'The LeaderWorkerSet is stored with changed claims, but the API server refuses them in the StatefulSet of the leaders: ' +
        'no group is replaced, added or removed, no matter what else this or a later apply changes.',
      help: () =>
        'Restore the previous volumeClaimTemplates. To change the claims, delete and recreate the set, which makes all of its groups unavailable meanwhile.',
      sample: {},
    }),
  },
});

export function createPvcInUseFinding(): Finding {
  return pvcInUse.createFinding('claims', { path: toFieldPath`spec.leaderWorkerTemplate.volumeClaimTemplates`, data: {} });
}

import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';

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

/** Other claims of a set, which its leaders' StatefulSet may not get. */
export const pvcInUse = defineRule({
  code: 'lws/pvc-in-use',
  since: '0.1.0',
  severity: 'error',
  fires: 'An apply gives a LeaderWorkerSet other volumeClaimTemplates.',
  why:
    'The API server stores them in the set. The controller hands them to the StatefulSet of the leaders, whose claims may not change: ' +
    'the server refuses that write, and with it a new template and a new number of groups, at every turn. ' +
    'Nothing but the log of the controller says so. Before LeaderWorkerSet 0.8 there are no claims, and nothing is held.',
  fix: 'Put the claims back as they were, or delete the set and make it anew, which takes all of its groups down meanwhile.',
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
        'The LeaderWorkerSet is stored with other claims, but the API server refuses them in the StatefulSet of the leaders: ' +
        'no group is replaced, added or taken away, whatever else this or a later apply changes.',
      help: () =>
        'Put volumeClaimTemplates back as they were; to have other claims, delete the set and make it anew, which takes all of its groups down meanwhile.',
      sample: {},
    }),
  },
});

export function createPvcInUseFinding(): Finding {
  return pvcInUse.createFinding('claims', { path: toFieldPath`spec.leaderWorkerTemplate.volumeClaimTemplates`, data: {} });
}

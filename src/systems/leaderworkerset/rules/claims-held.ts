import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';

function setWith(storage: string, image: string): string {
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

const OLD = setWith('10Gi', 'vllm:1');

/** Other claims of a set, which its leaders' StatefulSet may not get. */
export const claimsHeld = rule({
  code: 'lws/claims-held',
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
${OLD}# new.yaml
${setWith('20Gi', 'vllm:1')}`,
  fixed: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD}# new.yaml
${setWith('10Gi', 'vllm:2')}`,
  messages: {
    claims: message<object>({
      text: () =>
        'The LeaderWorkerSet is stored with other claims, but the API server refuses them in the StatefulSet of the leaders: ' +
        'no group is replaced, added or taken away, whatever else this or a later apply changes.',
      help: () =>
        'Put volumeClaimTemplates back as they were; to have other claims, delete the set and make it anew, which takes all of its groups down meanwhile.',
      sample: {},
    }),
  },
});

export function claimsHeldFinding(): Finding {
  return claimsHeld.finding('claims', { path: at`spec.leaderWorkerTemplate.volumeClaimTemplates`, data: {} });
}

import { defineMessage, defineRule } from '../../core/finding';
import { pluralize } from '../../core/text-format';

export interface NameChangesData {
  readonly name: string;
  readonly old: string;
  readonly new: string;
  /** Desired pods of the workload. Both have as many. */
  readonly pods: number;
}

/** An upgrade creates a second workload under a new name. */
export const nameChanges = defineRule({
  code: 'upgrade/name-changes',
  since: '0.1.0',
  severity: 'error',
  fires: 'The new version of an operator looks for a workload under another name than the one that runs.',
  why:
    'KServe before 0.11 named the Deployments and Services of a component with the suffix -default. Up to 0.15 KServe looks for these names first. ' +
    '0.16 does not, so it creates a second Deployment and Service next to the old ones, which stay until 0.20 deletes them. Both sets of pods run, with their GPUs.',
  fix: 'Recreate the service under KServe 0.15, so that its objects have the names of today, and upgrade afterwards.',
  example: `# rolloutkit upgrade kserve=0.15..0.16 live.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop }
spec:
  predictor:
    minReplicas: 2
    containers: [{ name: kserve-container, image: registry.example.com/iris:1 }]
---
apiVersion: v1
kind: Service
metadata: { name: iris-predictor-default, namespace: shop }
spec: { selector: { app: isvc.iris-predictor-default }, ports: [{ port: 80 }] }
`,
  fixedExample: `# rolloutkit upgrade kserve=0.15..0.16 live.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop }
spec:
  predictor:
    minReplicas: 2
    containers: [{ name: kserve-container, image: registry.example.com/iris:1 }]
---
apiVersion: v1
kind: Service
metadata: { name: iris-predictor, namespace: shop }
spec: { selector: { app: isvc.iris-predictor }, ports: [{ port: 80 }] }
`,
  messages: {
    renamed: defineMessage<NameChangesData>({
      text: ({ name, old, new: next, pods }) =>
        `KServe 0.16 does not find "${old}" of InferenceService "${name}" and creates "${next}" next to it, so ${pluralize(pods, 'more pod')} ${pods === 1 ? 'runs' : 'run'} until the old one is deleted.`,
      help: ({ name, old }) =>
        `Recreate InferenceService "${name}" under KServe 0.15 first, or delete "${old}" once the new pods are ready.`,
      sample: { name: 'iris', old: 'iris-predictor-default', new: 'iris-predictor', pods: 2 },
      variants: [{ name: 'iris', old: 'iris-predictor-default', new: 'iris-predictor', pods: 1 }],
    }),
  },
});

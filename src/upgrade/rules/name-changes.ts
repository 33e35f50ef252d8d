import { defineMessage, defineRule } from '../../core/findings/finding';
import { pluralize } from '../../core/text/text-format';

export interface NameChangesData {
  readonly name: string;
  readonly old: string;
  readonly new: string;
  /** Desired pods of the workload. Both have as many. */
  readonly pods: number;
}

export interface ModeChangesData {
  readonly name: string;
  /** KServe version after the upgrade. */
  readonly to: string;
  /** Mode in the status, by the name that the new version does not know. */
  readonly old: string;
  /** Present name of that mode. */
  readonly new: string;
}

/** An upgrade creates a second workload under a new name, or of another kind. */
export const nameChanges = defineRule({
  code: 'upgrade/name-changes',
  since: '0.1.0',
  severity: 'error',
  fires: 'The new version of an operator looks for a workload under another name, or of another kind, than the one that runs.',
  why:
    'KServe before 0.11 named the Deployments and Services of a component with the suffix -default. Up to 0.15 KServe looks for these names first. ' +
    '0.16 does not, so it creates a second Deployment and Service next to the old ones. Both sets of pods run, with their GPUs. ' +
    '0.20 deletes the old ones of a predictor right after it creates the new ones, so an upgrade to it in one step leaves no ready pod for a while. ' +
    'KServe 0.15 also writes its mode into status.deploymentMode by the old name RawDeployment. KServe 0.16 to 0.18 do not know it there, and create Services of Knative next to the Deployments, or fail where there is no Knative.',
  fix: 'Recreate the service under KServe 0.15, so that its objects have the names of today, and upgrade afterwards. For RawDeployment in the status, upgrade to KServe 0.19, or stop the controller and set the status to Standard before 0.16 starts.',
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
    deleted: defineMessage<NameChangesData>({
      text: ({ name, old, new: next, pods }) =>
        `KServe 0.20 does not find "${old}" of InferenceService "${name}". It creates "${next}" and deletes "${old}" with its ${pluralize(pods, 'pod')} at once, so no pod is ready until the new ones are.`,
      help: ({ name, old }) =>
        `Upgrade to KServe 0.19 first and delete "${old}" once the new pods are ready, or recreate InferenceService "${name}" under KServe 0.15.`,
      sample: { name: 'iris', old: 'iris-predictor-default', new: 'iris-predictor', pods: 2 },
    }),
    mode: defineMessage<ModeChangesData>({
      text: ({ name, to, old }) =>
        `KServe ${to} does not know the mode ${old} that KServe 0.15 wrote into status.deploymentMode of InferenceService "${name}", and takes it for Knative: it creates Services of Knative next to its Deployments, which it no longer updates. Without Knative it fails.`,
      help: ({ name, new: next }) =>
        `Upgrade to KServe 0.19, which reads the old name, or scale the controller of KServe to 0, set status.deploymentMode of InferenceService "${name}" to ${next} (kubectl patch --subresource=status), upgrade, and then set its annotation serving.kserve.io/deploymentMode to ${next}.`,
      sample: { name: 'iris', to: '0.16', old: 'RawDeployment', new: 'Standard' },
    }),
  },
});

import { defineMessage, defineRule } from '../../core/finding';
import { pluralize, joinWords } from '../../core/text-format';

interface NamespaceData {
  readonly objects: number;
  /** The first of them, as a message names it. */
  readonly first: string;
}

interface DeploymentModeData {
  /** InferenceServices as a message names them. */
  readonly resources: readonly string[];
}

interface UnknownTemplateData {
  /** Workloads as a message names them. */
  readonly resources: readonly string[];
}

const OLD_EXAMPLE = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { mode: fast }
`;

/** What no files tell, named once. */
export const incompleteInformation = defineRule({
  code: 'change/incomplete-information',
  since: '0.1.0',
  severity: 'info',
  fires:
    'Anything differs, a manifest alone tells of pods that were held back, the mode of an InferenceService stands in no file, one side alone names a namespace, or OLD is a plan document: once a run each.',
  why:
    'No cluster is asked. A mutating webhook or a policy may change an object on its way in, and a controller may write into it later; ' +
    'what OLD shows of that counts, and nothing is guessed.',
  fix: 'Read OLD with `kubectl get -o yaml --show-managed-fields`, so that what others wrote is in view.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE.replace('fast', 'slow')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE}`,
  messages: {
    webhooks: defineMessage<object>({
      text: () =>
        'What mutating webhooks, policies and controllers make of these objects on their way in is not known from files, and nothing of it is guessed.',
      sample: {},
    }),
    namespace: defineMessage<NamespaceData>({
      text: ({ objects, first }) =>
        `${pluralize(objects, 'object')}, ${objects === 1 ? '' : 'the first '}${first}, ${objects === 1 ? 'has' : 'have'} a namespace on one side alone: both sides are taken for one, which the command line puts there. If OLD runs elsewhere, NEW is made anew beside it, and OLD stays.`,
      help: () => 'Name the namespace on both sides, or read OLD from the cluster.',
      sample: { objects: 3, first: 'Deployment shop/web' },
      variants: [{ objects: 1, first: 'Deployment shop/web' }],
    }),
    'unknown-pod-template': defineMessage<UnknownTemplateData>({
      text: ({ resources }) =>
        `OLD holds the pods of ${joinWords(resources)} back, and NEW lets them go: whether they are of an older template, and so whether they roll, no manifest tells.`,
      help: () =>
        'Read OLD from the cluster, with its ReplicaSets and Pods: kubectl get deployments,replicasets,statefulsets,daemonsets,pods -o yaml.',
      sample: { resources: ['Deployment shop/web'] },
      variants: [{ resources: ['Deployment shop/web', 'StatefulSet shop/db'] }],
    }),
    'deployment-mode': defineMessage<DeploymentModeData>({
      text: ({ resources }) =>
        `What becomes of the deploymentMode of ${joinWords(resources)} is not known: KServe refuses another one than it recorded, and neither a status nor the ConfigMap "inferenceservice-config" tells which that is, or which one its webhook adds.`,
      help: () =>
        'Read OLD from the cluster with its status, and add the ConfigMap to both sides: kubectl get configmap inferenceservice-config -n kserve -o yaml.',
      sample: { resources: ['InferenceService models/iris'] },
      variants: [{ resources: ['InferenceService models/iris', 'InferenceService models/bert'] }],
    }),
    'plan-document': defineMessage<object>({
      text: () => 'OLD is a plan document: how rollouts behave is compared, and what applying NEW does to each object is not known.',
      help: () => 'Name the manifests or live objects that OLD was planned from.',
      sample: {},
    }),
  },
});

import { findingsOf } from '../../core/finding';
import type { FindingCatalogue } from '../../core/finding';

/** KServe's ConfigMap with this JSON as its `deploy` key, for the examples. */
function configMap(...deploy: readonly string[]): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: kserve
data:
  deploy: |-
${deploy.map((line) => `    ${line}\n`).join('')}`;
}

/** A ConfigMap with default mode Standard and these rollout defaults. */
function rolloutDefaults(defaultRollout: string, mode = 'Standard'): string {
  return configMap(
    '{',
    `  "defaultDeploymentMode": "${mode}",`,
    `  "deploymentRolloutStrategy": {"defaultRollout": ${defaultRollout}}`,
    '}',
  );
}

interface ServiceParts {
  readonly annotations?: readonly string[];
  readonly storageUri?: string;
  readonly minReplicas?: number;
  /** Lines below `spec.predictor`. */
  readonly predictor?: readonly string[];
  /** Lines below `spec`. */
  readonly spec?: readonly string[];
}

/** An InferenceService for the examples. */
function service({ annotations = [], storageUri = 's3://models/iris', minReplicas = 4, predictor = [], spec = [] }: ServiceParts): string {
  const head = annotations.length === 0 ? '' : `  annotations:\n${annotations.map((line) => `    ${line}\n`).join('')}`;
  return `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: iris
${head}spec:
${spec.map((line) => `  ${line}\n`).join('')}  predictor:
    minReplicas: ${minReplicas}
    model:
      modelFormat:
        name: sklearn
      storageUri: ${storageUri}
${predictor.map((line) => `    ${line}\n`).join('')}`;
}

const STANDARD = 'serving.kserve.io/deploymentMode: Standard';
const ONE_AT_A_TIME = ['deploymentStrategy:', '  type: RollingUpdate', '  rollingUpdate:', '    maxSurge: 1', '    maxUnavailable: 0'];
const SURGE_ALONE = ONE_AT_A_TIME.slice(0, 4);
const WORKER = ['workerSpec:', '  pipelineParallelSize: 2', '  tensorParallelSize: 1'];
const OVERRIDE = ['deploymentStrategy:', '  type: RollingUpdate', '  rollingUpdate:', '    maxSurge: 100%', '    maxUnavailable: 0%'];

/** A multinode service that the webhook takes. */
function multinode(...predictor: readonly string[]): string {
  const annotations = [STANDARD, 'serving.kserve.io/autoscalerClass: none'];
  return service({ annotations, storageUri: 'pvc://models/llm', minReplicas: 1, predictor: [...WORKER, ...predictor] });
}

/** A service with one canary; KServe 0.20 on. */
function canaried(...predictor: readonly string[]): string {
  const canary = [
    'canary:',
    '  - trafficPercent: 25',
    '    predictor:',
    '      name: v2',
    '      model:',
    '        modelFormat:',
    '          name: sklearn',
    '        storageUri: s3://models/iris-2',
  ];
  return `# rolloutkit plan --versions kserve=0.20 .\n${service({ annotations: [STANDARD], spec: canary, predictor })}`;
}

function together(...documents: readonly string[]): string {
  return documents.join('---\n');
}

/** The findings about InferenceServices and KServe's platform level. */
export const KSERVE_CATALOGUE = {
  'kserve/mode-ignored': {
    severity: 'warning',
    fires: 'The ConfigMap `inferenceservice-config` gives its rollout defaults a `mode`.',
    why:
      'The guide says that Availability means maxUnavailable 0 and ResourceAware maxSurge 0. No released KServe has such a field: the ' +
      'JSON parser drops it, and maxSurge and maxUnavailable are used as they are written, or 25% where they are missing. With mode ' +
      'Availability and 25%/25%, a quarter of the pods goes before new ones are ready. Source: KServe 0.16 to 0.20, ' +
      'pkg/apis/serving/v1beta1/configmap.go, `RolloutSpec`.',
    fix: 'Delete `mode` and write the two values that it stands for.',
    example: together(rolloutDefaults('{"mode": "Availability", "maxSurge": "25%", "maxUnavailable": "25%"}'), service({})),
    fixed: together(rolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "0%"}'), service({})),
  },
  'kserve/config-quoted-integer': {
    severity: 'error',
    fires: 'The ConfigMap gives maxSurge or maxUnavailable as a number in quotes: `"1"`.',
    why:
      'KServe copies the string into the Deployment of every service without a strategy of its own, and the API server takes no string ' +
      'but a percentage: those Deployments are refused when they are created and at every update. The guide prints exactly these ' +
      'values.',
    fix:
      'Write a percentage. A fixed number of pods cannot be written in the ConfigMap: give it in the deploymentStrategy of each ' +
      'service.',
    example: together(rolloutDefaults('{"maxSurge": "1", "maxUnavailable": "1"}'), service({})),
    fixed: together(rolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "25%"}'), service({})),
  },
  'kserve/config-bare-number': {
    severity: 'error',
    fires: 'The ConfigMap gives maxSurge or maxUnavailable as a number: `1`.',
    why:
      'Both are strings in Go, so the whole `deploy` key fails to parse: every write and every reconcile of every InferenceService of ' +
      'the cluster fails until it is repaired. Source: KServe 0.16 to 0.20, pkg/apis/serving/v1beta1/configmap.go, `NewDeployConfig`.',
    fix: 'Write a percentage in quotes; zero is "0%".',
    example: together(rolloutDefaults('{"maxSurge": 1, "maxUnavailable": 0}'), service({})),
    fixed: together(rolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "0%"}'), service({})),
  },
  'kserve/invalid-config': {
    severity: 'error',
    fires: 'KServe cannot parse the `deploy` key of its ConfigMap, or an annotation names a deployment mode that does not exist.',
    why:
      'The key must be JSON with a defaultDeploymentMode of Standard, Knative or ModelMesh (or the old names RawDeployment and ' +
      'Serverless). If it is not, the webhook refuses every InferenceService and the controller reconciles none. An annotation with ' +
      'another word is skipped when the mode is looked up, and then refused when the Deployment is made.',
    fix: 'Repair the JSON, or write one of the three modes.',
    example: together(configMap('{', '  "defaultDeploymentMode": "Raw"', '}'), service({})),
    fixed: together(configMap('{', '  "defaultDeploymentMode": "Standard"', '}'), service({})),
  },
  'kserve/config-not-standard': {
    severity: 'info',
    fires: 'The ConfigMap has rollout defaults, but its default deployment mode is not Standard.',
    why:
      'KServe applies the rollout defaults only while the default mode is Standard. The annotation of a service makes no difference: a ' +
      'service that is annotated Standard gets 25%/25%.',
    fix: 'Write `"defaultDeploymentMode": "Standard"`, or give each service a deploymentStrategy.',
    example: together(rolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}', 'Knative'), service({ annotations: [STANDARD] })),
    fixed: together(rolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'), service({ annotations: [STANDARD] })),
  },
  'kserve/no-platform-config': {
    severity: 'info',
    fires: 'The input has InferenceServices, but not the ConfigMap `inferenceservice-config`.',
    why:
      'The ConfigMap decides the deployment mode of services without an annotation and the rollout of services without a strategy. ' +
      'Without it the plan assumes default mode Standard and no rollout defaults, so 25%/25%; the cluster may say otherwise.',
    fix: 'Plan it along: `kubectl get configmap inferenceservice-config -n kserve -o yaml`, given as a file or with `--kserve-config`.',
    example: service({}),
    fixed: together(configMap('{', '  "defaultDeploymentMode": "Standard"', '}'), service({})),
  },
  'kserve/no-deployment': {
    severity: 'info',
    fires: 'The service runs in mode Knative or ModelMesh.',
    why: 'KServe makes no Deployment then: Knative rolls out revisions by itself, and no maxSurge or maxUnavailable applies.',
    fix: 'Annotate the service with `serving.kserve.io/deploymentMode: Standard` if Deployments are meant.',
    example: together(configMap('{', '  "defaultDeploymentMode": "Knative"', '}'), service({})),
    fixed: together(configMap('{', '  "defaultDeploymentMode": "Knative"', '}'), service({ annotations: [STANDARD] })),
  },
  'kserve/partial-strategy': {
    severity: 'warning',
    fires: 'A deploymentStrategy gives one of maxSurge and maxUnavailable, not the other.',
    why: 'KServe takes a deploymentStrategy whole: the missing half is not filled in from the ConfigMap but becomes 25% in the API server.',
    fix: 'Write both.',
    example: together(
      rolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'),
      service({ annotations: [STANDARD], predictor: SURGE_ALONE }),
    ),
    fixed: together(
      rolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'),
      service({ annotations: [STANDARD], predictor: ONE_AT_A_TIME }),
    ),
  },
  'kserve/multinode-head-not-overridden': {
    severity: 'warning',
    fires: 'The head of a multinode predictor has another strategy than maxSurge 100%, maxUnavailable 0%.',
    why:
      'The guide promises 0%/100% for all of a multinode service. KServe overrides the worker Deployment only; the head follows the ' +
      'deploymentStrategy, the ConfigMap or 25%/25%. Source: deployment_reconciler.go, `createRawWorkerDeployment`.',
    fix: 'Write the two values into the deploymentStrategy of the predictor.',
    example: multinode(),
    fixed: multinode(...OVERRIDE),
  },
  'kserve/multinode-strategy-escapes-override': {
    severity: 'warning',
    fires: 'A multinode predictor has a deploymentStrategy whose type is Recreate or missing.',
    why:
      'KServe overrides the worker only where the type equals RollingUpdate, compared before the API server fills it in. With Recreate, ' +
      '`{}` or a missing type the worker gets that strategy, and nodes of a running Ray cluster go before new ones are ready.',
    fix: 'Write type: RollingUpdate with maxSurge 100% and maxUnavailable 0%, which holds for head and worker alike.',
    example: multinode('deploymentStrategy:', '  type: Recreate'),
    fixed: multinode(...OVERRIDE),
  },
  'kserve/ray-node-count-without-worker': {
    severity: 'warning',
    fires: 'A container of the predictor sets RAY_NODE_COUNT, and there is no workerSpec.',
    why:
      'The guide names the variable as the trigger of the multinode override. In KServe it is an output: the controller writes it for ' +
      'services with a workerSpec, and reads none that a user has set. Without workerSpec it does nothing.',
    fix: 'Give the predictor a workerSpec, or delete the variable.',
    example: service({ annotations: [STANDARD], predictor: ['  env:', '    - name: RAY_NODE_COUNT', '      value: "2"'] }),
    fixed: service({ annotations: [STANDARD] }),
  },
  'kserve/strategy-outside-standard': {
    severity: 'error',
    fires: 'A component has a deploymentStrategy, and the service is not annotated Standard, nor is Standard the default mode.',
    why:
      'The webhook refuses it: "customizing deploymentStrategy is only supported for raw deployment mode". It looks at the annotation, ' +
      'which KServe adds by itself where the default mode is Standard.',
    fix: 'Annotate the service with `serving.kserve.io/deploymentMode: Standard`.',
    example: together(configMap('{', '  "defaultDeploymentMode": "Knative"', '}'), service({ predictor: ONE_AT_A_TIME })),
    fixed: together(
      configMap('{', '  "defaultDeploymentMode": "Knative"', '}'),
      service({ annotations: [STANDARD], predictor: ONE_AT_A_TIME }),
    ),
  },
  'kserve/canary-ignores-strategy': {
    severity: 'warning',
    fires: 'A service with a canary has a deploymentStrategy at its predictor or at the canary (KServe 0.20 on).',
    why:
      'KServe builds the Deployment of a canary from its replicas alone: neither the deploymentStrategy of the stable predictor nor its ' +
      'own counts. The ConfigMap or 25%/25% applies. Source: KServe 0.20, components/predictor.go, `reconcileCanaryDeployments`.',
    fix: 'Set what canaries need in the rollout defaults of the ConfigMap, and delete the deploymentStrategy of the canary.',
    example: canaried(...ONE_AT_A_TIME),
    fixed: canaried(),
  },
  'kserve/invalid-service': {
    severity: 'error',
    fires: "KServe's webhook or controller refuses the InferenceService for a reason that no other code names.",
    why:
      'Among the rules: minReplicas is not above maxReplicas; a workerSpec needs the annotation `serving.kserve.io/autoscalerClass: ' +
      'none` and a model in `pvc://` or `oci://`; head and workers have the GPUs that the parallelism needs; canaries share at most 100 ' +
      'percent and have names of their own; the deployment mode of a service never changes. Source: KServe, ' +
      'inference_service_validation.go and components/predictor.go.',
    fix: 'Change what the message names.',
    example: service({ predictor: ['maxReplicas: 2'] }),
    fixed: service({ predictor: ['maxReplicas: 8'] }),
  },
} satisfies FindingCatalogue;

/** Makes findings about KServe. */
export const kserveFinding = findingsOf(KSERVE_CATALOGUE);

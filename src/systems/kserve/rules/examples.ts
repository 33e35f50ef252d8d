/** Renders KServe's ConfigMap with this JSON in its `deploy` key. */
export function renderKserveConfigMap(...deploy: readonly string[]): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: kserve
data:
  deploy: |-
${deploy.map((line) => `    ${line}\n`).join('')}`;
}

/** Renders a ConfigMap with these rollout defaults and default mode. */
export function renderRolloutDefaults(defaultRollout: string, mode = 'Standard'): string {
  return renderKserveConfigMap(
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

/** Renders an InferenceService. */
export function renderInferenceService({
  annotations = [],
  storageUri = 's3://models/iris',
  minReplicas = 4,
  predictor = [],
  spec = [],
}: ServiceParts): string {
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

/** The annotation that runs a service in mode Standard. */
export const STANDARD_MODE_ANNOTATION = 'serving.kserve.io/deploymentMode: Standard';
/** The lines of a strategy that keeps every pod until its replacement is ready. */
export const SURGE_ONE_STRATEGY = [
  'deploymentStrategy:',
  '  type: RollingUpdate',
  '  rollingUpdate:',
  '    maxSurge: 1',
  '    maxUnavailable: 0',
];
/** The lines of a strategy without maxUnavailable. */
export const SURGE_ONLY_STRATEGY = SURGE_ONE_STRATEGY.slice(0, 4);
const WORKER = ['workerSpec:', '  pipelineParallelSize: 2', '  tensorParallelSize: 1'];
/** The lines of the strategy that KServe writes for the worker of a multinode predictor. */
export const WORKER_OVERRIDE_STRATEGY = [
  'deploymentStrategy:',
  '  type: RollingUpdate',
  '  rollingUpdate:',
  '    maxSurge: 100%',
  '    maxUnavailable: 0%',
];

/** Renders a multinode service that the webhook accepts. */
export function renderMultinodeService(...predictor: readonly string[]): string {
  const annotations = [STANDARD_MODE_ANNOTATION, 'serving.kserve.io/autoscalerClass: none'];
  return renderInferenceService({ annotations, storageUri: 'pvc://models/llm', minReplicas: 1, predictor: [...WORKER, ...predictor] });
}

/** Renders a service with one canary, for KServe 0.20 or later. */
export function renderCanaryService(...predictor: readonly string[]): string {
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
  return `# rolloutkit plan --versions kserve=0.20 .\n${renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], spec: canary, predictor })}`;
}

/** Joins the documents of a file. */
export function joinExampleDocuments(...documents: readonly string[]): string {
  return documents.join('---\n');
}

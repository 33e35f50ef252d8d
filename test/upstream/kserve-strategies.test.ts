import { planManifests } from 'rolloutkit/plan';
import type { Finding } from 'rolloutkit/plan';
import { toFieldPath } from '../../src/core/manifest/field-path';
import { defaultDeploymentStrategy } from '../../src/workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../src/workloads/deployment/types';
import { validateDeploymentStrategy } from '../../src/workloads/deployment/validation';
import { recorded } from './recording';

interface Service {
  /** The ConfigMap's `deploy` key; null when it has none. */
  readonly deploy: string | null;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly multinode: boolean;
  /** The predictor's deploymentStrategy. */
  readonly user?: unknown;
  /** Refusal by the validating webhook. */
  readonly refused?: string;
  readonly mode?: string;
  /** Error of the controller when it creates the Deployment. */
  readonly failed?: string;
  /** The strategies that KServe writes into the Deployments. */
  readonly head?: DeploymentStrategySpec;
  readonly worker?: DeploymentStrategySpec;
}

const services = recorded('kserve-strategies') as readonly Service[];

/** Returns the strategy that the API server stores for one that KServe writes. deployment-validation.test.ts compares this with the server. */
function storedOf(written: DeploymentStrategySpec) {
  const isInvalid = validateDeploymentStrategy(written, { path: toFieldPath`spec.strategy` }).some(({ severity }) => severity === 'error');
  return isInvalid ? null : defaultDeploymentStrategy(written);
}

function expectedOf({ refused, mode, failed, head, worker }: Service) {
  if (refused !== undefined || failed !== undefined) return { refused: true };
  if (mode !== 'Standard') return { refused: false, predictor: null };
  return { refused: false, predictor: storedOf(head!), ...(worker && { worker: storedOf(worker) }) };
}

function planOf({ deploy, annotations, multinode, user }: Service) {
  const autoscaler = multinode ? { 'serving.kserve.io/autoscalerClass': 'none' } : {};
  const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm' };
  const workerSpec = { pipelineParallelSize: 2, containers: [{ name: 'worker-container' }] };
  const predictor = { model, ...(user !== undefined && { deploymentStrategy: user }), ...(multinode && { workerSpec }) };
  const data = deploy === null ? {} : { deploy };
  return planManifests(
    [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'inferenceservice-config', namespace: 'kserve' }, data },
      {
        apiVersion: 'serving.kserve.io/v1beta1',
        kind: 'InferenceService',
        metadata: { name: 'llm', annotations: { ...annotations, ...autoscaler } },
        spec: { predictor },
      },
    ],
    { versions: { kserve: '0.17' } },
  );
}

function isRefused({ code, path }: Finding): boolean {
  return (
    code === 'kserve/strategy-outside-standard' ||
    code === 'kserve/invalid-service' ||
    (code === 'kserve/invalid-config' && path.startsWith('metadata'))
  );
}

function oursOf(service: Service) {
  const { rollouts } = planOf(service);
  if (rollouts.some(({ findings }) => findings.some(isRefused))) return { refused: true };
  const strategies = rollouts.map(({ resource, strategy }) => [resource.component ?? 'predictor', strategy] as const);
  return { refused: false, ...Object.fromEntries(strategies) };
}

/** Reports whether an annotation that names no mode has no effect. It fails only if KServe creates a Deployment; we report an error in every default mode. */
function hasIdleAnnotation({ annotations = {}, mode, failed }: Service): boolean {
  return (
    ['standard', 'Nonsense'].includes(annotations['serving.kserve.io/deploymentMode'] ?? '') && mode !== undefined && failed === undefined
  );
}

describe('InferenceServices in KServe 0.17: webhooks, mode and Deployments', () => {
  test('are refused exactly when we report it, and get the strategies that we show', () => {
    const compared = services.filter((service) => !hasIdleAnnotation(service));
    const different = compared.filter((service) => JSON.stringify(oursOf(service)) !== JSON.stringify(expectedOf(service)));
    expect(compared.length).toBeGreaterThan(490);
    expect(different.map((service) => ({ service, expected: expectedOf(service), ours: oursOf(service) }))).toEqual([]);
  });

  test('run in Knative or ModelMesh with any value of the annotation, which we report as an error', () => {
    const idle = services.filter(hasIdleAnnotation);
    expect(idle.map(({ mode }) => mode)).toEqual(['Knative', 'Knative', 'ModelMesh', 'ModelMesh', 'Knative', 'Knative']);
    expect(idle.map(oursOf)).toEqual(idle.map(() => ({ refused: true })));
  });
});

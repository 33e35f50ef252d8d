import type { Finding } from '../../../src/core/finding';
import type { Fields, Manifest } from '../../../src/core/manifest';
import { collectFindings } from '../../../src/core/plan-document';
import type { PlanDocument } from '../../../src/core/plan-document';
import type { PlannedRollout } from '../../../src/core/rollout';
import { planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';

/** What a KServe of this version makes of the objects. */
export function plan(objects: readonly Manifest[], kserve = '0.17', options: PlanOptions = {}): PlanDocument {
  return planManifests(objects, { versions: { kserve }, ...options });
}

export const STANDARD = { 'serving.kserve.io/deploymentMode': 'Standard' } as const;

interface ServiceParts {
  readonly annotations?: Record<string, string>;
  /** Beside the predictor. */
  readonly spec?: Fields;
  readonly status?: Fields;
}

/** An InferenceService that KServe takes, with these fields in its predictor. */
export function service(predictor: Fields = {}, parts: ServiceParts = {}): Manifest {
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', namespace: 'models', ...(parts.annotations && { annotations: parts.annotations }) },
    spec: {
      predictor: { model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' }, ...predictor },
      ...parts.spec,
    },
    ...(parts.status && { status: parts.status }),
  };
}

/** An InferenceService on several nodes that KServe takes. */
export function multinodeService(predictor: Fields = {}, annotations: Record<string, string> = {}): Manifest {
  const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm' };
  return service(
    { model, workerSpec: { pipelineParallelSize: 2, tensorParallelSize: 1 }, ...predictor },
    { annotations: { 'serving.kserve.io/autoscalerClass': 'none', ...annotations } },
  );
}

/** KServe's ConfigMap with this value, or this text, as its `deploy` key. */
export function configMap(deploy: Fields | string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: { deploy: typeof deploy === 'string' ? deploy : JSON.stringify(deploy, null, 2) },
  };
}

/** The ConfigMap of a cluster whose services run in mode Standard, for tests that are about its Deployments. */
export const STANDARD_PLATFORM: Manifest = configMap({ defaultDeploymentMode: 'Standard' });

/** KServe's ConfigMap with these rollout defaults. */
export function rolloutDefaults(defaultRollout: Fields, defaultDeploymentMode = 'Standard'): Manifest {
  return configMap({ defaultDeploymentMode, deploymentRolloutStrategy: { defaultRollout } });
}

/** The rollout of one component. */
export function rolloutOf(document: PlanDocument, component?: string): PlannedRollout {
  const found = document.rollouts.find(({ resource }) => resource.component === component);
  if (!found) throw new Error(`no rollout of ${component}`);
  return found;
}

/** Findings as lines: severity, code, path. */
export function listed(findings: readonly Finding[]): string[] {
  return findings.map(({ severity, code, path }) => `${severity} ${code} at ${path}`);
}

/** Every finding of a plan as a line. */
export function listedAll(document: PlanDocument): string[] {
  return listed(collectFindings(document));
}

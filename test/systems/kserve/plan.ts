import type { Finding } from '../../../src/core/findings/finding';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { collectFindings } from '../../../src/core/document/plan-document';
import type { PlanDocument } from '../../../src/core/document/plan-document';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import { planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';

/** Plans the objects for a KServe of this version. */
export function plan(objects: readonly Manifest[], kserve = '0.17', options: PlanOptions = {}): PlanDocument {
  return planManifests(objects, { versions: { kserve }, ...options });
}

export const STANDARD = { 'serving.kserve.io/deploymentMode': 'Standard' } as const;

interface ServiceParts {
  readonly annotations?: Record<string, string>;
  /** Fields next to the predictor. */
  readonly spec?: Fields;
  readonly status?: Fields;
}

/** Returns an InferenceService that KServe accepts, with these fields in its predictor. */
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

/** Returns a multinode InferenceService that KServe accepts. */
export function multinodeService(predictor: Fields = {}, annotations: Record<string, string> = {}): Manifest {
  const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm' };
  return service(
    { model, workerSpec: { pipelineParallelSize: 2, tensorParallelSize: 1 }, ...predictor },
    { annotations: { 'serving.kserve.io/autoscalerClass': 'none', ...annotations } },
  );
}

/** Returns KServe's ConfigMap with this value or text in its `deploy` key. */
export function configMap(deploy: Fields | string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: { deploy: typeof deploy === 'string' ? deploy : JSON.stringify(deploy, null, 2) },
  };
}

/** The ConfigMap of a cluster with default mode Standard, for tests about Deployments. */
export const STANDARD_PLATFORM: Manifest = configMap({ defaultDeploymentMode: 'Standard' });

/** Returns KServe's ConfigMap with these rollout defaults. */
export function rolloutDefaults(defaultRollout: Fields, defaultDeploymentMode = 'Standard'): Manifest {
  return configMap({ defaultDeploymentMode, deploymentRolloutStrategy: { defaultRollout } });
}

/** Returns the rollout of one component. */
export function rolloutOf(document: PlanDocument, component?: string): PlannedRollout {
  const rollout = document.rollouts.find(({ resource }) => resource.component === component);
  if (!rollout) throw new Error(`no rollout of ${component}`);
  return rollout;
}

/** Formats findings as lines: severity, code, path. */
export function listed(findings: readonly Finding[]): string[] {
  return findings.map(({ severity, code, path }) => `${severity} ${code} at ${path}`);
}

/** Formats every finding of a plan as a line. */
export function listedAll(document: PlanDocument): string[] {
  return listed(collectFindings(document));
}

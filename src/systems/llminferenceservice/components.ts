import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { annotationOf, getFieldsAt, isFields, getListAt, nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

/** A workload that KServe creates for an LLMInferenceService. */
export interface LlmComponent {
  /** The role of the workload. `workload` is called `decode` if there is a prefill. */
  readonly name: 'workload' | 'decode' | 'prefill' | 'scheduler';
  /** The fields of the workload. */
  readonly spec: Fields;
  readonly path: FieldPath;
  /** The name of the Deployment or LeaderWorkerSet that KServe creates. */
  readonly objectName: string;
  /** The number of pods or groups. */
  readonly replicas: number;
  /** The number of pods per group; undefined for a Deployment. */
  readonly groupSize?: number;
  /** The pod as written. A preset may fill in more. */
  readonly template: Fields;
  readonly templatePath: FieldPath;
  /** The labels that KServe adds to the pods. */
  readonly labels: Fields;
}

/** The annotation that makes KServe delete all workloads of a service. */
export const LLM_STOP_ANNOTATION = 'serving.kserve.io/stop';

/** Reports whether the service is stopped by its annotation. */
export function isLlmServiceStopped(object: Manifest): boolean {
  return annotationOf(object, LLM_STOP_ANNOTATION)?.toLowerCase() === 'true';
}

function clampToPositive(value: unknown): number {
  return isInt32(value) ? Math.max(1, value) : 1;
}

/**
 * Returns the pods per group: data / dataLocal with data parallelism, otherwise the pipeline size, or 1.
 *
 * data 8 with dataLocal 4 is 2. Source: kserve pkg/apis/serving/v1alpha2, `ParallelismSpec.GetSize`.
 */
function computeGroupSize(parallelism: Fields): number {
  const { data, dataLocal, pipeline } = parallelism;
  if (data !== undefined || dataLocal !== undefined) return Math.max(1, Math.floor(clampToPositive(data) / clampToPositive(dataLocal)));
  return clampToPositive(pipeline);
}

function replicasOf({ replicas, scaling }: Fields): number {
  if (isInt32(replicas)) return replicas;
  const { minReplicas } = getFieldsAt({ scaling }, 'scaling');
  return isInt32(minReplicas) ? Math.max(1, minReplicas) : 1;
}

function buildWorkload(name: LlmComponent['name'], spec: Fields, path: FieldPath, service: string, role: string): LlmComponent {
  const suffix = name === 'prefill' ? '-prefill' : '';
  const isMultiNode = isFields(spec.worker);
  return {
    name,
    spec,
    path,
    objectName: `${service}-kserve${isMultiNode ? '-mn' : ''}${suffix}`,
    replicas: replicasOf(spec),
    ...(isMultiNode && { groupSize: computeGroupSize(getFieldsAt(spec, 'parallelism')) }),
    template: getFieldsAt(spec, 'template'),
    templatePath: toFieldPath`${path}.template`,
    labels: { 'app.kubernetes.io/name': service, 'kserve.io/component': 'workload', 'llm-d.ai/role': role },
  };
}

/** Builds the endpoint picker of the router; empty if the router references an existing pool. */
function buildSchedulers(spec: Fields, service: string): LlmComponent[] {
  const scheduler = getFieldsAt(spec, 'router').scheduler;
  if (!isFields(scheduler) || isFields(getFieldsAt(scheduler, 'pool').ref)) return [];
  const path = toFieldPath`spec.router.scheduler`;
  return [
    {
      name: 'scheduler',
      spec: scheduler,
      path,
      objectName: `${service}-kserve-router-scheduler`,
      replicas: isInt32(scheduler.replicas) ? scheduler.replicas : 1,
      template: getFieldsAt(scheduler, 'template'),
      templatePath: toFieldPath`${path}.template`,
      labels: { 'app.kubernetes.io/name': service, 'app.kubernetes.io/component': 'llminferenceservice-router-scheduler' },
    },
  ];
}

/** Returns the workloads that KServe creates for a service: its main workload, the prefill workload and the scheduler of its router. */
export function listLlmComponents(object: Manifest): LlmComponent[] {
  const spec = getFieldsAt(object, 'spec');
  const name = nameOf(object);
  const prefill = isFields(spec.prefill) ? spec.prefill : undefined;
  return [
    buildWorkload(prefill ? 'decode' : 'workload', spec, toFieldPath`spec`, name, prefill ? 'decode' : 'both'),
    ...(prefill ? [buildWorkload('prefill', prefill, toFieldPath`spec.prefill`, name, 'prefill')] : []),
    ...buildSchedulers(spec, name),
  ];
}

/** Reports whether the pods are unknown because a preset fills them in. */
export function isFromPreset({ template }: Pick<LlmComponent, 'template'>): boolean {
  return getListAt(template, 'containers').length === 0;
}

import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { isInt32 } from '../../core/int-or-percent';
import { annotationOf, getFieldsAt, isFields, getListAt, nameOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';

/** One of the workloads that KServe makes of an LLMInferenceService. */
export interface LlmComponent {
  /** `workload`, which is called `decode` beside a prefill; `prefill`; `scheduler`. */
  readonly name: 'workload' | 'decode' | 'prefill' | 'scheduler';
  /** The fields of its workload. */
  readonly spec: Fields;
  readonly path: FieldPath;
  /** Of the Deployment or LeaderWorkerSet that KServe makes. */
  readonly objectName: string;
  /** Pods, or groups of them. */
  readonly replicas: number;
  /** Pods of a group; undefined where its pods are those of a Deployment. */
  readonly groupSize?: number;
  /** Its pod; where a preset fills it in, as far as it is written. */
  readonly template: Fields;
  readonly templatePath: FieldPath;
  /** Labels that KServe gives its pods. */
  readonly labels: Fields;
}

/** The annotation by which KServe takes everything down. */
export const LLM_STOP_ANNOTATION = 'serving.kserve.io/stop';

/** Does its user keep it stopped? */
export function isLlmServiceStopped(object: Manifest): boolean {
  return annotationOf(object, LLM_STOP_ANNOTATION)?.toLowerCase() === 'true';
}

function clampToPositive(value: unknown): number {
  return isInt32(value) ? Math.max(1, value) : 1;
}

/**
 * Pods of a group: data / dataLocal with data parallelism, else the pipeline; 1 where nothing is said.
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

/** The endpoint picker of the router; none where its pool is somebody else's. */
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

/** What KServe makes of a service: its workload, that of a prefill, and the scheduler of its router. */
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

/** Is nothing known of its pods, which a preset fills in? */
export function isFromPreset({ template }: Pick<LlmComponent, 'template'>): boolean {
  return getListAt(template, 'containers').length === 0;
}

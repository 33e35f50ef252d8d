import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { isInt32 } from '../../core/int-or-percent';
import { annotationOf, fieldsAt, isFields, listAt, nameOf } from '../../core/manifest';
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
export const STOP_ANNOTATION = 'serving.kserve.io/stop';

/** Does its user keep it stopped? */
export function isStopped(object: Manifest): boolean {
  return annotationOf(object, STOP_ANNOTATION)?.toLowerCase() === 'true';
}

function positive(value: unknown): number {
  return isInt32(value) ? Math.max(1, value) : 1;
}

/**
 * Pods of a group: data / dataLocal with data parallelism, else the pipeline; 1 where nothing is said.
 *
 * data 8 with dataLocal 4 is 2. Source: kserve pkg/apis/serving/v1alpha2, `ParallelismSpec.GetSize`.
 */
function groupSize(parallelism: Fields): number {
  const { data, dataLocal, pipeline } = parallelism;
  if (data !== undefined || dataLocal !== undefined) return Math.max(1, Math.floor(positive(data) / positive(dataLocal)));
  return positive(pipeline);
}

function replicasOf({ replicas, scaling }: Fields): number {
  if (isInt32(replicas)) return replicas;
  const { minReplicas } = fieldsAt({ scaling }, 'scaling');
  return isInt32(minReplicas) ? Math.max(1, minReplicas) : 1;
}

function workload(name: LlmComponent['name'], spec: Fields, path: FieldPath, service: string, role: string): LlmComponent {
  const suffix = name === 'prefill' ? '-prefill' : '';
  const isMultiNode = isFields(spec.worker);
  return {
    name,
    spec,
    path,
    objectName: `${service}-kserve${isMultiNode ? '-mn' : ''}${suffix}`,
    replicas: replicasOf(spec),
    ...(isMultiNode && { groupSize: groupSize(fieldsAt(spec, 'parallelism')) }),
    template: fieldsAt(spec, 'template'),
    templatePath: at`${path}.template`,
    labels: { 'app.kubernetes.io/name': service, 'kserve.io/component': 'workload', 'llm-d.ai/role': role },
  };
}

/** The endpoint picker of the router; none where its pool is somebody else's. */
function schedulers(spec: Fields, service: string): LlmComponent[] {
  const scheduler = fieldsAt(spec, 'router').scheduler;
  if (!isFields(scheduler) || isFields(fieldsAt(scheduler, 'pool').ref)) return [];
  const path = at`spec.router.scheduler`;
  return [
    {
      name: 'scheduler',
      spec: scheduler,
      path,
      objectName: `${service}-kserve-router-scheduler`,
      replicas: isInt32(scheduler.replicas) ? scheduler.replicas : 1,
      template: fieldsAt(scheduler, 'template'),
      templatePath: at`${path}.template`,
      labels: { 'app.kubernetes.io/name': service, 'app.kubernetes.io/component': 'llminferenceservice-router-scheduler' },
    },
  ];
}

/** What KServe makes of a service: its workload, that of a prefill, and the scheduler of its router. */
export function componentsOf(object: Manifest): LlmComponent[] {
  const spec = fieldsAt(object, 'spec');
  const name = nameOf(object);
  const prefill = isFields(spec.prefill) ? spec.prefill : undefined;
  return [
    workload(prefill ? 'decode' : 'workload', spec, at`spec`, name, prefill ? 'decode' : 'both'),
    ...(prefill ? [workload('prefill', prefill, at`spec.prefill`, name, 'prefill')] : []),
    ...schedulers(spec, name),
  ];
}

/** Is nothing known of its pods, which a preset fills in? */
export function isFromPreset({ template }: Pick<LlmComponent, 'template'>): boolean {
  return listAt(template, 'containers').length === 0;
}

import { appendToPath, toFieldPath, appendLazily } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getFieldsAt, getListAt, isFields, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { COMPONENTS, modelFieldOf } from '../systems/kserve/service';
import { LLM_CONTAINER } from '../systems/llminferenceservice/preset-termination';
import { reportMissing } from '../workloads/pod/validation/field-errors';

/** Finds containers of a pod without an image. @param isCompleted - whether a preset adds the image of a container with this name */
function findInPod(pod: unknown, path: FieldPath, isCompleted: (name: unknown) => boolean = () => false): Finding[] {
  return ['initContainers', 'containers'].flatMap((list) =>
    getListAt(pod, list).flatMap((container, index) => {
      if (!isFields(container) || isCompleted(container.name)) return [];
      const { image } = container;
      if (image !== undefined && image !== null && image !== '') return [];
      return [reportMissing(appendLazily(appendToPath(path, list, index), 'image'))];
    }),
  );
}

/** Finds containers of an InferenceService. A runtime completes those next to a model, by name. */
function findInService(spec: Fields): Finding[] {
  const components = [
    ...COMPONENTS.map((name) => [toFieldPath`spec.${name}`, getFieldsAt(spec, name)] as const),
    ...getListAt(spec, 'canary').map(
      (each, index) => [toFieldPath`spec.canary[${index}].predictor`, getFieldsAt(each, 'predictor')] as const,
    ),
  ];
  return components.flatMap(([path, component]) =>
    modelFieldOf(component) !== undefined || isFields(component.art) ? [] : findInPod(component, path),
  );
}

function findInRayService(spec: Fields): Finding[] {
  const cluster = getFieldsAt(spec, 'rayClusterConfig');
  const groups = [
    [toFieldPath`spec.rayClusterConfig.headGroupSpec`, getFieldsAt(cluster, 'headGroupSpec')] as const,
    ...getListAt(cluster, 'workerGroupSpecs').map(
      (group, index) => [toFieldPath`spec.rayClusterConfig.workerGroupSpecs[${index}]`, getFieldsAt(group)] as const,
    ),
  ];
  return groups.flatMap(([path, group]) => findInPod(getFieldsAt(group, 'template', 'spec'), toFieldPath`${path}.template.spec`));
}

/** Finds containers of an LLMInferenceService. The presets of KServe complete the container `main`, and those of the user any. */
function findInLlmService(spec: Fields): Finding[] {
  const isCompleted = (name: unknown) => spec.baseRefs !== undefined || name === LLM_CONTAINER;
  const workloads = [[toFieldPath`spec`, spec] as const, [toFieldPath`spec.prefill`, getFieldsAt(spec, 'prefill')] as const];
  return workloads.flatMap(([path, workload]) =>
    ['template', 'worker'].flatMap((pod) => findInPod(getFieldsAt(workload, pod), appendToPath(path, pod), isCompleted)),
  );
}

/** Finds containers of the groups of a LeaderWorkerSet without an image. */
function findInGroups(template: Fields, path: FieldPath): Finding[] {
  return ['leaderTemplate', 'workerTemplate'].flatMap((pod) =>
    findInPod(getFieldsAt(template, pod, 'spec'), toFieldPath`${appendToPath(path, pod)}.spec`),
  );
}

function findInRoles(spec: Fields): Finding[] {
  return getListAt(spec, 'roles').flatMap((role, index) =>
    findInGroups(getFieldsAt(role, 'spec', 'leaderWorkerTemplate'), toFieldPath`spec.roles[${index}].spec.leaderWorkerTemplate`),
  );
}

/** Returns what is missing as warnings, for a component: the object is registered, and only its pods or a later update are refused. */
export function findMissingFieldWarnings(objects: readonly Manifest[]): Finding[] {
  return objects.flatMap(findMissingFields).map((finding) => ({ ...finding, severity: 'warning' }));
}

const FINDERS: Readonly<Record<string, (spec: Fields) => Finding[]>> = {
  InferenceService: findInService,
  RayService: findInRayService,
  LLMInferenceService: findInLlmService,
  LeaderWorkerSet: (spec) => findInGroups(getFieldsAt(spec, 'leaderWorkerTemplate'), toFieldPath`spec.leaderWorkerTemplate`),
  DisaggregatedSet: findInRoles,
};

/**
 * Reports what is missing in an object that a construct wrote completely: the image of a container, which the API server refuses in the pods.
 * The same object in YAML may be a patch, so that a plan of YAML does not report it.
 */
export function findMissingFields(object: Manifest): Finding[] {
  const namespace = namespaceOf(object);
  const about = { kind: object.kind, ...(namespace !== undefined && { namespace }), name: nameOf(object) };
  const found = Object.hasOwn(FINDERS, object.kind) ? FINDERS[object.kind]!(getFieldsAt(object, 'spec')) : [];
  return found.map((finding) => ({ ...finding, object: about }));
}

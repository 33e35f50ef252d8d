import { appendToPath, toFieldPath, appendLazily } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getFieldsAt, getListAt, isFields, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { joinLists } from '../core/text/join-lists';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import { COMPONENTS, MODEL_CONTAINER, modelFieldOf } from '../systems/kserve/service';
import { LLM_CONTAINER } from '../systems/llminferenceservice/preset-termination';
import { fillPod } from '../workloads/pod/fill-pod';
import { reportMissing } from '../workloads/pod/validation/field-errors';
import { validateAnnotations, validateLabels } from '../workloads/pod/validation/labels';
import { validatePodSpec } from '../workloads/pod/validation/pod';

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

/** Finds what the API server refuses in the pods that an operator creates from these fields, except what the operator may add. */
function findInvalidFields(pod: Fields, { labels, annotations }: Fields, path: FieldPath, metadataPath: FieldPath): readonly Finding[] {
  return joinLists(
    validateLabels(labels, appendLazily(metadataPath, 'labels')),
    validateAnnotations(annotations, appendLazily(metadataPath, 'annotations')),
    validatePodSpec(fillPod(pod), DEFAULT_VERSIONS.kubernetes, path),
  );
}

/** Name of the container of a model while it is validated. It differs from those that a user may write next to the model. */
const VALIDATED_MODEL = 'validated-model';

/**
 * Finds what is invalid in the pods of a component. A runtime completes the containers next to a model. The model is validated as the last
 * container, so that the others keep their paths. KServe names the first container of a component without a model.
 */
function findInComponent(component: Fields, path: FieldPath): readonly Finding[] {
  const field = modelFieldOf(component);
  const own = getListAt(component, 'containers');
  const isNamed = field === undefined && !isFields(component.art);
  const named = own.map((each, index) => (isNamed && index === 0 && isFields(each) ? { ...each, name: MODEL_CONTAINER } : each));
  const model = field === undefined ? [] : [{ ...getFieldsAt(component, field), name: VALIDATED_MODEL }];
  const modelPath = toFieldPath`${path}.containers[${own.length}]`;
  const invalid = findInvalidFields({ ...component, containers: [...named, ...model] }, component, path, path).map((finding) =>
    finding.path.startsWith(modelPath)
      ? { ...finding, path: `${path}.${field}${finding.path.slice(modelPath.length)}` as FieldPath }
      : finding,
  );
  return isNamed ? joinLists(findInPod(component, path), invalid) : invalid;
}

/** Finds what is invalid in the pods of an InferenceService. */
function findInService(spec: Fields): readonly Finding[] {
  const components = [
    ...COMPONENTS.map((name) => [toFieldPath`spec.${name}`, getFieldsAt(spec, name)] as const),
    ...getListAt(spec, 'canary').map(
      (each, index) => [toFieldPath`spec.canary[${index}].predictor`, getFieldsAt(each, 'predictor')] as const,
    ),
  ];
  return components.flatMap(([path, component]) => findInComponent(component, path));
}

/** Finds what is invalid in the pods of a Ray cluster. */
function findInRayService(spec: Fields): readonly Finding[] {
  const cluster = getFieldsAt(spec, 'rayClusterConfig');
  const groups = [
    [toFieldPath`spec.rayClusterConfig.headGroupSpec`, getFieldsAt(cluster, 'headGroupSpec')] as const,
    ...getListAt(cluster, 'workerGroupSpecs').map(
      (group, index) => [toFieldPath`spec.rayClusterConfig.workerGroupSpecs[${index}]`, getFieldsAt(group)] as const,
    ),
  ];
  return groups.flatMap(([path, group]) => {
    const { metadata, spec: pod } = getFieldsAt(group, 'template');
    const podPath = toFieldPath`${path}.template.spec`;
    return [
      ...findInPod(pod, podPath),
      ...findInvalidFields(
        getFieldsAt({ pod }, 'pod'),
        getFieldsAt({ metadata }, 'metadata'),
        podPath,
        toFieldPath`${path}.template.metadata`,
      ),
    ];
  });
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

/** Returns what is refused in the pods as warnings, for a component: the object is registered, and only its pods or a later update are refused. */
export function findPodWarnings(objects: readonly Manifest[]): Finding[] {
  return objects.flatMap(findPodErrors).map((finding) => ({ ...finding, severity: 'warning' }));
}

const FINDERS: Readonly<Record<string, (spec: Fields) => readonly Finding[]>> = {
  InferenceService: findInService,
  RayService: findInRayService,
  LLMInferenceService: findInLlmService,
  LeaderWorkerSet: (spec) => findInGroups(getFieldsAt(spec, 'leaderWorkerTemplate'), toFieldPath`spec.leaderWorkerTemplate`),
  DisaggregatedSet: findInRoles,
};

/**
 * Reports what the API server refuses in the pods of an object that a construct wrote completely: a container without an image, and if the plan
 * does not validate the pods, their invalid fields. The same object in YAML may be a patch, so that a plan of YAML does not report it.
 */
export function findPodErrors(object: Manifest): Finding[] {
  const namespace = namespaceOf(object);
  const about = { kind: object.kind, ...(namespace !== undefined && { namespace }), name: nameOf(object) };
  const found = Object.hasOwn(FINDERS, object.kind) ? FINDERS[object.kind]!(getFieldsAt(object, 'spec')) : [];
  return found.map((finding) => ({ ...finding, object: about }));
}

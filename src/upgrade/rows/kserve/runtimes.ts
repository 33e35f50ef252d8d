import { getFieldsAt, getValueAt, isFields, nameOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { isAtLeast } from '../../../core/values/versions';
import { isServiceStopped, modelOf } from '../../../systems/kserve/service';
import { resolveServiceMode } from '../../../systems/kserve/system';
import type { UpgradeRow, UpgradeSides } from '../../upgrade-row';
import { serverTypeOf } from './service-runtime';
import { changeImage, listWrittenContainers, isPredictor, matchService, readSides } from './service-sides';

export const agentReadiness: UpgradeRow = {
  id: 'agent-readiness',
  since: '0.18',
  effect: 'new-pods',
  message:
    "KServe 0.18 probes the agent of a logger or batcher at the path of the user's readiness probe. Pods that are created from now on have that probe.",
  match: matchService(({ service }) =>
    isFields(service.predictor.logger) || isFields(service.predictor.batcher) ? [{ component: 'predictor' }] : [],
  ),
};

const FORMAT_ANNOTATION = 'modelFormat';

/**
 * Keeps the annotation modelFormat out of the pod templates. The annotations of a service reach all components; those of a component or
 * runtime reach its own pods.
 *
 * Source: KServe v0.17.0, pkg/constants/constants.go, `ServiceAnnotationDisallowedList`.
 */
export const formatAnnotation: UpgradeRow = {
  id: 'model-format-annotation',
  since: '0.17',
  effect: 'roll',
  message: 'KServe 0.17 leaves the annotation modelFormat out of the pod templates.',
  match: matchService(({ service, deployments, after }) =>
    deployments.flatMap(({ component, podSpec }) => {
      const runtime = component === 'predictor' ? getFieldsAt(after?.runtime, 'spec', 'annotations') : {};
      const own = component === 'worker' ? service.predictor : podSpec;
      const annotations = { ...runtime, ...service.annotations, ...getFieldsAt(own, 'annotations') };
      const old = annotations[FORMAT_ANNOTATION];
      return old === undefined ? [] : [{ component, fields: [{ path: `spec.template.metadata.annotations.${FORMAT_ANNOTATION}`, old }] }];
    }),
  ),
};

export const runtimeScheduler: UpgradeRow = {
  id: 'runtime-scheduler',
  since: '0.17',
  effect: 'roll',
  message: 'KServe 0.17 passes the schedulerName of a serving runtime on to the pods.',
  match: matchService(({ after }) => {
    const name = getValueAt(after?.runtime, 'spec', 'schedulerName');
    return typeof name === 'string' && name !== '' && name !== 'default-scheduler'
      ? [{ component: 'predictor', fields: [{ path: 'spec.template.spec.schedulerName', old: 'default-scheduler', new: name }] }]
      : [];
  }),
};

const GPU_NAMES: ReadonlySet<string> = new Set(['kserve-tensorflow-serving', 'kserve-torchserve', 'kserve-huggingfaceserver']);

const GPU_TYPES: ReadonlySet<unknown> = new Set(['tensorflow-serving', 'torchserve', 'huggingfaceserver']);

function requestsGpu(container: Fields): boolean {
  const amounts = [getFieldsAt(container, 'resources', 'limits'), getFieldsAt(container, 'resources', 'requests')];
  return amounts.some((resources) => Object.keys(resources).some((name) => /^(?:nvidia|amd|intel|habana)\.(?:com|ai)\//.test(name)));
}

/** Returns the image that 0.20 writes for a runtime with an annotated server type, if an earlier version writes another one. */
function retagImage(container: Fields, runtime: Manifest): string | undefined {
  const { image } = container;
  const type = serverTypeOf(runtime);
  if (typeof image !== 'string' || image.includes('@sha256:') || !/:[\w.-]*$/.test(image)) return undefined;
  const colon = image.lastIndexOf(':');
  const repository = image.slice(0, colon);
  if (requestsGpu(container)) {
    return GPU_TYPES.has(type) && !GPU_NAMES.has(nameOf(runtime)) && !image.endsWith('-gpu') ? `${image}-gpu` : undefined;
  }
  return type === 'vllmserver' && !repository.endsWith('-cpu') ? `${repository}-cpu${image.slice(colon)}` : undefined;
}

export const annotatedRuntimeImage: UpgradeRow = {
  id: 'annotated-runtime-image',
  since: '0.20',
  effect: 'roll',
  message:
    'KServe 0.20 chooses the image by the annotation serving.kserve.io/server-type of the runtime: with GPUs it appends -gpu to the tag for TensorFlow, TorchServe and Hugging Face, and without GPUs it appends -cpu to the repository for vLLM.',
  match: matchService(({ service, deployments, after }) => {
    const version = modelOf(service.predictor)?.runtimeVersion;
    if (!after || after.isAssumed || typeof version === 'string') return [];
    return deployments.filter(isPredictor).flatMap((deployment) => {
      const container = listWrittenContainers(deployment, getFieldsAt(after.runtime, 'spec')).find(
        ({ name }) => name === 'kserve-container',
      );
      const image = container && retagImage(container, after.runtime);
      return image === undefined ? [] : [{ component: deployment.component, fields: changeImage(container!.image as string, image) }];
    });
  }),
};

/** Versions from which the annotations of a serving runtime change what KServe writes. */
const RUNTIME_VERSIONS = ['0.17', '0.20'];

/** Reports whether a service names a runtime that is not in view, and the upgrade reads its annotations differently. */
export function hasUnseenRuntime(object: Manifest, sides: UpgradeSides): boolean {
  if (!RUNTIME_VERSIONS.some((version) => !isAtLeast(sides.from, version) && isAtLeast(sides.to, version))) return false;
  const read = readSides(object, sides);
  if (!read || isServiceStopped(read.service, resolveServiceMode(read.service, sides.next))) return false;
  return typeof modelOf(read.service.predictor)?.runtime === 'string' && !read.before && !read.after;
}

export const selectedRuntime: UpgradeRow = {
  id: 'selected-runtime',
  effect: 'select',
  message: ({ to }) =>
    `The model names no runtime, and KServe ${to} ships runtimes that support other versions of its format, so another runtime or none is selected.`,
  match: matchService(({ service, before, after }) => {
    const model = modelOf(service.predictor);
    if (!model || (model.runtime !== undefined && model.runtime !== null) || !before) return [];
    if (after && nameOf(before.runtime) === nameOf(after.runtime)) return [];
    return [
      {
        component: 'predictor',
        fields: [{ path: 'spec.predictor.model.runtime', old: nameOf(before.runtime), new: after ? nameOf(after.runtime) : null }],
      },
    ];
  }),
};

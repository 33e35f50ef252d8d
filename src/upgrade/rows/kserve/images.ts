import { CONTEXT_KINDS } from '../../../cluster/kinds/context-kinds';
import { annotationOf, getFieldsAt, getValueAt, groupOf, nameOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { parseLimitedJson } from '../../../core/values/levels';
import { KSERVE_STOP_ANNOTATION, modelOf } from '../../../systems/kserve/service';
import type { UpgradeRow, UpgradeSides } from '../../upgrade-row';
import { resolveUpgradedImage, runtimeImageOf, toPatchVersion } from './service-runtime';
import { changeImage, listWrittenContainers, isPredictor, matchService, toContainerPath } from './service-sides';

/** Reports whether the tag of the runtime's image is not used, since the model sets the image or its version. */
function setsImage(predictor: Fields): boolean {
  const { image, runtimeVersion } = modelOf(predictor) ?? {};
  return [image, runtimeVersion].some((value) => typeof value === 'string' && value !== '');
}

export const bundledRuntimeImage: UpgradeRow = {
  id: 'bundled-runtime-image',
  effect: 'roll',
  message: ({ to }) =>
    `The serving runtimes of KServe's chart have other images at ${to}, so every service with one of these runtimes rolls when they are upgraded.`,
  match: matchService(({ service, deployments, before, after, sides }) => {
    if (!before || !after || setsImage(service.predictor)) return [];
    // A runtime that was given for both versions is compared as it is.
    if (!before.isAssumed && before.runtime !== after.runtime) return [];
    if (nameOf(before.runtime) !== nameOf(after.runtime)) return [];
    const next = before.isAssumed ? runtimeImageOf(after.runtime) : resolveUpgradedImage(before.runtime, sides.from, sides.to);
    const fields = changeImage(runtimeImageOf(before.runtime), next);
    const components = deployments.filter((deployment) => isPredictor(deployment) || deployment.component === 'worker');
    return fields.length === 0 ? [] : components.map(({ component }) => ({ component, fields }));
  }),
};

/** An image that the ConfigMap of KServe sets: the key with it, and its name without the tag. */
interface ConfigImage {
  readonly key: string;
  readonly name: string;
}

export const STORAGE_INITIALIZER: ConfigImage = { key: 'storageInitializer', name: 'kserve/storage-initializer' };

const GRAPH_ROUTER: ConfigImage = { key: 'router', name: 'kserve/router' };

/** Returns an image of the ConfigMap, else that of the chart. Undefined if the ConfigMap cannot be read. */
function configImageOf({ key, name }: ConfigImage, config: Manifest | undefined, version: string): string | undefined {
  const text = getValueAt(config, 'data', key);
  if (typeof text !== 'string') return `${name}:v${toPatchVersion(version)}`;
  try {
    const image = getValueAt(parseLimitedJson(text), 'image');
    return typeof image === 'string' ? image : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an image before and after the upgrade. The image of the old chart becomes that of the new one. */
export function listConfigImages(
  image: ConfigImage,
  { old, next, from, to }: UpgradeSides,
): readonly [old: string | undefined, next: string | undefined] {
  const [was] = old.all(CONTEXT_KINDS.kserveConfig);
  const [is] = next.all(CONTEXT_KINDS.kserveConfig);
  const before = configImageOf(image, was, from);
  if (was !== undefined && was === is && before !== configImageOf(image, undefined, from)) return [before, before];
  return [before, was === is ? configImageOf(image, undefined, to) : configImageOf(image, is, to)];
}

export const digestWithVersion: UpgradeRow = {
  id: 'digest-with-version',
  since: '0.16',
  effect: 'roll',
  message: 'KServe 0.16 leaves an image with a digest alone. Before, runtimeVersion replaced the end of the digest.',
  match: matchService(({ service, deployments, after }) => {
    const version = modelOf(service.predictor)?.runtimeVersion;
    if (!after || typeof version !== 'string') return [];
    return deployments.filter(isPredictor).flatMap((deployment) => {
      const container = listWrittenContainers(deployment, getFieldsAt(after.runtime, 'spec')).find(
        ({ name }) => name === 'kserve-container',
      );
      const image = container?.image;
      if (typeof image !== 'string' || !image.includes('@sha256:')) return [];
      return [{ component: deployment.component, fields: changeImage(image.replace(/:[\w.-]*$/, `:${version}`), image) }];
    });
  }),
};

/**
 * Rolls the routers of InferenceGraphs. Their number of pods is not planned.
 *
 * Source: KServe v0.20.0, pkg/controller/v1alpha1/inferencegraph/raw_ig.go and knative_reconciler.go.
 */
export const graphRouter: UpgradeRow = {
  id: 'graph-router',
  effect: 'roll',
  message: ({ to }) => `Each InferenceGraph runs the image ${GRAPH_ROUTER.name} as its router, which has another tag at KServe ${to}.`,
  match: (object, sides) => {
    if (object.kind !== 'InferenceGraph' || groupOf(object) !== 'serving.kserve.io') return [];
    const [old, next] = listConfigImages(GRAPH_ROUTER, sides);
    const isStopped = annotationOf(object, KSERVE_STOP_ANNOTATION)?.toLowerCase() === 'true';
    return old === next || isStopped ? [] : [{ fields: [{ path: toContainerPath(nameOf(object), 'image'), old, new: next }] }];
  },
};

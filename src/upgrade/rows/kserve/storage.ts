import { CONTEXT_KINDS } from '../../../cluster/kinds/context-kinds';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../../../core/manifest/manifest';
import { isAtLeast } from '../../../core/values/versions';
import type { ComponentDeployment } from '../../../systems/kserve/deployments';
import { modelOf } from '../../../systems/kserve/service';
import type { KserveService } from '../../../systems/kserve/service';
import type { UpgradeRow } from '../../upgrade-row';
import { STORAGE_INITIALIZER, listConfigImages } from './images';
import { isPredictor, matchService } from './service-sides';

/** Reports whether KServe itself writes the init container: for `storageUris`. Its webhook injects it for `storageUri`. */
function hasStorageUris({ podSpec }: ComponentDeployment): boolean {
  return getListAt(podSpec, 'storageUris').length > 0;
}

export const storageUrisImage: UpgradeRow = {
  id: 'storage-uris-image',
  effect: 'roll',
  message: ({ to }) =>
    `The init container for storageUris is in the Deployment, and its image ${STORAGE_INITIALIZER.name} has another tag at KServe ${to}.`,
  match: matchService(({ deployments, sides }) => {
    const [old, next] = listConfigImages(STORAGE_INITIALIZER, sides);
    if (old === next || !isAtLeast(sides.from, '0.16')) return [];
    const fields = [{ path: 'spec.template.spec.initContainers[storage-initializer].image', old, new: next }];
    return deployments.filter(hasStorageUris).map(({ component }) => ({ component, fields }));
  }),
};

/** Source: KServe v0.17.0, pkg/utils/storage.go, `CreateInitContainerWithConfig`. */
export const storageUrisMount: UpgradeRow = {
  id: 'storage-uris-mount',
  since: '0.17',
  effect: 'roll',
  message: 'KServe 0.17 leaves out the mount of the whole model folder in the init container for storageUris, next to that of each URI.',
  match: matchService(({ deployments, sides: { from } }) =>
    isAtLeast(from, '0.16')
      ? deployments.filter(hasStorageUris).map(({ component }) => ({
          component,
          fields: [
            { path: 'spec.template.spec.initContainers[storage-initializer].volumeMounts[kserve-provision-location]', old: '/mnt/models' },
          ],
        }))
      : [],
  ),
};

/** Reports whether the webhook injects the storage initializer into the pods of a predictor. */
function hasInjectedStorage({ podSpec }: ComponentDeployment, service: KserveService): boolean {
  const uri = modelOf(service.predictor)?.storageUri;
  return typeof uri === 'string' && !/^(?:pvc|oci):\/\//.test(uri) && isFields(podSpec);
}

export const storageInitializer: UpgradeRow = {
  id: 'storage-initializer',
  effect: 'new-pods',
  message: ({ to }) =>
    `KServe's webhook injects the storage initializer of ${to} into pods that are created from now on. Running pods keep the old one.`,
  match: matchService(({ service, deployments, sides }) => {
    const [old, next] = listConfigImages(STORAGE_INITIALIZER, sides);
    return old === next
      ? []
      : deployments
          .filter((deployment) => isPredictor(deployment) && hasInjectedStorage(deployment, service))
          .map(({ component }) => ({ component }));
  }),
};

export const directPvcMount: UpgradeRow = {
  id: 'direct-pvc-mount',
  since: '0.16',
  effect: 'new-pods',
  message:
    'KServe 0.16 always mounts the claim of a pvc:// model directly, whatever enableDirectPvcVolumeMount was. Pods that are created from now on have another shape if it was off.',
  match: matchService(({ service, sides: { old } }) => {
    const uri = modelOf(service.predictor)?.storageUri;
    const [config] = old.all(CONTEXT_KINDS.kserveConfig);
    const text = getValueAt(config, 'data', 'storageInitializer');
    const isDirect = typeof text === 'string' && /"enableDirectPvcVolumeMount"\s*:\s*true/.test(text);
    return typeof uri === 'string' && uri.startsWith('pvc://') && !isDirect ? [{ component: 'predictor' }] : [];
  }),
};

export const localModelPath: UpgradeRow = {
  id: 'local-model-path',
  since: '0.18',
  effect: 'new-pods',
  message:
    'KServe 0.18 looks for a cached model under its storage key instead of its name, so a pod that is created from now on does not find a cache that an earlier version filled. Download the caches again first.',
  match: matchService(({ service }) =>
    getFieldsAt(service.object, 'metadata', 'labels')['internal.serving.kserve.io/localmodel'] === undefined
      ? []
      : [{ component: 'predictor' }],
  ),
};

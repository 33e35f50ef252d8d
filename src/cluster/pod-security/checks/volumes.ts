import { getListAt, isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { chooseNumber, joinQuoted, sortUnique } from './violation-text';
import type { PodCheck } from './checked-pod';
import { toSafeText } from '../../../core/text/value-text';

/** Formats volumes: `volume "data"`. */
function formatVolumes(volumes: readonly Fields[]): string {
  return `${chooseNumber(volumes.length, 'volume', 'volumes')} ${joinQuoted(volumes.map(({ name }) => toSafeText(name)))}`;
}

export const checkHostPathVolumes: PodCheck = ({ spec }) => {
  const volumes = getListAt(spec, 'volumes').filter(isFields);
  const bad = volumes.filter(({ hostPath }) => isFields(hostPath));
  if (bad.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: formatVolumes(bad), field: ['volumes', volumes.indexOf(bad[0]!), 'hostPath'] };
};

const ALLOWED_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

const RESTRICTED_VOLUMES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

/** Returns the restricted type of a volume. A volume without a type is an emptyDir. */
function findRestrictedType(volume: Fields): string | undefined {
  if (ALLOWED_VOLUMES.some((type) => isFields(volume[type]))) return undefined;
  return RESTRICTED_VOLUMES.find((type) => isFields(volume[type]));
}

export const checkVolumeTypes: PodCheck = ({ spec }) => {
  const volumes = getListAt(spec, 'volumes').filter(isFields);
  const bad = volumes.filter((volume) => findRestrictedType(volume) !== undefined);
  if (bad.length === 0) return undefined;
  const types = sortUnique(bad.map((volume) => findRestrictedType(volume)!));
  return {
    reason: 'restricted volume types',
    detail: `${formatVolumes(bad)} ${chooseNumber(bad.length, 'uses', 'use')} ${chooseNumber(types.length, 'restricted volume type', 'restricted volume types')} ${joinQuoted(types)}`,
    field: ['volumes', volumes.indexOf(bad[0]!)],
  };
};

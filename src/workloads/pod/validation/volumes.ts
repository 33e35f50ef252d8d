import { getFieldName, appendMapKeyLazily, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import { validateClaimTemplate } from './claims';
import {
  reportDuplicate,
  validateFormat,
  validateAtMostOne,
  isNonEmpty,
  isNonNil,
  listItems,
  validateMaxLength,
  asMap,
  reportMissing,
  validateRequiredFormat,
  validateOptionalFormat,
  validatePointerEnum,
  validateRange,
  reportInvalid,
  validateRequired,
  decodeString,
} from './field-errors';
import { parseResourceAmount } from './resources';
import {
  validateNoBacksteps,
  validateDownwardFiles,
  isEmptyString,
  createKeyedSourceCheck,
  validateMode,
  validateRelativePath,
  createRequiredCheck,
} from './volume-files';
import type { SourceCheck } from './volume-files';
import { validateProjectedVolume } from './projected-volume';

/* Validation of volumes. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumes` and its callees. */

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function validateHostPath({ path, type }: Fields, location: LazyFieldPath): readonly Finding[] {
  if (decodeString(path) === '') return [reportMissing(appendLazily(location, 'path'))];
  return joinLists(
    validateNoBacksteps(path, appendLazily(location, 'path')),
    validatePointerEnum(type, HOST_PATH_TYPES, appendLazily(location, 'type')),
  );
}

function validateNfs(nfs: Fields, location: LazyFieldPath): readonly Finding[] {
  const path = decodeString(nfs.path);
  return joinLists(
    createRequiredCheck('server', 'path')(nfs, location),
    path && !path.startsWith('/') ? [reportInvalid('relative', path, appendLazily(location, 'path'))] : [],
  );
}

function validateIscsi(iscsi: Fields, location: LazyFieldPath): readonly Finding[] {
  const isAuthenticated = iscsi.chapAuthDiscovery === true || iscsi.chapAuthSession === true;
  return joinLists(
    createRequiredCheck('targetPortal')(iscsi, location),
    validateRequiredFormat(iscsi.iqn, 'initiator-name', appendLazily(location, 'iqn')),
    validateRange(iscsi.lun, 0, 255, appendLazily(location, 'lun')),
    isAuthenticated && !isNonNil(iscsi.secretRef) ? [reportMissing(appendLazily(location, 'secretRef'))] : [],
    typeof iscsi.initiatorName === 'string'
      ? validateFormat(iscsi.initiatorName, 'initiator-name', appendLazily(location, 'initiatorName'))
      : [],
  );
}

function validateFc(fc: Fields, location: LazyFieldPath): readonly Finding[] {
  const present = ['targetWWNs', 'wwids'].filter((name) => isNonEmpty(fc[name]));
  if (present.length === 0) return [reportMissing(appendLazily(location, 'targetWWNs'))];
  const both =
    present.length > 1
      ? [
          invalidWorkload.createFinding('several', {
            path: resolveLazyPath(appendLazily(location, 'targetWWNs')),
            data: { field: 'targetWWNs', present },
          }),
        ]
      : [];
  if (!isNonEmpty(fc.targetWWNs)) return both;
  return joinLists(
    both,
    isNonNil(fc.lun) ? validateRange(fc.lun, 0, 255, appendLazily(location, 'lun')) : [reportMissing(appendLazily(location, 'lun'))],
  );
}

function validateFlocker(flocker: Fields, location: LazyFieldPath): readonly Finding[] {
  const names = ['datasetName', 'datasetUUID'];
  const present = names.filter((name) => !isEmptyString(flocker[name]));
  const data = { field: getFieldName(resolveLazyPath(location)) };
  return joinLists(
    present.length === 0
      ? [invalidWorkload.createFinding('none', { path: resolveLazyPath(location), data: { ...data, choices: names } })]
      : [],
    present.length > 1 ? [invalidWorkload.createFinding('several', { path: resolveLazyPath(location), data: { ...data, present } })] : [],
    decodeString(flocker.datasetName)?.includes('/')
      ? [reportInvalid('absolute', flocker.datasetName, appendLazily(location, 'datasetName'))]
      : [],
  );
}

function validateQuobyte(quobyte: Fields, location: LazyFieldPath): readonly Finding[] {
  const registry = decodeString(quobyte.registry);
  return joinLists(
    createRequiredCheck('registry', 'volume')(quobyte, location),
    registry ? validateMaxLength((decodeString(quobyte.tenant) ?? '').length, 64, 'character', appendLazily(location, 'tenant')) : [],
    registry ? validateFormat(registry, 'registry', appendLazily(location, 'registry')) : [],
  );
}

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];

function validateAzureDisk(disk: Fields, location: LazyFieldPath): readonly Finding[] {
  const uri = decodeString(disk.diskURI);
  const format = disk.kind === 'Managed' ? 'managed-disk' : 'blob-disk';
  return joinLists(
    createRequiredCheck('diskName')(disk, location),
    uri === '' ? [reportMissing(appendLazily(location, 'diskURI'))] : validateFormat(uri, format, appendLazily(location, 'diskURI')),
    validatePointerEnum(disk.cachingMode, CACHING_MODES, appendLazily(location, 'cachingMode')),
    validatePointerEnum(disk.kind, DISK_KINDS, appendLazily(location, 'kind')),
  );
}

/** Validates that a secret reference has a name. */
function validateSecretReference(secret: unknown, location: LazyFieldPath): readonly Finding[] {
  const fields = asMap(secret);
  return fields ? validateRequired(fields.name, appendLazily(location, 'name')) : [];
}

function validateFlex({ driver, options }: Fields, location: LazyFieldPath): readonly Finding[] {
  const isReserved = (key: string) => /\.(?:kubernetes|k8s)\.io$/.test(`.${key.split('/')[0]!.toLowerCase()}`);
  const reserved = Object.keys(asMap(options) ?? {}).filter(isReserved);
  return joinLists(
    createRequiredCheck('driver')({ driver }, location),
    reserved.map((key) => reportInvalid('reserved', key, appendMapKeyLazily(appendLazily(location, 'options'), key))),
  );
}

function validateCsi({ driver, nodePublishSecretRef }: Fields, location: LazyFieldPath): readonly Finding[] {
  const name = decodeString(driver);
  const secret = asMap(nodePublishSecretRef);
  return joinLists(
    createRequiredCheck('driver')({ driver }, location),
    name ? validateFormat(name.toLowerCase(), 'dns-subdomain', appendLazily(location, 'driver')) : [],
    name ? validateMaxLength(name.length, 63, 'character', appendLazily(location, 'driver')) : [],
    secret
      ? validateRequiredFormat(secret.name, 'dns-subdomain', appendLazily(appendLazily(location, 'nodePublishSecretRef'), 'name'))
      : [],
  );
}

function validateEphemeral({ volumeClaimTemplate }: Fields, location: LazyFieldPath): readonly Finding[] {
  const template = asMap(volumeClaimTemplate);
  if (template) return validateClaimTemplate(template, appendLazily(location, 'volumeClaimTemplate'));
  return isNonNil(volumeClaimTemplate) ? [] : [reportMissing(appendLazily(location, 'volumeClaimTemplate'))];
}

function validateSizeLimit({ sizeLimit }: Fields, location: LazyFieldPath): readonly Finding[] {
  const amount = sizeLimit === undefined ? undefined : parseResourceAmount(sizeLimit);
  return amount !== undefined && amount < 0n ? [reportInvalid('negativeAmount', sizeLimit, appendLazily(location, 'sizeLimit'))] : [];
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

/** The check of each volume source, in the order of the API server, which uses the first source and refuses each further one. */
const VOLUME_SOURCE_CHECKS: Readonly<Record<string, SourceCheck>> = {
  emptyDir: validateSizeLimit,
  hostPath: validateHostPath,
  gitRepo: (source, location) =>
    joinLists(
      createRequiredCheck('repository')(source, location),
      validateRelativePath(source.directory, appendLazily(location, 'directory')),
    ),
  gcePersistentDisk: (source, location) =>
    joinLists(
      createRequiredCheck('pdName')(source, location),
      validateRange(source.partition, 0, 255, appendLazily(location, 'partition')),
    ),
  awsElasticBlockStore: (source, location) =>
    joinLists(
      createRequiredCheck('volumeID')(source, location),
      validateRange(source.partition, 0, 255, appendLazily(location, 'partition')),
    ),
  secret: createKeyedSourceCheck('secretName'),
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: createRequiredCheck('endpoints', 'path'),
  flocker: validateFlocker,
  persistentVolumeClaim: createRequiredCheck('claimName'),
  rbd: createRequiredCheck('monitors', 'image'),
  cinder: (source, location) =>
    joinLists(
      createRequiredCheck('volumeID')(source, location),
      validateSecretReference(source.secretRef, appendLazily(location, 'secretRef')),
    ),
  cephfs: createRequiredCheck('monitors'),
  quobyte: validateQuobyte,
  downwardAPI: (source, location) =>
    joinLists(validateMode(source, 'defaultMode', location), validateDownwardFiles(source.items, appendLazily(location, 'items'))),
  fc: validateFc,
  flexVolume: validateFlex,
  configMap: createKeyedSourceCheck('name'),
  azureFile: createRequiredCheck('secretName', 'shareName'),
  vsphereVolume: createRequiredCheck('volumePath'),
  photonPersistentDisk: createRequiredCheck('pdID'),
  portworxVolume: createRequiredCheck('volumeID'),
  azureDisk: validateAzureDisk,
  storageos: (source, location) =>
    joinLists(
      validateRequiredFormat(source.volumeName, 'dns-label', appendLazily(location, 'volumeName')),
      validateOptionalFormat(source.volumeNamespace, 'dns-label', appendLazily(location, 'volumeNamespace')),
      validateSecretReference(source.secretRef, appendLazily(location, 'secretRef')),
    ),
  projected: validateProjectedVolume,
  scaleIO: createRequiredCheck('gateway', 'system', 'volumeName'),
  csi: validateCsi,
  ephemeral: validateEphemeral,
  image: (source, location) =>
    validatePointerEnum(source.pullPolicy === '' ? undefined : source.pullPolicy, PULL_POLICIES, appendLazily(location, 'pullPolicy')),
};

const VOLUME_SOURCE_NAMES = Object.keys(VOLUME_SOURCE_CHECKS);

/** Returns the source of a volume. A volume without a source is an emptyDir. */
export function volumeSourceOf(volume: Fields): string {
  return VOLUME_SOURCE_NAMES.find((name) => isNonNil(volume[name])) ?? 'emptyDir';
}

function validateVolume(volume: Fields, location: LazyFieldPath): readonly Finding[] {
  const present = VOLUME_SOURCE_NAMES.filter((name) => isNonNil(volume[name]));
  const first = present[0];
  const source = first === undefined ? undefined : asMap(volume[first]);
  return joinLists(
    source ? VOLUME_SOURCE_CHECKS[first!]!(source, appendLazily(location, first!)) : [],
    validateAtMostOne(present, location),
    validateRequiredFormat(volume.name, 'dns-label', appendLazily(location, 'name')),
    validateInitiatorPortal(volume, location),
  );
}

/** Validates the length of the name that the kubelet builds from the volume and the portal, if an iSCSI volume has its own initiator. */
function validateInitiatorPortal(volume: Fields, location: LazyFieldPath): readonly Finding[] {
  const { initiatorName, targetPortal } = asMap(volume.iscsi) ?? {};
  if (!isNonNil(initiatorName)) return [];
  return validateMaxLength(
    `${decodeString(volume.name)}:${decodeString(targetPortal)}`.length,
    64,
    'character',
    appendLazily(location, 'name'),
  );
}

/** The source of each volume of a pod, by name. A refused volume is not included, so that mounts of it are refused too. */
export type VolumeSources = ReadonlyMap<string, string>;

/** Validates volumes, and returns the findings and the sources of the volumes. */
export function validatePodVolumes(
  volumes: unknown,
  location: LazyFieldPath,
): { readonly findings: readonly Finding[]; readonly sources: Map<string, string> } {
  const sources = new Map<string, string>();
  const findings = collectFromEach(listItems(volumes, location), (item) => {
    const name = decodeString(item.value.name);
    const found = validateVolume(item.value, item.location);
    if (name !== undefined && sources.has(name)) return [...found, reportDuplicate(name, appendLazily(item.location, 'name'))];
    if (name) sources.set(name, volumeSourceOf(item.value));
    return found;
  });
  return { findings, sources };
}

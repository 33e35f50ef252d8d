import { fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { entryOf, inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { claimTemplateFindings } from './claims';
import {
  duplicate,
  formatFindings,
  furtherFindings,
  isFilled,
  isGiven,
  itemsOf,
  lengthFindings,
  mapOf,
  missing,
  nameFindings,
  optionalNameFindings,
  pointedChoiceFindings,
  rangeFindings,
  refused,
  requiredFindings,
  textOf,
} from './refusal';
import { amountOf } from './resources';
import { backstepFindings, fileListFindings, isEmpty, keyedSource, modeFindings, relativePathFindings, requires } from './volume-files';
import type { SourceCheck } from './volume-files';
import { projectedFindings } from './projected-volume';

/* What the server refuses in volumes. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumes` and what it calls. */

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function hostPathFindings({ path, type }: Fields, place: Place): readonly Finding[] {
  if (textOf(path) === '') return [missing(inside(place, 'path'))];
  return together(backstepFindings(path, inside(place, 'path')), pointedChoiceFindings(type, HOST_PATH_TYPES, inside(place, 'type')));
}

function nfsFindings(nfs: Fields, place: Place): readonly Finding[] {
  const path = textOf(nfs.path);
  return together(
    requires('server', 'path')(nfs, place),
    path && !path.startsWith('/') ? [refused('relative', path, inside(place, 'path'))] : [],
  );
}

function iscsiFindings(iscsi: Fields, place: Place): readonly Finding[] {
  const isAuthenticated = iscsi.chapAuthDiscovery === true || iscsi.chapAuthSession === true;
  return together(
    requires('targetPortal')(iscsi, place),
    nameFindings(iscsi.iqn, 'initiator-name', inside(place, 'iqn')),
    rangeFindings(iscsi.lun, 0, 255, inside(place, 'lun')),
    isAuthenticated && !isGiven(iscsi.secretRef) ? [missing(inside(place, 'secretRef'))] : [],
    typeof iscsi.initiatorName === 'string' ? formatFindings(iscsi.initiatorName, 'initiator-name', inside(place, 'initiatorName')) : [],
  );
}

function fcFindings(fc: Fields, place: Place): readonly Finding[] {
  const present = ['targetWWNs', 'wwids'].filter((name) => isFilled(fc[name]));
  if (present.length === 0) return [missing(inside(place, 'targetWWNs'))];
  const both =
    present.length > 1
      ? [invalidWorkload.finding('several', { path: pathOf(inside(place, 'targetWWNs')), data: { field: 'targetWWNs', present } })]
      : [];
  if (!isFilled(fc.targetWWNs)) return both;
  return together(both, isGiven(fc.lun) ? rangeFindings(fc.lun, 0, 255, inside(place, 'lun')) : [missing(inside(place, 'lun'))]);
}

function flockerFindings(flocker: Fields, place: Place): readonly Finding[] {
  const names = ['datasetName', 'datasetUUID'];
  const present = names.filter((name) => !isEmpty(flocker[name]));
  const data = { field: fieldName(pathOf(place)) };
  return together(
    present.length === 0 ? [invalidWorkload.finding('none', { path: pathOf(place), data: { ...data, choices: names } })] : [],
    present.length > 1 ? [invalidWorkload.finding('several', { path: pathOf(place), data: { ...data, present } })] : [],
    textOf(flocker.datasetName)?.includes('/') ? [refused('absolute', flocker.datasetName, inside(place, 'datasetName'))] : [],
  );
}

function quobyteFindings(quobyte: Fields, place: Place): readonly Finding[] {
  const registry = textOf(quobyte.registry);
  return together(
    requires('registry', 'volume')(quobyte, place),
    registry ? lengthFindings((textOf(quobyte.tenant) ?? '').length, 64, 'character', inside(place, 'tenant')) : [],
    registry ? formatFindings(registry, 'registry', inside(place, 'registry')) : [],
  );
}

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];

function azureDiskFindings(disk: Fields, place: Place): readonly Finding[] {
  const uri = textOf(disk.diskURI);
  const format = disk.kind === 'Managed' ? 'managed-disk' : 'blob-disk';
  return together(
    requires('diskName')(disk, place),
    uri === '' ? [missing(inside(place, 'diskURI'))] : formatFindings(uri, format, inside(place, 'diskURI')),
    pointedChoiceFindings(disk.cachingMode, CACHING_MODES, inside(place, 'cachingMode')),
    pointedChoiceFindings(disk.kind, DISK_KINDS, inside(place, 'kind')),
  );
}

/** Secrets that a source names, which have to have a name. */
function secretFindings(secret: unknown, place: Place): readonly Finding[] {
  const fields = mapOf(secret);
  return fields ? requiredFindings(fields.name, inside(place, 'name')) : [];
}

function flexFindings({ driver, options }: Fields, place: Place): readonly Finding[] {
  const isReserved = (key: string) => /\.(?:kubernetes|k8s)\.io$/.test(`.${key.split('/')[0]!.toLowerCase()}`);
  const reserved = Object.keys(mapOf(options) ?? {}).filter(isReserved);
  return together(
    requires('driver')({ driver }, place),
    reserved.map((key) => refused('reserved', key, entryOf(inside(place, 'options'), key))),
  );
}

function csiFindings({ driver, nodePublishSecretRef }: Fields, place: Place): readonly Finding[] {
  const name = textOf(driver);
  const secret = mapOf(nodePublishSecretRef);
  return together(
    requires('driver')({ driver }, place),
    name ? formatFindings(name.toLowerCase(), 'dns-subdomain', inside(place, 'driver')) : [],
    name ? lengthFindings(name.length, 63, 'character', inside(place, 'driver')) : [],
    secret ? nameFindings(secret.name, 'dns-subdomain', inside(inside(place, 'nodePublishSecretRef'), 'name')) : [],
  );
}

function ephemeralFindings({ volumeClaimTemplate }: Fields, place: Place): readonly Finding[] {
  const template = mapOf(volumeClaimTemplate);
  if (template) return claimTemplateFindings(template, inside(place, 'volumeClaimTemplate'));
  return isGiven(volumeClaimTemplate) ? [] : [missing(inside(place, 'volumeClaimTemplate'))];
}

function sizeFindings({ sizeLimit }: Fields, place: Place): readonly Finding[] {
  const amount = sizeLimit === undefined ? undefined : amountOf(sizeLimit);
  return amount !== undefined && amount < 0n ? [refused('negativeAmount', sizeLimit, inside(place, 'sizeLimit'))] : [];
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

/** What each source of a volume is held to, in the order in which the server looks: it takes the first, and refuses each further one. */
const SOURCES: Readonly<Record<string, SourceCheck>> = {
  emptyDir: sizeFindings,
  hostPath: hostPathFindings,
  gitRepo: (source, place) =>
    together(requires('repository')(source, place), relativePathFindings(source.directory, inside(place, 'directory'))),
  gcePersistentDisk: (source, place) =>
    together(requires('pdName')(source, place), rangeFindings(source.partition, 0, 255, inside(place, 'partition'))),
  awsElasticBlockStore: (source, place) =>
    together(requires('volumeID')(source, place), rangeFindings(source.partition, 0, 255, inside(place, 'partition'))),
  secret: keyedSource('secretName'),
  nfs: nfsFindings,
  iscsi: iscsiFindings,
  glusterfs: requires('endpoints', 'path'),
  flocker: flockerFindings,
  persistentVolumeClaim: requires('claimName'),
  rbd: requires('monitors', 'image'),
  cinder: (source, place) => together(requires('volumeID')(source, place), secretFindings(source.secretRef, inside(place, 'secretRef'))),
  cephfs: requires('monitors'),
  quobyte: quobyteFindings,
  downwardAPI: (source, place) =>
    together(modeFindings(source, 'defaultMode', place), fileListFindings(source.items, inside(place, 'items'))),
  fc: fcFindings,
  flexVolume: flexFindings,
  configMap: keyedSource('name'),
  azureFile: requires('secretName', 'shareName'),
  vsphereVolume: requires('volumePath'),
  photonPersistentDisk: requires('pdID'),
  portworxVolume: requires('volumeID'),
  azureDisk: azureDiskFindings,
  storageos: (source, place) =>
    together(
      nameFindings(source.volumeName, 'dns-label', inside(place, 'volumeName')),
      optionalNameFindings(source.volumeNamespace, 'dns-label', inside(place, 'volumeNamespace')),
      secretFindings(source.secretRef, inside(place, 'secretRef')),
    ),
  projected: projectedFindings,
  scaleIO: requires('gateway', 'system', 'volumeName'),
  csi: csiFindings,
  ephemeral: ephemeralFindings,
  image: (source, place) =>
    pointedChoiceFindings(source.pullPolicy === '' ? undefined : source.pullPolicy, PULL_POLICIES, inside(place, 'pullPolicy')),
};

const SOURCE_NAMES = Object.keys(SOURCES);

/** The source of a volume; one without any is an emptyDir. */
export function sourceOf(volume: Fields): string {
  return SOURCE_NAMES.find((name) => isGiven(volume[name])) ?? 'emptyDir';
}

function volumeFindings(volume: Fields, place: Place): readonly Finding[] {
  const present = SOURCE_NAMES.filter((name) => isGiven(volume[name]));
  const first = present[0];
  const source = first === undefined ? undefined : mapOf(volume[first]);
  return together(
    source ? SOURCES[first!]!(source, inside(place, first!)) : [],
    furtherFindings(present, place),
    nameFindings(volume.name, 'dns-label', inside(place, 'name')),
    portalFindings(volume, place),
  );
}

/** With an initiator of its own, the kubelet makes one name of the volume's and the portal's. */
function portalFindings(volume: Fields, place: Place): readonly Finding[] {
  const { initiatorName, targetPortal } = mapOf(volume.iscsi) ?? {};
  if (!isGiven(initiatorName)) return [];
  return lengthFindings(`${textOf(volume.name)}:${textOf(targetPortal)}`.length, 64, 'character', inside(place, 'name'));
}

/** A pod's volumes by name: what of each a container goes by. A volume that is refused is none, so that mounts of it are refused too. */
export type VolumeSources = ReadonlyMap<string, string>;

/** What is wrong with volumes, and those that are right. */
export function judgedVolumes(
  volumes: unknown,
  place: Place,
): { readonly findings: readonly Finding[]; readonly sources: Map<string, string> } {
  const sources = new Map<string, string>();
  const findings = ofEach(itemsOf(volumes, place), (item) => {
    const name = textOf(item.value.name);
    const found = volumeFindings(item.value, item.place);
    if (name !== undefined && sources.has(name)) return [...found, duplicate(name, inside(item.place, 'name'))];
    if (name) sources.set(name, sourceOf(item.value));
    return found;
  });
  return { findings, sources };
}

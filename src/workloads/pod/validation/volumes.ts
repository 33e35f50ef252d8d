import { WHOLE_OBJECT, fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { entryOf, inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { claimTemplateFindings } from './claims';
import { selectorFindings } from './labels';
import { volumeFieldRefFindings } from './references';
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

/* What the server refuses in volumes. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumes` and what it calls. */

/** 0777 */
const MAX_MODE = 0o777;

type SourceCheck = (source: Fields, place: Place) => readonly Finding[];

/** A path below the volume: relative, and not out of it. */
export function relativePathFindings(value: unknown, place: Place): readonly Finding[] {
  const text = textOf(value);
  if (text === undefined) return [];
  return together(text.startsWith('/') ? [refused('absolute', text, place)] : [], backstepFindings(text, place));
}

export function backstepFindings(value: unknown, place: Place): readonly Finding[] {
  const text = textOf(value);
  return text?.split('/').includes('..') ? [refused('backsteps', text, place)] : [];
}

/** As `relativePathFindings`; names that begin with two dots belong to the kubelet. */
function filePathFindings(value: unknown, place: Place): readonly Finding[] {
  const text = textOf(value);
  const found = relativePathFindings(text, place);
  if (found.length > 0 || !text?.startsWith('..')) return found;
  return [refused('backsteps', text, place)];
}

function requires(...names: readonly string[]): SourceCheck {
  return (source, place) => ofEach(names, (name) => (isEmpty(source[name]) ? [missing(inside(place, name))] : []));
}

function isEmpty(value: unknown): boolean {
  return textOf(value) === '' || (Array.isArray(value) && value.length === 0);
}

function modeFindings(source: Fields, name: string, place: Place): readonly Finding[] {
  return rangeFindings(source[name], 0, MAX_MODE, inside(place, name));
}

function keyFindings({ key, path, mode }: Fields, place: Place): readonly Finding[] {
  return together(
    requiredFindings(key, inside(place, 'key')),
    textOf(path) === '' ? [missing(inside(place, 'path'))] : filePathFindings(path, inside(place, 'path')),
    modeFindings({ mode }, 'mode', place),
  );
}

function keyListFindings(items: unknown, place: Place): readonly Finding[] {
  return ofEach(itemsOf(items, place), (item) => keyFindings(item.value, item.place));
}

function keyedSource(name: string): SourceCheck {
  return (source, place) =>
    together(
      requires(name)(source, place),
      modeFindings(source, 'defaultMode', place),
      keyListFindings(source.items, inside(place, 'items')),
    );
}

function fileFindings(file: Fields, place: Place): readonly Finding[] {
  return together(
    textOf(file.path) === '' ? [missing(inside(place, 'path'))] : filePathFindings(file.path, inside(place, 'path')),
    volumeFieldRefFindings(file, place),
    modeFindings(file, 'mode', place),
  );
}

function fileListFindings(items: unknown, place: Place): readonly Finding[] {
  return ofEach(itemsOf(items, place), (item) => fileFindings(item.value, item.place));
}

const TEN_MINUTES = 600;

function tokenFindings({ expirationSeconds, path }: Fields, place: Place): readonly Finding[] {
  return together(
    rangeFindings(expirationSeconds, TEN_MINUTES, 2 ** 32, inside(place, 'expirationSeconds')),
    textOf(path) === '' ? [missing(inside(place, 'path'))] : filePathFindings(path, inside(place, 'path')),
  );
}

function trustBundleFindings(bundle: Fields, place: Place): readonly Finding[] {
  const named = isGiven(bundle.name);
  const signed = isGiven(bundle.signerName);
  const path = textOf(bundle.path) === '' ? [missing(inside(place, 'path'))] : filePathFindings(bundle.path, inside(place, 'path'));
  if (named === signed) {
    const data = { field: fieldName(pathOf(place)) };
    const names = ['name', 'signerName'];
    const found = named
      ? invalidWorkload.finding('several', { path: pathOf(place), data: { ...data, present: names } })
      : invalidWorkload.finding('none', { path: pathOf(place), data: { ...data, choices: names } });
    return [found, ...path];
  }
  if (named) {
    const selector = isGiven(bundle.labelSelector)
      ? [refused('keysWithoutSelector', bundle.labelSelector, inside(place, 'labelSelector'))]
      : [];
    return together(nameFindings(bundle.name, 'trust-bundle-name', inside(place, 'name')), selector, path);
  }
  return together(
    nameFindings(bundle.signerName, 'signer-name', inside(place, 'signerName')),
    selectorFindings(bundle.labelSelector, inside(place, 'labelSelector')),
    path,
  );
}

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'];
/** 91 days, and one day for signers of Kubernetes itself. Source: pkg/apis/certificates/types.go. */
const MAX_EXPIRATION = 91 * 24 * 3600;
const KUBERNETES_MAX_EXPIRATION = 24 * 3600;

function certificateFindings(certificate: Fields, place: Place): readonly Finding[] {
  const signer = textOf(certificate.signerName) ?? '';
  const most = /^(?:[^/]*\.)?kubernetes\.io(?:\/|$)/.test(signer) ? KUBERNETES_MAX_EXPIRATION : MAX_EXPIRATION;
  const paths = CERTIFICATE_PATHS.filter((name) => !isEmpty(certificate[name]));
  return together(
    nameFindings(certificate.signerName, 'signer-name', inside(place, 'signerName')),
    isGiven(certificate.keyType)
      ? pointedChoiceFindings(certificate.keyType, KEY_TYPES, inside(place, 'keyType'))
      : [missing(inside(place, 'keyType'))],
    rangeFindings(certificate.maxExpirationSeconds, 3600, most, inside(place, 'maxExpirationSeconds')),
    ofEach(paths, (name) => filePathFindings(certificate[name], inside(place, name))),
    paths.length > 0
      ? []
      : [invalidWorkload.finding('none', { path: pathOf(place), data: { field: fieldName(pathOf(place)), choices: CERTIFICATE_PATHS } })],
  );
}

const PROJECTIONS: Readonly<Record<string, SourceCheck>> = {
  secret: (source, place) => together(requires('name')(source, place), keyListFindings(source.items, inside(place, 'items'))),
  configMap: (source, place) => together(requires('name')(source, place), keyListFindings(source.items, inside(place, 'items'))),
  downwardAPI: (source, place) => fileListFindings(source.items, inside(place, 'items')),
  serviceAccountToken: tokenFindings,
  clusterTrustBundle: trustBundleFindings,
  podCertificate: certificateFindings,
};

/** The files that a source of a projected volume writes; the path of a token alone may be another's too. */
function writtenPaths(source: Fields): string[] {
  const listed = ['secret', 'configMap', 'downwardAPI'].flatMap((name) =>
    itemsOf(mapOf(source[name])?.items, WHOLE_OBJECT).map((item) => textOf(item.value.path)),
  );
  const certificate = mapOf(source.podCertificate) ?? {};
  const bundle = mapOf(source.clusterTrustBundle);
  const others = [...CERTIFICATE_PATHS.map((name) => textOf(certificate[name])), bundle ? textOf(bundle.path) : undefined];
  return [...listed, ...others].filter((path): path is string => path !== undefined && path !== '');
}

function projectedFindings(projected: Fields, place: Place): readonly Finding[] {
  const taken = new Set<string>();
  const sources = itemsOf(projected.sources, inside(place, 'sources'));
  return together(
    modeFindings(projected, 'defaultMode', place),
    ofEach(sources, ({ value, place: sourcePlace }) => {
      const present = Object.keys(PROJECTIONS).filter((name) => isGiven(value[name]));
      const paths = writtenPaths(value);
      const again = paths.filter((path, index) => taken.has(path) || paths.indexOf(path) < index);
      for (const path of paths) taken.add(path);
      return together(
        ofEach(present, (name) => {
          const source = mapOf(value[name]);
          return source ? PROJECTIONS[name]!(source, inside(sourcePlace, name)) : [];
        }),
        again.map((path) => refused('duplicatePath', path, sourcePlace)),
        present.length > 1
          ? [invalidWorkload.finding('several', { path: pathOf(sourcePlace), data: { field: fieldName(pathOf(sourcePlace)), present } })]
          : [],
      );
    }),
  );
}

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

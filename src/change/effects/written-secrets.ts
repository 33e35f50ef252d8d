import {
  annotationOf,
  getFieldsAt,
  getListAt,
  getOwnValue,
  getValueAt,
  nameOf,
  namespaceOf,
  kindKeyOf,
} from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import type { ConfigKind } from '../../core/document/change';
import { isConfigObject } from './config-references';

/** How the controller of a kind writes a Secret or a ConfigMap of each object. */
interface ConfigWriter {
  readonly nameOf: (object: Manifest) => unknown;
  /** Returns the kind of what it writes; undefined for any other than these two. @default - a Secret */
  readonly kindOf?: (object: Manifest) => ConfigKind | undefined;
  /** The path of the metadata that it gets. */
  readonly metadataPath: readonly string[];
  /** Reports whether it is deleted with the object. */
  readonly isOwner: (object: Manifest) => boolean;
  /** Lists the keys that the object gives it. @default - they are not known */
  readonly keysOf?: (object: Manifest) => readonly string[] | undefined;
}

/** Lists the keys of an ExternalSecret; undefined if a store decides about them. */
function listExternalKeys(object: Manifest): readonly string[] | undefined {
  const template = getFieldsAt(object, 'spec', 'target', 'template');
  const fixed = Object.keys(getFieldsAt(template, 'data'));
  const isMerged = template.mergePolicy === 'Merge';
  if (getListAt(template, 'templateFrom').length > 0) return undefined;
  if (fixed.length > 0 && !isMerged) return fixed;
  if (getListAt(object, 'spec', 'dataFrom').length > 0) return undefined;
  return [...fixed, ...getListAt(object, 'spec', 'data').map((item) => toSafeText(getValueAt(item, 'secretKey')))];
}

/** Returns what an ExternalSecret writes: a Secret unless its target names another kind. Source: External Secrets 1.0, "Targeting Custom Resources". */
function determineTargetKind(object: Manifest): ConfigKind | undefined {
  const { apiVersion, kind } = getFieldsAt(object, 'spec', 'target', 'manifest');
  if (kind === undefined) return 'Secret';
  return apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret') ? kind : undefined;
}

/**
 * Sources: sealed-secrets v0.30 pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go, `Unseal`; External Secrets v0.18
 * `spec.target.creationPolicy`; cert-manager v1.18, `--enable-certificate-owner-ref`, which is off by default.
 */
const WRITERS: Readonly<Record<string, ConfigWriter>> = {
  'bitnami.com/SealedSecret': {
    nameOf,
    metadataPath: ['spec', 'template', 'metadata'],
    isOwner: (object) =>
      annotationOf(getFieldsAt(object, 'spec', 'template'), 'sealedsecrets.bitnami.com/skip-set-owner-references') !== 'true',
    keysOf: (object) => [['encryptedData'], ['template', 'data']].flatMap((path) => Object.keys(getFieldsAt(object, 'spec', ...path))),
  },
  'external-secrets.io/ExternalSecret': {
    nameOf: (object) => getValueAt(object, 'spec', 'target', 'name') ?? nameOf(object),
    kindOf: determineTargetKind,
    metadataPath: ['spec', 'target', 'template', 'metadata'],
    isOwner: (object) => (getValueAt(object, 'spec', 'target', 'creationPolicy') ?? 'Owner') === 'Owner',
    keysOf: listExternalKeys,
  },
  'cert-manager.io/Certificate': {
    nameOf: (object) => getValueAt(object, 'spec', 'secretName'),
    metadataPath: ['spec', 'secretTemplate'],
    isOwner: () => false,
  },
};

function findWriter(object: Manifest): ConfigWriter | undefined {
  return getOwnValue(WRITERS, kindKeyOf(object));
}

/** Returns the Secret or ConfigMap, without its data, that a controller writes of an object; undefined if there is none. */
export function findWrittenConfig(object: Manifest): Manifest | undefined {
  const writer = findWriter(object);
  const name = writer?.nameOf(object);
  const kind = writer?.kindOf ? writer.kindOf(object) : 'Secret';
  if (!writer || !kind || typeof name !== 'string') return undefined;
  const { labels, annotations } = getFieldsAt(object, ...writer.metadataPath);
  const namespace = namespaceOf(object);
  const metadata = { name, ...(namespace !== undefined && { namespace }), labels, annotations } as Manifest['metadata'] & object;
  return { apiVersion: 'v1', kind, metadata };
}

/** Returns the Secret or ConfigMap that a controller wrote of an object and that is deleted with it; undefined if there is none. */
export function findOwnedConfig(object: Manifest): Manifest | undefined {
  return findWriter(object)?.isOwner(object) ? findWrittenConfig(object) : undefined;
}

/** Lists the keys that an object gives what its controller writes; undefined if they are not known. */
export function listWrittenKeys(object: Manifest): readonly string[] | undefined {
  return findWrittenConfig(object) && findWriter(object)?.keysOf?.(object);
}

/** Returns the ConfigMap or Secret that an object is, or that a controller writes of it; undefined for any other object. */
export function findConfig(object: Manifest): Manifest | undefined {
  return isConfigObject(object) ? object : findWrittenConfig(object);
}

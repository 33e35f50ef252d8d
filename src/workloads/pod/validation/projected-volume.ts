import { ROOT_PATH, getFieldName, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import { validateLabelSelector } from './labels';
import {
  isNonNil,
  listItems,
  asMap,
  reportMissing,
  validateRequiredFormat,
  validatePointerEnum,
  validateRange,
  reportInvalid,
  decodeString,
} from './field-errors';
import {
  validateDownwardFiles,
  validateFilePath,
  isEmptyString,
  validateKeysToPaths,
  validateMode,
  createRequiredCheck,
} from './volume-files';
import type { SourceCheck } from './volume-files';

/* Validation of projected volumes. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumes` and its callees. */

const MIN_EXPIRATION_SECONDS = 600;

function validateToken({ expirationSeconds, path }: Fields, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    validateRange(expirationSeconds, MIN_EXPIRATION_SECONDS, 2 ** 32, appendLazily(location, 'expirationSeconds')),
    decodeString(path) === '' ? [reportMissing(appendLazily(location, 'path'))] : validateFilePath(path, appendLazily(location, 'path')),
  );
}

function validateTrustBundle(bundle: Fields, location: LazyFieldPath): readonly Finding[] {
  const named = isNonNil(bundle.name);
  const signed = isNonNil(bundle.signerName);
  const path =
    decodeString(bundle.path) === ''
      ? [reportMissing(appendLazily(location, 'path'))]
      : validateFilePath(bundle.path, appendLazily(location, 'path'));
  if (named === signed) {
    const data = { field: getFieldName(resolveLazyPath(location)) };
    const names = ['name', 'signerName'];
    const found = named
      ? invalidWorkload.createFinding('several', { path: resolveLazyPath(location), data: { ...data, present: names } })
      : invalidWorkload.createFinding('none', { path: resolveLazyPath(location), data: { ...data, choices: names } });
    return [found, ...path];
  }
  if (named) {
    const selector = isNonNil(bundle.labelSelector)
      ? [reportInvalid('keysWithoutSelector', bundle.labelSelector, appendLazily(location, 'labelSelector'))]
      : [];
    return joinLists(validateRequiredFormat(bundle.name, 'trust-bundle-name', appendLazily(location, 'name')), selector, path);
  }
  return joinLists(
    validateRequiredFormat(bundle.signerName, 'signer-name', appendLazily(location, 'signerName')),
    validateLabelSelector(bundle.labelSelector, appendLazily(location, 'labelSelector')),
    path,
  );
}

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'];
/** 91 days, in seconds. Signers of Kubernetes itself allow one day. Source: pkg/apis/certificates/types.go. */
const MAX_EXPIRATION = 91 * 24 * 3600;
const KUBERNETES_MAX_EXPIRATION = 24 * 3600;

function validateCertificate(certificate: Fields, location: LazyFieldPath): readonly Finding[] {
  const signer = decodeString(certificate.signerName) ?? '';
  const most = /^(?:[^/]*\.)?kubernetes\.io(?:\/|$)/.test(signer) ? KUBERNETES_MAX_EXPIRATION : MAX_EXPIRATION;
  const paths = CERTIFICATE_PATHS.filter((name) => !isEmptyString(certificate[name]));
  return joinLists(
    validateRequiredFormat(certificate.signerName, 'signer-name', appendLazily(location, 'signerName')),
    isNonNil(certificate.keyType)
      ? validatePointerEnum(certificate.keyType, KEY_TYPES, appendLazily(location, 'keyType'))
      : [reportMissing(appendLazily(location, 'keyType'))],
    validateRange(certificate.maxExpirationSeconds, 3600, most, appendLazily(location, 'maxExpirationSeconds')),
    collectFromEach(paths, (name) => validateFilePath(certificate[name], appendLazily(location, name))),
    paths.length > 0
      ? []
      : [
          invalidWorkload.createFinding('none', {
            path: resolveLazyPath(location),
            data: { field: getFieldName(resolveLazyPath(location)), choices: CERTIFICATE_PATHS },
          }),
        ],
  );
}

const PROJECTIONS: Readonly<Record<string, SourceCheck>> = {
  secret: (source, location) =>
    joinLists(createRequiredCheck('name')(source, location), validateKeysToPaths(source.items, appendLazily(location, 'items'))),
  configMap: (source, location) =>
    joinLists(createRequiredCheck('name')(source, location), validateKeysToPaths(source.items, appendLazily(location, 'items'))),
  downwardAPI: (source, location) => validateDownwardFiles(source.items, appendLazily(location, 'items')),
  serviceAccountToken: validateToken,
  clusterTrustBundle: validateTrustBundle,
  podCertificate: validateCertificate,
};

/** Lists the files that a source of a projected volume writes. Only the path of a token may be used by another source too. */
function listWrittenPaths(source: Fields): string[] {
  const listed = ['secret', 'configMap', 'downwardAPI'].flatMap((name) =>
    listItems(asMap(source[name])?.items, ROOT_PATH).map((item) => decodeString(item.value.path)),
  );
  const certificate = asMap(source.podCertificate) ?? {};
  const bundle = asMap(source.clusterTrustBundle);
  const others = [...CERTIFICATE_PATHS.map((name) => decodeString(certificate[name])), bundle ? decodeString(bundle.path) : undefined];
  return [...listed, ...others].filter((path): path is string => path !== undefined && path !== '');
}

export function validateProjectedVolume(projected: Fields, location: LazyFieldPath): readonly Finding[] {
  const taken = new Set<string>();
  const sources = listItems(projected.sources, appendLazily(location, 'sources'));
  return joinLists(
    validateMode(projected, 'defaultMode', location),
    collectFromEach(sources, ({ value, location: sourceLocation }) => {
      const present = Object.keys(PROJECTIONS).filter((name) => isNonNil(value[name]));
      const paths = listWrittenPaths(value);
      const again = paths.filter((path, index) => taken.has(path) || paths.indexOf(path) < index);
      for (const path of paths) taken.add(path);
      return joinLists(
        collectFromEach(present, (name) => {
          const source = asMap(value[name]);
          return source ? PROJECTIONS[name]!(source, appendLazily(sourceLocation, name)) : [];
        }),
        again.map((path) => reportInvalid('duplicatePath', path, sourceLocation)),
        present.length > 1
          ? [
              invalidWorkload.createFinding('several', {
                path: resolveLazyPath(sourceLocation),
                data: { field: getFieldName(resolveLazyPath(sourceLocation)), present },
              }),
            ]
          : [],
      );
    }),
  );
}

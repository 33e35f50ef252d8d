import { WHOLE_OBJECT, fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { selectorFindings } from './labels';
import { isGiven, itemsOf, mapOf, missing, nameFindings, pointedChoiceFindings, rangeFindings, refused, textOf } from './refusal';
import { fileListFindings, filePathFindings, isEmpty, keyListFindings, modeFindings, requires } from './volume-files';
import type { SourceCheck } from './volume-files';

/* What the server refuses in a projected volume. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumes` and what it calls. */

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

export function projectedFindings(projected: Fields, place: Place): readonly Finding[] {
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

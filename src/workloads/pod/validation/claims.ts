import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { entryOf, inside } from '../../../core/place';
import type { Place } from '../../../core/place';
import { together } from '../../../core/together';
import type { ApiField, ApiFields } from '../field';
import { OBJECT_META } from '../object-meta';
import { annotationFindings, labelFindings, selectorFindings } from './labels';
import {
  choiceFinding,
  formatFindings,
  isFilled,
  isGiven,
  mapOf,
  missing,
  optionalNameFindings,
  pointedChoiceFindings,
  refused,
  requiredFindings,
  textOf,
  textsOf,
} from './refusal';
import { amountOf } from './resources';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

function accessModeFindings(modes: unknown, place: Place): readonly Finding[] {
  if (!isFilled(modes)) return [missing(place)];
  const items = textsOf(modes, place);
  const known = items.filter(({ value }) => ACCESS_MODES.includes(value));
  const isMixed = known.some(({ value }) => value === 'ReadWriteOncePod') && known.some(({ value }) => value !== 'ReadWriteOncePod');
  return together(
    items.filter((item) => !known.includes(item)).map((item) => choiceFinding(item.value, ACCESS_MODES, item.place)),
    isMixed ? [refused('singleNode', modes, place)] : [],
  );
}

function storageFindings(resources: unknown, place: Place): readonly Finding[] {
  const requests = mapOf(mapOf(resources)?.requests);
  if (!requests || !Object.hasOwn(requests, 'storage')) return [missing(inside(inside(place, 'requests'), 'storage'))];
  const amount = amountOf(requests.storage);
  if (amount === undefined || amount > 0n) return [];
  return [refused('notPositive', requests.storage, entryOf(inside(place, 'requests'), 'storage'))];
}

function sourceFindings(source: Fields, place: Place): readonly Finding[] {
  const group = textOf(source.apiGroup);
  return together(
    requiredFindings(source.name, inside(place, 'name')),
    requiredFindings(source.kind, inside(place, 'kind')),
    group === '' && source.kind !== 'PersistentVolumeClaim' ? [refused('dataSource', source.kind, place)] : [],
    group ? formatFindings(group, 'dns-subdomain', inside(place, 'apiGroup')) : [],
    optionalNameFindings(source.namespace, 'dns-label', inside(place, 'namespace')),
  );
}

/** The two ways to name a source say the same, unless the second one has a namespace, which the first can't have. */
function twoSourcesFindings(source: Fields | undefined, reference: Fields | undefined, place: Place): readonly Finding[] {
  if (!source || !reference) return [];
  const isSame = ['apiGroup', 'kind', 'name'].every((name) => (source[name] ?? null) === (reference[name] ?? null));
  return isSame && !textOf(reference.namespace) ? [] : [refused('dataSource', source.kind, inside(place, 'dataSource'))];
}

/** Source: k/k pkg/apis/core/validation/validation.go, `ValidatePersistentVolumeClaimSpec`. */
export function claimSpecFindings(spec: unknown, place: Place): readonly Finding[] {
  const fields = mapOf(spec) ?? {};
  const source = mapOf(fields.dataSource);
  const reference = mapOf(fields.dataSourceRef);
  return together(
    accessModeFindings(fields.accessModes, inside(place, 'accessModes')),
    selectorFindings(fields.selector, inside(place, 'selector')),
    storageFindings(fields.resources, inside(place, 'resources')),
    optionalNameFindings(fields.storageClassName, 'dns-subdomain', inside(place, 'storageClassName')),
    pointedChoiceFindings(fields.volumeMode, VOLUME_MODES, inside(place, 'volumeMode')),
    source ? sourceFindings(source, inside(place, 'dataSource')) : [],
    reference ? sourceFindings(reference, inside(place, 'dataSourceRef')) : [],
    twoSourcesFindings(source, reference, place),
    optionalNameFindings(fields.volumeAttributesClassName, 'dns-subdomain', inside(place, 'volumeAttributesClassName')),
  );
}

/** The template of a claim that an ephemeral volume makes: of its metadata the labels and annotations alone. */
export function claimTemplateFindings(template: Fields, place: Place): readonly Finding[] {
  const metadata = mapOf(template.metadata) ?? {};
  const metadataPlace = inside(place, 'metadata');
  const others = Object.entries(OTHER_METADATA).filter(([name, field]) => isMeant(metadata[name], field));
  return together(
    annotationFindings(metadata.annotations, inside(metadataPlace, 'annotations')),
    labelFindings(metadata.labels, inside(metadataPlace, 'labels')),
    others.map(([name]) => refused('metadataField', metadata[name], inside(metadataPlace, name))),
    claimSpecFindings(template.spec, inside(place, 'spec')),
  );
}

const { labels: _labels, annotations: _annotations, ...OTHER_METADATA }: ApiFields = OBJECT_META;

/** Is it more than what is left out? */
function isMeant(value: unknown, { isPointer, type }: ApiField): boolean {
  return isGiven(value) && (isPointer === true || type === 'list' || type === 'string-list' || (value !== '' && value !== 0));
}

import { fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { choiceFinding, mapOf, missing, formatFindings, isGiven, refused, requiredFindings, textOf } from './refusal';
import { amountOf } from './resources';

/* References to fields of the pod itself. Source: k/k pkg/apis/core/validation/validation.go, `validateObjectFieldSelector` and below. */

const VOLUME_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

const VARIABLE_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** The map and the key of a path such as `metadata.labels['app']`; undefined for any other. */
function subscripted(path: string): readonly [holder: string, key: string] | undefined {
  const open = path.indexOf("['", 1);
  if (open < 0 || !path.endsWith("']") || open + 4 > path.length) return undefined;
  return [path.slice(0, open), path.slice(open + 2, -2)];
}

function fieldRefFindings({ apiVersion, fieldPath }: Fields, known: readonly string[], place: Place): readonly Finding[] {
  const path = textOf(fieldPath);
  if (path === undefined) return [];
  if (path === '') return [missing(inside(place, 'fieldPath'))];
  if (isGiven(apiVersion) && apiVersion !== '' && apiVersion !== 'v1') return [refused('fieldPath', path, inside(place, 'fieldPath'))];
  const [holder, key] = subscripted(path) ?? [];
  if (holder === undefined) {
    // An old name of spec.nodeName.
    return known.includes(path === 'spec.host' ? 'spec.nodeName' : path) ? [] : [refused('fieldPath', path, inside(place, 'fieldPath'))];
  }
  if (holder === 'metadata.annotations') return formatFindings(key, 'annotation-name', inside(place, 'fieldPath'));
  if (holder === 'metadata.labels') return formatFindings(key, 'qualified-name', inside(place, 'fieldPath'));
  return [refused('fieldPath', path, inside(place, 'fieldPath'))];
}

const RESOURCES = ['limits', 'requests'].flatMap((list) => ['cpu', 'memory', 'ephemeral-storage'].map((name) => `${list}.${name}`));
const HUGE_PAGES = /^(?:limits|requests)\.hugepages-/;

const SIZES = ['1', ...['k', 'M', 'G', 'T', 'P', 'E'].flatMap((suffix) => [`1${suffix}`, `1${suffix === 'k' ? 'K' : suffix}i`])];

function divisors(resource: string): readonly string[] | undefined {
  if (resource.endsWith('.cpu')) return ['1m', '1'];
  return RESOURCES.includes(resource) || HUGE_PAGES.test(resource) ? SIZES : undefined;
}

function divisorFindings(resource: string, divisor: unknown, place: Place): readonly Finding[] {
  const amount = isGiven(divisor) ? amountOf(divisor) : 0n;
  const known = divisors(resource);
  if (amount === undefined || amount === 0n || !known) return [];
  // "1024Mi" is stored as "1Gi", and "1000m" as "1": what counts is the amount.
  if (known.some((text) => amountOf(text) === amount)) return [];
  return [refused('divisor', divisor, inside(place, 'divisor'))];
}

function resourceRefFindings({ containerName, resource, divisor }: Fields, isInVolume: boolean, place: Place): readonly Finding[] {
  const name = textOf(resource);
  if (name === undefined) return [];
  if (isInVolume && textOf(containerName) === '')
    return [missing(inside(place, 'containerName')), ...divisorFindings(name, divisor, place)];
  if (name === '') return [missing(inside(place, 'resource'))];
  return together(
    RESOURCES.includes(name) || HUGE_PAGES.test(name) ? [] : [choiceFinding(name, RESOURCES, inside(place, 'resource'))],
    divisorFindings(name, divisor, place),
  );
}

/** A file of a downward API volume: one of the two references. */
export function volumeFieldRefFindings(file: Fields, place: Place): readonly Finding[] {
  const field = mapOf(file.fieldRef);
  const resource = mapOf(file.resourceFieldRef);
  const data = { field: fieldName(pathOf(place)) };
  if (field) {
    return together(
      fieldRefFindings(field, VOLUME_FIELDS, inside(place, 'fieldRef')),
      resource ? [invalidWorkload.finding('several', { path: pathOf(place), data: { ...data, present: REFERENCES } })] : [],
    );
  }
  if (resource) return resourceRefFindings(resource, true, inside(place, 'resourceFieldRef'));
  if (isGiven(file.fieldRef) || isGiven(file.resourceFieldRef)) return [];
  return [invalidWorkload.finding('none', { path: pathOf(place), data: { ...data, choices: REFERENCES } })];
}

const REFERENCES = ['fieldRef', 'resourceFieldRef'];

function keyRefFindings({ name, key }: Fields, place: Place): readonly Finding[] {
  return together(
    formatFindings(textOf(name), 'dns-subdomain', inside(place, 'name')),
    textOf(key) === '' ? [missing(inside(place, 'key'))] : formatFindings(textOf(key), 'config-key', inside(place, 'key')),
  );
}

function fileRefFindings({ volumeName, path, key }: Fields, place: Place): readonly Finding[] {
  const name = textOf(volumeName);
  const steps = textOf(path)?.split('/').includes('..');
  return together(
    textOf(key) === '' ? [missing(inside(place, 'key'))] : formatFindings(textOf(key), 'variable-name', inside(place, 'key')),
    name === '' ? [missing(inside(place, 'volumeName'))] : formatFindings(name, 'dns-label', inside(place, 'volumeName')),
    requiredFindings(path, inside(place, 'path')),
    steps ? [refused('backsteps', path, inside(place, 'path'))] : [],
  );
}

/** What a variable may take its value from, and how each is written. */
export const VALUE_SOURCES: Readonly<Record<string, (source: Fields, place: Place) => readonly Finding[]>> = {
  fieldRef: (source, place) => fieldRefFindings(source, VARIABLE_FIELDS, place),
  resourceFieldRef: (source, place) => resourceRefFindings(source, false, place),
  configMapKeyRef: keyRefFindings,
  secretKeyRef: keyRefFindings,
  fileKeyRef: fileRefFindings,
};

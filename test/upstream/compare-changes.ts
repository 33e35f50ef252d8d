import { isFields } from '../../src/core/manifest/manifest';
import { toServerPath } from '../../src/change/apiserver/server-path';
import { readStored } from '../../src/change/apiserver/stored-form';
import type { ApplyOutcome, ApplyRejection, StoredObject } from '../../src/change/apiserver/types';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { RecordedRefusal } from './changes';
import { RECORDED_VERSIONS } from './recording';

const READ = new WeakMap<Manifest, ReturnType<typeof readStored>>();

/** Reads an object once. */
export function readOf(object: Manifest): ReturnType<typeof readStored> {
  const read = READ.get(object) ?? readStored(object, RECORDED_VERSIONS);
  READ.set(object, read);
  return read;
}

/** Returns an object as the server stores it. */
export function storedOf(object: Manifest): StoredObject {
  return readOf(object).stored;
}

/** Fields that the server assigns or that admission and controllers write. The manifest does not determine them. */
const SERVER_ASSIGNED: readonly string[] = [
  'metadata.finalizers',
  'spec.clusterIP',
  'spec.clusterIPs',
  'spec.ipFamilies',
  'spec.ipFamilyPolicy',
  'spec.healthCheckNodePort',
  'spec.priority',
  'spec.preemptionPolicy',
];

/** Drops server-assigned fields, and fields whose empty value means the same as no value. */
function dropUndetermined(value: unknown, place: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => dropUndetermined(item, place));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(([name, inner]) => !isLeftOut(name, inner) && !isServerAssigned([...place, name], value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, dropUndetermined(inner, [...place, name])]));
}

/** Fields that the server writes even if they are empty. */
const ALWAYS_WRITTEN: readonly string[] = ['lun', 'value', 'seconds', 'start'];

function isLeftOut(name: string, value: unknown): boolean {
  return value === null || (ALWAYS_WRITTEN.includes(name) && (value === '' || value === 0));
}

function isServerAssigned(place: readonly string[], parent: object): boolean {
  const path = place.join('.');
  if (path === 'spec.ports.nodePort') return true;
  if (path === 'metadata.managedFields' || path === 'metadata.annotations.kubectl.kubernetes.io/last-applied-configuration') return true;
  return SERVER_ASSIGNED.includes(path) && (path.startsWith('metadata') || !('containers' in parent && path === 'spec.clusterIP'));
}

/** Manifests with values from the server in other fields: a Job's labels and selector have its uid, admission adds tolerations to a pod. */
export const SERVER_ASSIGNED_ELSEWHERE: readonly string[] = ['job', 'pod'];

/** Returns the fields of a stored object that the manifest determines. */
export function determinedFieldsOf(object: Manifest): unknown {
  const read = dropUndetermined(object) as Manifest;
  const annotations = read.metadata?.annotations;
  if (annotations && Object.keys(annotations).length === 0) {
    const { annotations: _, ...metadata } = read.metadata;
    return { ...read, metadata };
  }
  return read;
}

/** Returns the words of a refusal: its first cause, else its message. */
export function textOf({ code, message = '', causes = [] }: RecordedRefusal): string {
  return causes.length > 0 && code === 422 ? `${causes[0]!.field}: ${causes[0]!.message}` : message;
}

/** Refusals of updates, of unreadable patches and of conflicts. All other refusals are validation of values and have their own tests. */
export const UPDATE_REFUSALS =
  /immutable|may not change|cannot change|updates to statefulset|does not match template|Apply failed|decoding|unmarshal|not declared|duplicate entries|in tandem|more than 1|unrecognized type|cannot convert|cannot restore|expected (string|numeric)/;

/** Reports whether a refusal matches the server's text. Both omit long values. */
export function matchesText(text: string, { path, message }: ApplyRejection): boolean {
  const [begin = '', end = ''] = message.split('…');
  if (path === '' || message.startsWith('Apply failed')) return text.endsWith(message) || text.includes(message);
  return text.startsWith(`${path}: ${begin}`) && text.includes(end);
}

/** How our refusal of a value compares with the server's. */
export type Verdict = 'same text' | 'same path' | 'other path' | 'accepted';

/** Compares our refusal of a value with the server's. The recording lists all causes in the server's order; we report one. */
export function compareValueRefusal(outcome: ApplyOutcome, { causes = [], message: fullText = '' }: RecordedRefusal): Verdict {
  if (!('refusal' in outcome)) return 'accepted';
  const { path, message } = outcome.refusal;
  const alike = causes.filter(({ field }) => toServerPath(field) === path || field === path);
  // The recording omits the middle of long texts.
  const end = fullText.split('…').at(-1)!;
  const isFullText =
    causes.length === 0
      ? fullText.endsWith(message) || message.endsWith(end)
      : causes.some((cause) => cause.field === 'patch' && cause.message.endsWith(message));
  if (isFullText || alike.some((cause) => cause.message === message)) return 'same text';
  return alike.length > 0 ? 'same path' : 'other path';
}

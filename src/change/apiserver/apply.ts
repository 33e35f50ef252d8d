import type { ServerSideRules } from '../../appliers/applier';
import { parseLastApplied } from '../../appliers/live-object';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import { workloadKindOf } from '../../workloads/kinds';
import { toSentObject, validateDecoding } from './decoding-errors';
import { buildObjectFieldSet } from './field-set';
import { getStoredKind } from './kinds';
import { keepAllocatedFields } from './allocated-fields';
import { validateUpdate } from './update-validation';
import type { UpdateRequest } from './update-validation';
import { applyServerSide } from './server-side-apply';
import { toStoredForm } from './stored-form';
import { mergeThreeWay, mergeTwoWay } from './three-way-merge';
import { checkPreconditions } from './preconditions';
import { findPatchError } from './patch-errors';
import { validateValues } from './value-validation';
import type { ApplyOutcome, WriteMethod, OldObject, ApplyRejection, StoredObject } from './types';

/** Returns the object on the server: a dump as it is, a manifest as the server stores it. */
function liveOf({ manifest, stored, isLive }: OldObject): Manifest {
  return isLive ? manifest : stored;
}

/** Converts null annotations to empty text, as kubectl does when it adds its own annotation. */
function withTextAnnotations(next: Manifest): Manifest {
  const annotations = next.metadata?.annotations;
  if (!isFields(annotations)) return next;
  return { ...next, metadata: { ...next.metadata, annotations: convertNullsToText(annotations) } };
}

function convertNullsToText(annotations: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, (value ?? '') as string]));
}

type MergeOutcome =
  | {
      readonly object: Fields;
      /** The first object that kubectl writes, if it writes twice. */
      readonly before?: Fields;
    }
  | { readonly refusal: ApplyRejection };

/** Merges what each method sends with the existing object, before the result is decoded. */
const MERGE_BY_METHOD: Readonly<Record<WriteMethod, (old: OldObject, next: Manifest, rules?: ServerSideRules) => MergeOutcome>> = {
  replace: (_old, next) => ({ object: next }),
  client: (old, next) => {
    const last = old.isLive ? (parseLastApplied(old.manifest) ?? {}) : old.manifest;
    const known = getStoredKind(next)?.fields;
    const reason = findPatchError([liveOf(old), last], next, next.kind, known);
    if (reason !== undefined) return { refusal: { path: '', message: reason } };
    return { object: mergeThreeWay(last, withTextAnnotations(next), liveOf(old), known) };
  },
  helm: (old, next) => {
    const last = old.release ?? (old.isLive ? {} : old.manifest);
    const known = getStoredKind(next)?.fields;
    const reason = findPatchError([liveOf(old), last], next, next.kind, known);
    if (reason !== undefined) return { refusal: { path: '', message: `failed to create patch: ${reason}` } };
    // For custom resources Helm sends the difference between its two manifests and does not read the live object.
    const object = known ? mergeThreeWay(last, next, liveOf(old), known) : mergeTwoWay(last, next, liveOf(old));
    return { object };
  },
  server: (old, next, rules) => {
    const known = getStoredKind(next)?.fields;
    const lastApplied = old.isLive ? parseLastApplied(old.manifest) : undefined;
    const former = old.isLive ? {} : { former: buildObjectFieldSet(old.manifest, known) };
    return applyServerSide({
      live: liveOf(old),
      next,
      knownFields: known,
      ...former,
      ...(lastApplied && { lastApplied }),
      ...(rules && { rules }),
    });
  },
};

/** Kinds, in addition to workloads, whose immutable fields the server validates before the values. */
const KINDS_VALIDATING_UPDATE_FIRST = ['v1/ConfigMap', 'v1/Secret'];

function validateWrite(before: StoredObject, after: StoredObject, versions: Versions, request: UpdateRequest): ApplyRejection | undefined {
  if (workloadKindOf(after) || KINDS_VALIDATING_UPDATE_FIRST.includes(`${after.apiVersion}/${after.kind}`))
    return validateUpdate(before, after, versions, request) ?? validateValues(after, versions, request.sent);
  return validateValues(after, versions, request.sent) ?? validateUpdate(before, after, versions, request);
}

/**
 * Applies NEW's object over OLD's. Returns what the server stores afterwards, or why it refuses the object.
 *
 * @param rules - how the tool treats field managers. @default - as kubectl does
 * @param acceptsUnknownFields - whether unknown fields are dropped instead of refused
 */
export function applyObject(
  old: OldObject,
  written: Manifest,
  method: WriteMethod,
  versions: Versions,
  rules?: ServerSideRules,
  acceptsUnknownFields = false,
): ApplyOutcome {
  const next = toSentObject(written, rules);
  const decodingError = validateDecoding(next, method, versions, acceptsUnknownFields);
  if (decodingError) return { refusal: decodingError };
  const merged = MERGE_BY_METHOD[method](old, next, rules);
  if ('refusal' in merged) return merged;
  const mismatch = checkPreconditions(old, next, method);
  if (mismatch) return { refusal: mismatch };
  const { apiVersion, kind } = next;
  const toStored = (object: Fields) => toStoredForm({ ...object, apiVersion, kind }, versions, old.gates);
  const decoded = toStored(merged.object);
  const stored = keepAllocatedFields(old.stored, decoded);
  const request: UpdateRequest = { ...(old.isLive && { live: old.manifest }), sent: merged.object };
  const first = merged.before && keepAllocatedFields(old.stored, toStored(merged.before));
  const rejection =
    (first && validateWrite(old.stored, first, versions, request)) ?? validateWrite(first ?? old.stored, stored, versions, request);
  return rejection ? { refusal: rejection, asked: stored } : { stored, isAlone: stored === decoded && isDeepEqual(merged.object, next) };
}

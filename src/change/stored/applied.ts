import { deepEqual } from '../../core/deep-equal';
import { annotationOf, isFields } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { workloadKindOf } from '../../workloads/kinds';
import { decodingRefusal } from './decoding';
import { fieldsOfObject } from './field-owners';
import { storedKindOf } from './kinds';
import { withAllocated } from './allocated';
import { refusal } from './refusal';
import type { Writing } from './refusal';
import { appliedByServer } from './server-side';
import { storedForm } from './stored-form';
import { mergedThreeWay, mergedTwoWay } from './three-way';
import { unpatchable } from './unpatchable';
import { valueRefusal } from './value-refusal';
import type { Applied, ApplyMode, OldObject, Refusal, StoredObject } from './types';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manifest that kubectl applied last, as it noted in the object. */
function lastAppliedOf(object: Manifest): Fields | undefined {
  const text = annotationOf(object, LAST_APPLIED);
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(text);
    return isFields(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** What lies on the server: a dump as it is, a manifest as the server stored it. */
function liveOf({ given, stored, isLive }: OldObject): Manifest {
  return isLive ? given : stored;
}

/** kubectl writes its note into the annotations, and on the way reads a null there as an empty text. */
function withTextAnnotations(next: Manifest): Manifest {
  const annotations = next.metadata?.annotations;
  if (!isFields(annotations)) return next;
  return { ...next, metadata: { ...next.metadata, annotations: mapValues(annotations) } };
}

function mapValues(annotations: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, (value ?? '') as string]));
}

type Merged =
  | {
      readonly object: Fields;
      /** What kubectl writes before that, where it writes twice. */
      readonly before?: Fields;
    }
  | { readonly refusal: Refusal };

/** What each mode sends, merged with what lies there, before it is decoded. */
const MERGES: Readonly<Record<ApplyMode, (old: OldObject, next: Manifest) => Merged>> = {
  replace: (_old, next) => ({ object: next }),
  client: (old, next) => {
    const last = old.isLive ? (lastAppliedOf(old.given) ?? {}) : old.given;
    const known = storedKindOf(next)?.fields;
    const reason = unpatchable([liveOf(old), last], next, next.kind, known);
    if (reason !== undefined) return { refusal: { path: '', message: reason } };
    return { object: mergedThreeWay(last, withTextAnnotations(next), liveOf(old), known) };
  },
  helm: (old, next) => {
    const last = old.release ?? (old.isLive ? {} : old.given);
    const known = storedKindOf(next)?.fields;
    const reason = unpatchable([liveOf(old), last], next, next.kind, known);
    if (reason !== undefined) return { refusal: { path: '', message: `failed to create patch: ${reason}` } };
    // Of resources of operators Helm sends what differs between its two manifests, and does not look at the live object.
    const object = known ? mergedThreeWay(last, next, liveOf(old), known) : mergedTwoWay(last, next, liveOf(old));
    return { object };
  },
  server: (old, next) => {
    const known = storedKindOf(next)?.fields;
    const lastApplied = old.isLive ? lastAppliedOf(old.given) : undefined;
    const former = old.isLive ? {} : { former: fieldsOfObject(old.given, known) };
    return appliedByServer({ live: liveOf(old), next, known, ...former, ...(lastApplied && { lastApplied }) });
  },
};

/** Beside workloads, kinds of which the server looks at what may not change before it looks at the values. */
const UPDATES_FIRST = ['v1/ConfigMap', 'v1/Secret'];

function refusalOfUpdate(before: StoredObject, after: StoredObject, versions: Versions, writing: Writing): Refusal | undefined {
  if (workloadKindOf(after) || UPDATES_FIRST.includes(`${after.apiVersion}/${after.kind}`))
    return refusal(before, after, versions, writing) ?? valueRefusal(after, versions, writing.sent);
  return valueRefusal(after, versions, writing.sent) ?? refusal(before, after, versions, writing);
}

/** What the server holds once NEW's object was applied over OLD's in a mode, or why it does not take it. */
export function applied(old: OldObject, next: Manifest, mode: ApplyMode, versions: Versions): Applied {
  const undecodable = decodingRefusal(next, mode, versions);
  if (undecodable) return { refusal: undecodable };
  const merged = MERGES[mode](old, next);
  if ('refusal' in merged) return merged;
  const { apiVersion, kind } = next;
  const held = (object: Fields) => storedForm({ ...object, apiVersion, kind }, versions);
  const decoded = held(merged.object);
  const stored = withAllocated(old.stored, decoded);
  const writing: Writing = { ...(old.isLive && { live: old.given }), sent: merged.object };
  const first = merged.before && withAllocated(old.stored, held(merged.before));
  const refused =
    (first && refusalOfUpdate(old.stored, first, versions, writing)) ?? refusalOfUpdate(first ?? old.stored, stored, versions, writing);
  return refused ? { refusal: refused, asked: stored } : { stored, isAlone: stored === decoded && deepEqual(merged.object, next) };
}

import type { ApplyMode, FieldChange, ApplyRejection } from '../core/change';
import { annotationOf, getFieldsAt, isFields, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { isDeepEqual } from '../core/deep-equal';
import type { Versions } from '../core/versions';
import { SYSTEMS } from '../plan/registry';
import { isFleetYaml } from '../systems/fleet/fleet-yaml';
import { mergeServerFields } from './merge-server-fields';
import { detectApplyMode, isLive } from './live-objects';
import type { ObjectPair } from './match-objects';
import { applyObject } from './apiserver/apply';
import { validateDecoding } from './apiserver/decoding-errors';
import { diffStoredObjects } from './apiserver/field-changes';
import { sortRejectedFirst } from './apiserver/update-validation';
import { toStoredForm } from './apiserver/stored-form';
import type { ApplyOutcome, OldObject, StoredObject } from './apiserver/types';
import { validateValues } from './apiserver/value-validation';

/** An object of NEW compared with that of OLD, both as the server stores them. */
export interface ObjectComparison {
  /** The object as NEW has it. */
  readonly next: Manifest;
  readonly mode: ApplyMode;
  /** NEW's manifest with the fields that the apply keeps from the live object. This object is planned. */
  readonly result: Manifest;
  readonly old?: OldObject;
  /** What the server stores afterwards; undefined if the texts do not differ or the object is refused. */
  readonly stored?: StoredObject;
  readonly refusal?: ApplyRejection;
  /** The stored fields that differ. */
  readonly differences: readonly FieldChange[];
  /** The stored fields that would differ if the server accepted the object. @default - nothing is refused, or the object cannot be decoded */
  readonly rejectedChanges?: readonly FieldChange[];
  /** Whether the object is deleted and recreated. */
  readonly isReplaced: boolean;
}

/** Returns why a server refuses an object over the existing one, beyond the validation of its kind: by a CRD. */
export type AdmissionCheck = (object: Manifest, old: Manifest | undefined) => ApplyRejection | undefined;

function argoSyncOptionsOf(object: Manifest): readonly string[] {
  return (annotationOf(object, 'argocd.argoproj.io/sync-options') ?? '').split(',').map((option) => option.trim());
}

/** Reports whether the object asks Argo CD to delete and recreate it whenever it differs. */
function isAlwaysReplaced(object: Manifest): boolean {
  const options = argoSyncOptionsOf(object);
  return options.includes('Replace=true') && options.includes('Force=true');
}

/** Reports whether the object asks its tool to delete and recreate it if the server refuses the change. */
function isReplacedOnRejection(object: Manifest): boolean {
  return (
    annotationOf(object, 'kustomize.toolkit.fluxcd.io/force')?.toLowerCase() === 'enabled' ||
    argoSyncOptionsOf(object).includes('Force=true')
  );
}

/** Reports whether OLD is a manifest that equals NEW. */
function isUnchangedManifest(old: Manifest, next: Manifest): boolean {
  return !isLive(old) && isDeepEqual(old, next);
}

function containsUndefined(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsUndefined);
  return value === undefined || (isFields(value) && Object.values(value).some(containsUndefined));
}

/** Drops fields that are undefined. A program may pass them, but no file can contain them. */
function stripUndefined(object: Manifest): Manifest {
  return containsUndefined(object) ? (JSON.parse(JSON.stringify(object)) as Manifest) : object;
}

/** Reports whether only one manifest sets a namespace and no live object does. The command line then sets it for the other. */
export function isNamespaceAssumed({ old, next }: ObjectPair): boolean {
  return old !== undefined && !isLive(old) && (namespaceOf(old) === undefined) !== (namespaceOf(next) === undefined);
}

/** Returns OLD's object with the API version and namespace of NEW: the server has one object, whatever the two call it. */
function normalizeIdentity(manifest: Manifest, pair: ObjectPair): Manifest {
  const { apiVersion } = pair.next;
  const object = manifest.apiVersion === apiVersion ? manifest : { ...manifest, apiVersion };
  if (!isNamespaceAssumed(pair)) return object;
  const { namespace: _, ...metadata } = getFieldsAt(object, 'metadata');
  const namespace = namespaceOf(pair.next);
  return { ...object, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/** Compares an object of OLD with what applying NEW over it results in. */
export function compareObjects(
  pair: ObjectPair,
  mode: ApplyMode | undefined,
  versions: Versions,
  admission?: AdmissionCheck,
): ObjectComparison {
  const { next } = pair;
  if (pair.old === undefined) return compareNewObject(next, mode ?? 'client', versions, admission);
  const manifest = normalizeIdentity(pair.old, pair);
  const effectiveMode = mode ?? detectApplyMode(manifest);
  const live = isLive(manifest);
  if (isUnchangedManifest(manifest, next)) {
    // Defer the stored form: it is needed only if something else may change the running pods.
    const old = buildLazyOldObject(manifest, live, versions);
    return { next, mode: effectiveMode, result: next, old, differences: [], isReplaced: false };
  }
  if (isFleetYaml(next)) return compareFleetYaml(manifest, next, effectiveMode);
  const old: OldObject = { manifest, stored: toStoredForm(manifest, versions), isLive: live };
  const outcome = checkAdmission(applyObject(old, stripUndefined(next), effectiveMode, versions), old, admission);
  if ('refusal' in outcome) {
    const { refusal, asked: requested } = outcome;
    if (isReplacedOnRejection(next))
      return {
        next,
        mode: effectiveMode,
        result: next,
        old,
        stored: toStoredForm(next, versions),
        differences: diffStoredForm(old, next, versions),
        isReplaced: true,
      };
    const rejectedChanges = requested ? sortRejectedFirst(refusal, diffStoredObjects(old.stored, requested), requested, versions) : [];
    return { next, mode: effectiveMode, result: next, old, refusal, rejectedChanges, differences: [], isReplaced: false };
  }
  const { stored, isAlone: isManifestOnly } = outcome;
  const found = diffStoredObjects(old.stored, stored);
  const result = withSystemRecord(
    manifest,
    isManifestOnly || (effectiveMode === 'replace' && !live) ? next : mergeServerFields(next, toStoredForm(next, versions), stored),
  );
  return { next, mode: effectiveMode, result, old, stored, differences: found, isReplaced: found.length > 0 && isAlwaysReplaced(next) };
}

function withSystemRecord(manifest: Manifest, result: Manifest): Manifest {
  const system = SYSTEMS.find((one) => one.withRecord && one.recognises(result));
  return system?.withRecord?.(manifest, result) ?? result;
}

function checkAdmission(outcome: ApplyOutcome, { stored }: OldObject, admission: AdmissionCheck | undefined): ApplyOutcome {
  const refusal = 'stored' in outcome ? admission?.(outcome.stored, stored) : undefined;
  return 'stored' in outcome && refusal ? { refusal, asked: outcome.stored } : outcome;
}

/** Compares a new object, which can be refused only for its own values. */
function compareNewObject(next: Manifest, mode: ApplyMode, versions: Versions, admission: AdmissionCheck | undefined): ObjectComparison {
  const refusal = isFleetYaml(next)
    ? undefined
    : (validateDecoding(next, mode, versions) ??
      validateValues(toStoredForm(next, versions), versions, next) ??
      admission?.(next, undefined));
  return { next, mode, result: next, differences: [], isReplaced: false, ...(refusal && { refusal }) };
}

/** Compares fleet.yaml files as they are written, since a fleet.yaml is no object of a server. */
function compareFleetYaml(manifest: Manifest, next: Manifest, mode: ApplyMode): ObjectComparison {
  const [before, after] = [manifest, next].map(({ content }) => ({ apiVersion: '', kind: '', content }) as unknown as StoredObject);
  const old: OldObject = { manifest, stored: manifest as StoredObject, isLive: false };
  const found = diffStoredObjects(before!, after!).map((field) => ({ ...field, path: field.path.replace(/^content\.?/, '') }));
  return { next, mode, result: next, old, differences: found, isReplaced: false };
}

function diffStoredForm(old: OldObject, next: Manifest, versions: Versions): FieldChange[] {
  return diffStoredObjects(old.stored, toStoredForm(next, versions));
}

function buildLazyOldObject(manifest: Manifest, live: boolean, versions: Versions): OldObject {
  let stored: StoredObject | undefined;
  return {
    manifest,
    isLive: live,
    get stored() {
      return (stored ??= toStoredForm(manifest, versions));
    },
  };
}

/** Reports whether a field outside the metadata differs, such as `spec` or `data`. */
export function hasChangesBeyondMetadata({ differences: found }: ObjectComparison): boolean {
  return found.some(({ path }) => !path.startsWith('metadata'));
}

/** Reports whether an object sets a field of its spec. */
export function hasSpecField(object: Manifest, field: string): boolean {
  const value = getFieldsAt(object, 'spec')[field];
  return value !== undefined && value !== null;
}

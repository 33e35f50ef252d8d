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

/** An object of NEW over that of OLD, as the server holds both. */
export interface ObjectComparison {
  /** As NEW has it. */
  readonly next: Manifest;
  readonly mode: ApplyMode;
  /** NEW's manifest with what the apply keeps of what runs: what is planned. */
  readonly result: Manifest;
  readonly old?: OldObject;
  /** What the server holds afterwards; undefined where nothing differs in the texts or the object is refused. */
  readonly stored?: StoredObject;
  readonly refusal?: ApplyRejection;
  /** Empty where nothing that the server stores differs. */
  readonly differences: readonly FieldChange[];
  /** What the server would store otherwise if it took it. @default - nothing is refused, or it is not read */
  readonly rejectedChanges?: readonly FieldChange[];
  /** Is it deleted and made anew? */
  readonly isReplaced: boolean;
}

/** Says why a server would not take an object over the one that is there, beyond what it says of every object of the kind: by a CRD. */
export type AdmissionCheck = (object: Manifest, old: Manifest | undefined) => ApplyRejection | undefined;

function argoSyncOptionsOf(object: Manifest): readonly string[] {
  return (annotationOf(object, 'argocd.argoproj.io/sync-options') ?? '').split(',').map((option) => option.trim());
}

/** Does the object ask Argo CD to delete it and make it anew whenever it differs? */
function isAlwaysReplaced(object: Manifest): boolean {
  const options = argoSyncOptionsOf(object);
  return options.includes('Replace=true') && options.includes('Force=true');
}

/** Does the object ask its tool to delete it and make it anew where the server refuses the change? */
function isReplacedOnRejection(object: Manifest): boolean {
  return (
    annotationOf(object, 'kustomize.toolkit.fluxcd.io/force')?.toLowerCase() === 'enabled' ||
    argoSyncOptionsOf(object).includes('Force=true')
  );
}

/** Neither side was touched by a server, and both say the same. */
function isUnchangedManifest(old: Manifest, next: Manifest): boolean {
  return !isLive(old) && isDeepEqual(old, next);
}

function containsUndefined(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsUndefined);
  return value === undefined || (isFields(value) && Object.values(value).some(containsUndefined));
}

/** A program may give fields that are undefined, which no file holds: they are not there. */
function stripUndefined(object: Manifest): Manifest {
  return containsUndefined(object) ? (JSON.parse(JSON.stringify(object)) as Manifest) : object;
}

/** Does one side alone say in which namespace an object is, and no server? Then the command line says it for the other. */
export function isNamespaceAssumed({ old, next }: ObjectPair): boolean {
  return old !== undefined && !isLive(old) && (namespaceOf(old) === undefined) !== (namespaceOf(next) === undefined);
}

/** OLD's object under the version of the API and in the namespace in which NEW names it: the server has one object, whatever they call it. */
function normalizeIdentity(manifest: Manifest, pair: ObjectPair): Manifest {
  const { apiVersion } = pair.next;
  const object = manifest.apiVersion === apiVersion ? manifest : { ...manifest, apiVersion };
  if (!isNamespaceAssumed(pair)) return object;
  const { namespace: _, ...metadata } = getFieldsAt(object, 'metadata');
  const namespace = namespaceOf(pair.next);
  return { ...object, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/** What applying NEW's object over OLD's makes of it. */
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
    // The stored form is asked for only where something else may change what runs.
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

/** What is new is refused for its own values alone. */
function compareNewObject(next: Manifest, mode: ApplyMode, versions: Versions, admission: AdmissionCheck | undefined): ObjectComparison {
  const refusal = isFleetYaml(next)
    ? undefined
    : (validateDecoding(next, mode, versions) ??
      validateValues(toStoredForm(next, versions), versions, next) ??
      admission?.(next, undefined));
  return { next, mode, result: next, differences: [], isReplaced: false, ...(refusal && { refusal }) };
}

/** A fleet.yaml is no object of a server: what it says is compared as it is written. */
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

/** Is any field of `spec`, `data` or the like different, and not the metadata alone? */
export function hasChangesBeyondMetadata({ differences: found }: ObjectComparison): boolean {
  return found.some(({ path }) => !path.startsWith('metadata'));
}

/** Does an object name a field of its spec at all? */
export function hasSpecField(object: Manifest, field: string): boolean {
  const value = getFieldsAt(object, 'spec')[field];
  return value !== undefined && value !== null;
}

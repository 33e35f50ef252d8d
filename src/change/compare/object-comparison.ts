import { isMetadataPath } from '../../core/manifest/field-path';
import type { Applier } from '../../appliers/applier';
import type { DetectedApplier } from '../../appliers/detect-applier';
import { keepLiveFields } from '../../appliers/kept-fields';
import { isBeingDeleted, isLive } from '../../appliers/live-object';
import { addToolMarks } from '../../appliers/tool-marks';
import { findRefusedPrefix, isCreatedEachTime } from '../../cluster/rules/generate-name';
import { findScaledObjectRefusal } from '../../cluster/autoscaling/scaled-object-admission';
import type { FieldChange, ApplyRejection, HookRun } from '../../core/document/change';
import { getFieldsAt, getOwnValue, groupOf, isFields, namespaceOf } from '../../core/manifest/manifest';
import { isKustomization } from '../../core/sources/kustomization-kind';
import type { Manifest } from '../../core/manifest/manifest';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isNode } from '../../core/manifest/node-kinds';
import type { Versions } from '../../core/values/versions';
import { SYSTEMS } from '../../plan/registry';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { mergeServerFields } from './merge-server-fields';
import { findKueueRejection } from '../effects/kueue-admission';
import type { ObjectPair } from '../match/match-objects';
import { applyObject } from '../apiserver/apply';
import { validateDecoding } from '../apiserver/decoding-errors';
import { diffStoredObjects } from '../apiserver/field-changes';
import { sortRejectedFirst } from '../apiserver/update-validation';
import { readStored, toStoredForm } from '../apiserver/stored-form';
import { createDefaultGates } from '../apiserver/field-gates';
import type { ApplyOutcome, OldObject, StoredObject } from '../apiserver/types';
import { findDroppedItems } from '../apiserver/dropped-items';
import type { DroppedItem } from '../apiserver/dropped-items';
import { checkNewObjectUid } from '../apiserver/preconditions';
import { checkForbiddenValues } from '../apiserver/immutable-fields';
import { validateValues } from '../apiserver/value-validation';

/** An object of NEW compared with that of OLD, both as the server stores them. */
export interface ObjectComparison {
  /**
   * Why the tool leaves an object that differs as it is: an annotation that OLD has too, a new one, or that its source is suspended.
   * @default - it does not
   */
  readonly ignoredBy?: 'annotation' | 'new-annotation' | 'suspension';
  /** What an apply does that leaves no object as it is. @default - its tool does not leave it as it is */
  readonly withoutSkip?: ObjectComparison;
  /** The error on which comparing the object failed, so that nothing else is known. @default - none */
  readonly failure?: unknown;
  /** The object as NEW has it. */
  readonly next: Manifest;
  /** The tool that writes the object. */
  readonly applied: DetectedApplier;
  /** How the tool runs the object. @default - it is no hook */
  readonly hook?: HookRun;
  /** What an apply does that knows no hooks: other tools apply the object like any other. @default - it is no hook */
  readonly withoutHook?: ObjectComparison;
  /** Whether it becomes a hook, so that the tool deletes the one that it applied before. @default false */
  readonly becomesHook?: boolean;
  /** NEW's manifest with the fields that the apply keeps from the live object. This object is planned. */
  readonly result: Manifest;
  readonly old?: OldObject;
  /** The objects on both sides without the fields that their definition lacks. @default - they have none */
  readonly known?: { readonly old?: Manifest; readonly next: Manifest; readonly result: Manifest };
  /** Whether OLD names another API version. @default false */
  readonly hasOtherVersion?: boolean;
  /** What the server stores afterwards; undefined if the texts do not differ or the object is refused. */
  readonly stored?: StoredObject;
  readonly refusal?: ApplyRejection;
  /** Fields whose value in NEW the tool does not write, because it keeps the live one. @default - it writes all */
  readonly kept?: readonly (readonly string[])[];
  /** The stored fields that differ. */
  readonly differences: readonly FieldChange[];
  /** The stored fields that would differ if the server accepted the object. @default - nothing is refused, or the object cannot be decoded */
  readonly rejectedChanges?: readonly FieldChange[];
  /** Whether the object is deleted and recreated. */
  readonly isReplaced: boolean;
  /** Items of lists that NEW has and the merge loses. @default - none */
  readonly dropped?: readonly DroppedItem[];
  /** Why the API server refuses the update for which the tool deletes the object. @default - nothing is refused, or the object stays */
  readonly recreatedFor?: ApplyRejection;
}

/** Reports whether an object is gone: its tool deletes it because the API server refuses the update, and then the new one is refused too. */
export function isLost({ recreatedFor, refusal }: ObjectComparison): boolean {
  return recreatedFor !== undefined && refusal !== undefined;
}

/** Returns an object as it is after the apply: one that is refused stays as it was. Returns undefined if it does not exist: it is lost, or new and refused. */
export function getResultingObject(comparison: ObjectComparison): Manifest | undefined {
  const { refusal, old, result } = comparison;
  if (!refusal) return result;
  return isLost(comparison) ? undefined : old?.manifest;
}

/** Returns why a server refuses an object over the existing one, beyond the validation of its kind: by a CRD. */
export type AdmissionCheck = (object: Manifest, old: Manifest | undefined) => ApplyRejection | undefined;

/** Reports whether OLD is a manifest that equals NEW, or is the same object, as in the upgrade of an operator. */
export function isUnchangedManifest(old: Manifest, next: Manifest): boolean {
  return old === next || (!isLive(old) && isDeepEqual(old, next));
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
export function normalizeIdentity(manifest: Manifest, pair: ObjectPair): Manifest {
  const { apiVersion } = pair.next;
  const object = manifest.apiVersion === apiVersion ? manifest : { ...manifest, apiVersion };
  if (!isNamespaceAssumed(pair)) return object;
  const { namespace: _, ...metadata } = getFieldsAt(object, 'metadata');
  const namespace = namespaceOf(pair.next);
  return { ...object, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/** Reports whether the tool replaces an object of a kind because one of these fields changes. */
function isReplacedFor({ replacedFields }: Applier, { kind, apiVersion }: Manifest, changes: readonly FieldChange[]): boolean {
  const fields = (replacedFields && getOwnValue(replacedFields, `${groupOf({ apiVersion })}/${kind}`)) ?? [];
  return changes.some(({ path }) => fields.some((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)));
}

/** Kinds whose data the tool replaces under the same name, so that pods see the same as after an update. */
const CONFIG_KINDS: ReadonlySet<string> = new Set(['ConfigMap', 'Secret']);

/** An apply of NEW over the object of OLD. */
interface Update {
  readonly next: Manifest;
  readonly old: OldObject;
  readonly applier: Applier;
  readonly versions: Versions;
}

/** What the comparisons of one object have in common, however the apply ends. */
type CommonParts = Pick<ObjectComparison, 'next' | 'applied' | 'isReplaced' | 'kept' | 'hasOtherVersion'>;

/** Lists the items of NEW that the merge of a tool loses, if it merges. */
function listDroppedItems({ next, old, applier: { method }, versions }: Update, stored: StoredObject): readonly DroppedItem[] {
  return method === 'server' || method === 'replace' ? [] : findDroppedItems(toStoredForm(next, versions, old.gates), stored);
}

/** Builds the comparison of an object whose update is refused, which the tool may delete and create again. */
function compareRefused(
  update: Update,
  written: Manifest,
  { refusal, asked }: Extract<ApplyOutcome, { readonly refusal: ApplyRejection }>,
  common: CommonParts,
  admission: AdmissionCheck | undefined,
): ObjectComparison {
  const { next, old, applier, versions } = update;
  const rejectedChanges = asked ? sortRejectedFirst(refusal, diffStoredObjects(old.stored, asked), asked, versions) : [];
  const isRecreated =
    applier.refuses?.(next) === undefined &&
    (applier.recreatesOnRefusal?.(next, old.manifest, refusal) === true || isReplacedFor(applier, next, rejectedChanges));
  const dropped = asked ? listDroppedItems(update, asked) : [];
  if (!isRecreated)
    return { ...common, result: next, old, refusal, rejectedChanges, differences: [], ...(dropped.length > 0 && { dropped }) };
  const invalid = compareNewObject(next, common.applied, versions, admission).refusal;
  return {
    ...common,
    result: next,
    old,
    recreatedFor: refusal,
    ...(invalid ? { refusal: invalid, rejectedChanges, differences: [] } : buildRecreatedObject(old, written, versions)),
  };
}

/** Builds the comparison of an object that the server stores. */
function compareStored(
  update: Update,
  { stored, isAlone: isManifestOnly }: Exclude<ApplyOutcome, { readonly refusal: ApplyRejection }>,
  common: CommonParts,
): ObjectComparison {
  const { next, old, applier, versions } = update;
  const differences = diffStoredObjects(old.stored, stored);
  const isKeptOut = isManifestOnly || (applier.method === 'replace' && !old.isLive);
  const result = withSystemRecord(
    old.manifest,
    isKeptOut ? next : mergeServerFields(next, toStoredForm(next, versions, old.gates), stored),
  );
  const isReplaced =
    differences.length > 0 &&
    (applier.recreatesAlways?.(next) === true || (!CONFIG_KINDS.has(next.kind) && isReplacedFor(applier, next, differences)));
  const dropped = isReplaced ? [] : listDroppedItems(update, stored);
  return { ...common, result, old, stored, differences, isReplaced, ...(dropped.length > 0 && { dropped }) };
}

/** Applies NEW over OLD: the tool may refuse it, then the server, then a CRD. */
function applyUpdate({ next, old, applier, versions }: Update, written: Manifest, admission: AdmissionCheck | undefined): ApplyOutcome {
  const own = applier.refuses?.(next);
  if (own !== undefined) return { refusal: { path: '', message: own } };
  const outcome = applyObject(old, stripUndefined(written), applier.method, versions, applier.serverSide, applier.acceptsUnknownFields);
  return checkAdmission(outcome, old, admission);
}

/** Returns the tool for a kustomization.yaml. kustomize reads the file and no tool applies it, so its annotations mean nothing to a tool. */
function withoutMarks({ applier, ...applied }: DetectedApplier): DetectedApplier {
  const {
    hookOf: _hookOf,
    skips: _skips,
    recreatesAlways: _always,
    recreatesOnRefusal: _onRefusal,
    refuses: _refuses,
    ...others
  } = applier;
  return { ...applied, applier: others };
}

/** Compares an object of OLD with what applying NEW over it results in. */
export function compareObjects(
  pair: ObjectPair,
  detected: DetectedApplier,
  versions: Versions,
  admission?: AdmissionCheck,
): ObjectComparison {
  const applied = isKustomization(pair.next) ? withoutMarks(detected) : detected;
  const { applier } = applied;
  const hook = applier.hookOf?.(pair.next);
  if (hook) {
    const becomesHook = pair.old !== undefined && applier.hookOf?.(pair.old) === undefined;
    const { hookOf: _, ...hookless } = applier;
    const withoutHook = compareObjects(pair, { ...applied, applier: hookless }, versions, admission);
    return { ...compareNewObject(pair.next, applied, versions, admission), hook, withoutHook, ...(becomesHook && { becomesHook }) };
  }
  // An object without a name is never found again, also if OLD contains it.
  const isNew = pair.old === undefined || isCreatedEachTime(pair.next, applier) || refuseGeneratedName(pair.next, applied) !== undefined;
  if (isNew) return holdNewObject(compareNewObject(pair.next, applied, versions, admission));
  const manifest = normalizeIdentity(pair.old, pair);
  const live = isLive(manifest);
  const keptFields = applied.source?.keptFields ?? [];
  const { manifest: next, kept } =
    keptFields.length === 0
      ? { manifest: pair.next, kept: [] }
      : keepLiveFields(pair.next, live ? manifest : toStoredForm(manifest, versions), keptFields);
  const hasOtherVersion = pair.old.apiVersion !== next.apiVersion;
  const common: CommonParts = {
    next,
    applied,
    isReplaced: false,
    ...(kept.length > 0 && { kept }),
    ...(hasOtherVersion && { hasOtherVersion }),
  };
  if (!hasOtherVersion && isUnchangedManifest(manifest, next)) {
    // Defer the stored form: it is needed only if something else may change the running pods.
    return { ...common, result: next, old: buildLazyOldObject(manifest, live, versions), differences: [] };
  }
  if (isFleetYaml(next)) return compareFleetYaml(manifest, next, applied);
  const old: OldObject = { manifest, ...readStored(manifest, versions), isLive: live };
  if (applier.skips?.(next, manifest)) {
    const ignoredBy = applier.skips(manifest, manifest) ? 'annotation' : 'new-annotation';
    const { skips: _, ...others } = applier;
    const withoutSkip = compareObjects(pair, { ...applied, applier: others }, versions, admission);
    return { ...common, ignoredBy, withoutSkip, result: manifest, old, differences: [] };
  }
  if (applied.source?.isSuspended === true) {
    const { source: _, ...others } = applied;
    const withoutSkip = compareObjects(pair, others, versions, admission);
    // What will be refused is an error already now.
    if (withoutSkip.refusal || withoutSkip.differences.length === 0) return withoutSkip;
    return { ...common, ignoredBy: 'suspension', withoutSkip, result: manifest, old, differences: [] };
  }
  const update: Update = { next, old, applier, versions };
  const written = addToolMarks(next, manifest, applier);
  const outcome = applyUpdate(update, written, admission);
  return 'refusal' in outcome ? compareRefused(update, written, outcome, common, admission) : compareStored(update, outcome, common);
}

/** Builds the part of a comparison for an object that is deleted and created as the manifest has it. */
function buildRecreatedObject(
  old: OldObject,
  next: Manifest,
  versions: Versions,
): Pick<ObjectComparison, 'stored' | 'differences' | 'isReplaced'> {
  return { stored: toStoredForm(next, versions), differences: diffStoredForm(old, next, versions), isReplaced: true };
}

/** Returns what the server stores with what it or a controller recorded in the live object: also that a Node is being deleted, which no apply ends. */
function withSystemRecord(manifest: Manifest, result: Manifest): Manifest {
  if (isNode(manifest) && isBeingDeleted(manifest)) {
    const { uid = '', deletionTimestamp } = getFieldsAt(manifest, 'metadata');
    return { ...result, metadata: { ...getFieldsAt(result, 'metadata'), uid, deletionTimestamp } };
  }
  const system = SYSTEMS.find((one) => one.withRecord && one.recognises(result));
  return system?.withRecord?.(manifest, result) ?? result;
}

/** Returns why an admission webhook of a controller refuses an update. It is not asked about an object that stays as it is. */
function findWebhookRejection(old: OldObject, stored: StoredObject): ApplyRejection | undefined {
  return findKueueRejection(old, stored) ?? (isDeepEqual(old.stored, stored) ? undefined : findKedaRejection(stored));
}

function findKedaRejection(object: Manifest): ApplyRejection | undefined {
  const refusal = findScaledObjectRefusal(object);
  return refusal && { path: refusal.path, message: `KEDA refuses it: ${refusal.message}` };
}

function checkAdmission(outcome: ApplyOutcome, old: OldObject, admission: AdmissionCheck | undefined): ApplyOutcome {
  const refusal = 'stored' in outcome ? (findWebhookRejection(old, outcome.stored) ?? admission?.(outcome.stored, old.stored)) : undefined;
  return 'stored' in outcome && refusal ? { refusal, asked: outcome.stored } : outcome;
}

/** Refuses a new object without a name, which an apply cannot find again. Source: cli-runtime pkg/resource/visitor.go, kubectl pkg/cmd/apply/apply.go. */
function refuseGeneratedName(next: Manifest, { applier }: DetectedApplier): ApplyRejection | undefined {
  const prefix = findRefusedPrefix(next, applier);
  return prefix === undefined ? undefined : { path: '', message: `from ${prefix}: cannot use generate name with apply` };
}

function validateNewValues(next: Manifest, versions: Versions): ApplyRejection | undefined {
  const stored = toStoredForm(next, versions);
  return validateValues(stored, versions, next) ?? checkForbiddenValues(stored);
}

/** Compares a new object, which can be refused only for its own values. */
function compareNewObject(
  next: Manifest,
  applied: DetectedApplier,
  versions: Versions,
  admission: AdmissionCheck | undefined,
): ObjectComparison {
  const refusal = isFleetYaml(next)
    ? undefined
    : (validateDecoding(next, applied.applier.method, versions, applied.applier.acceptsUnknownFields) ??
      checkNewObjectUid(next, applied.applier.method) ??
      refuseGeneratedName(next, applied) ??
      validateNewValues(next, versions) ??
      findKedaRejection(next) ??
      admission?.(next, undefined));
  return { next, applied, result: next, differences: [], isReplaced: false, ...(refusal && { refusal }) };
}

/** Returns the comparison of a new object, which its tool does not create while its source is suspended. */
function holdNewObject(comparison: ObjectComparison): ObjectComparison {
  const isHeld = comparison.applied.source?.isSuspended === true && comparison.refusal === undefined;
  return isHeld ? { ...comparison, ignoredBy: 'suspension' } : comparison;
}

/** Compares fleet.yaml files as they are written, since a fleet.yaml is no object of a server. */
function compareFleetYaml(manifest: Manifest, next: Manifest, applied: DetectedApplier): ObjectComparison {
  const [before, after] = [manifest, next].map(({ content }) => ({ apiVersion: '', kind: '', content }) as unknown as StoredObject);
  const old: OldObject = { manifest, stored: manifest as StoredObject, gates: createDefaultGates(''), isLive: false };
  const found = diffStoredObjects(before!, after!).map((field) => ({ ...field, path: field.path.replace(/^content\.?/, '') }));
  return { next, applied, result: next, old, differences: found, isReplaced: false };
}

function diffStoredForm(old: OldObject, next: Manifest, versions: Versions): FieldChange[] {
  return diffStoredObjects(old.stored, toStoredForm(next, versions));
}

function buildLazyOldObject(manifest: Manifest, live: boolean, versions: Versions): OldObject {
  let read: Pick<OldObject, 'stored' | 'gates'> | undefined;
  const getRead = () => (read ??= readStored(manifest, versions));
  return {
    manifest,
    isLive: live,
    get stored() {
      return getRead().stored;
    },
    get gates() {
      return getRead().gates;
    },
  };
}

/** Reports whether a field outside the metadata differs, such as `spec` or `data`. */
export function hasChangesBeyondMetadata({ differences: found }: ObjectComparison): boolean {
  return found.some(({ path }) => !isMetadataPath(path));
}

/** Reports whether an object sets a field of its spec. */
export function hasSpecField(object: Manifest, field: string): boolean {
  const value = getFieldsAt(object, 'spec')[field];
  return value !== undefined && value !== null;
}

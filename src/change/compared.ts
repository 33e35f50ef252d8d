import type { ApplyMode, FieldChange, Refusal } from '../core/change';
import { annotationOf, fieldsAt, isFields, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { deepEqual } from '../core/deep-equal';
import type { Versions } from '../core/versions';
import { SYSTEMS } from '../plan/registry';
import { isFleetYaml } from '../systems/fleet/fleet-yaml';
import { withKept } from './graft';
import { defaultMode, isLive } from './live';
import type { Pair } from './pairing';
import { applied } from './stored/applied';
import { decodingRefusal } from './stored/decoding';
import { differences } from './stored/differences';
import { refusedFirst } from './stored/refusal';
import { storedForm } from './stored/stored-form';
import type { Applied, OldObject, StoredObject } from './stored/types';
import { valueRefusal } from './stored/value-refusal';

/** An object of NEW over that of OLD, as the server holds both. */
export interface Compared {
  /** As NEW has it. */
  readonly next: Manifest;
  readonly mode: ApplyMode;
  /** NEW's manifest with what the apply keeps of what runs: what is planned. */
  readonly result: Manifest;
  readonly old?: OldObject;
  /** What the server holds afterwards; undefined where nothing differs in the texts or the object is refused. */
  readonly stored?: StoredObject;
  readonly refusal?: Refusal;
  /** Empty where nothing that the server stores differs. */
  readonly differences: readonly FieldChange[];
  /** What the server would store otherwise if it took it. @default - nothing is refused, or it is not read */
  readonly refused?: readonly FieldChange[];
  /** Is it deleted and made anew? */
  readonly isReplaced: boolean;
}

/** Says why a server would not take an object over the one that is there, beyond what it says of every object of the kind: by a CRD. */
export type Admission = (object: Manifest, old: Manifest | undefined) => Refusal | undefined;

function syncOptions(object: Manifest): readonly string[] {
  return (annotationOf(object, 'argocd.argoproj.io/sync-options') ?? '').split(',').map((option) => option.trim());
}

/** Does the object ask Argo CD to delete it and make it anew whenever it differs? */
function isAlwaysReplaced(object: Manifest): boolean {
  const options = syncOptions(object);
  return options.includes('Replace=true') && options.includes('Force=true');
}

/** Does the object ask its tool to delete it and make it anew where the server refuses the change? */
function isReplacedIfRefused(object: Manifest): boolean {
  return (
    annotationOf(object, 'kustomize.toolkit.fluxcd.io/force')?.toLowerCase() === 'enabled' || syncOptions(object).includes('Force=true')
  );
}

/** Neither side was touched by a server, and both say the same. */
function isUntouched(old: Manifest, next: Manifest): boolean {
  return !isLive(old) && deepEqual(old, next);
}

function holdsUndefined(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsUndefined);
  return value === undefined || (isFields(value) && Object.values(value).some(holdsUndefined));
}

/** A program may give fields that are undefined, which no file holds: they are not there. */
function withoutUndefined(object: Manifest): Manifest {
  return holdsUndefined(object) ? (JSON.parse(JSON.stringify(object)) as Manifest) : object;
}

/** Does one side alone say in which namespace an object is, and no server? Then the command line says it for the other. */
export function isNamespaceAssumed({ old, next }: Pair): boolean {
  return old !== undefined && !isLive(old) && (namespaceOf(old) === undefined) !== (namespaceOf(next) === undefined);
}

/** OLD's object under the version of the API and in the namespace in which NEW names it: the server has one object, whatever they call it. */
function named(given: Manifest, pair: Pair): Manifest {
  const { apiVersion } = pair.next;
  const object = given.apiVersion === apiVersion ? given : { ...given, apiVersion };
  if (!isNamespaceAssumed(pair)) return object;
  const { namespace: _, ...metadata } = fieldsAt(object, 'metadata');
  const namespace = namespaceOf(pair.next);
  return { ...object, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/** What applying NEW's object over OLD's makes of it. */
export function comparedPair(pair: Pair, mode: ApplyMode | undefined, versions: Versions, admission?: Admission): Compared {
  const { next } = pair;
  if (pair.old === undefined) return comparedNew(next, mode ?? 'client', versions, admission);
  const given = named(pair.old, pair);
  const by = mode ?? defaultMode(given);
  const live = isLive(given);
  if (isUntouched(given, next)) {
    // The stored form is asked for only where something else may change what runs.
    const old = lazyOld(given, live, versions);
    return { next, mode: by, result: next, old, differences: [], isReplaced: false };
  }
  if (isFleetYaml(next)) return comparedFile(given, next, by);
  const old: OldObject = { given, stored: storedForm(given, versions), isLive: live };
  const outcome = admitted(applied(old, withoutUndefined(next), by, versions), old, admission);
  if ('refusal' in outcome) {
    const { refusal, asked } = outcome;
    if (isReplacedIfRefused(next))
      return {
        next,
        mode: by,
        result: next,
        old,
        stored: storedForm(next, versions),
        differences: changes(old, next, versions),
        isReplaced: true,
      };
    const refused = asked ? refusedFirst(refusal, differences(old.stored, asked), asked, versions) : [];
    return { next, mode: by, result: next, old, refusal, refused, differences: [], isReplaced: false };
  }
  const { stored, isAlone } = outcome;
  const found = differences(old.stored, stored);
  const result = recorded(given, isAlone || (by === 'replace' && !live) ? next : withKept(next, storedForm(next, versions), stored));
  return { next, mode: by, result, old, stored, differences: found, isReplaced: found.length > 0 && isAlwaysReplaced(next) };
}

function recorded(given: Manifest, result: Manifest): Manifest {
  const system = SYSTEMS.find((one) => one.withRecord && one.recognises(result));
  return system?.withRecord?.(given, result) ?? result;
}

function admitted(outcome: Applied, { stored }: OldObject, admission: Admission | undefined): Applied {
  const refusal = 'stored' in outcome ? admission?.(outcome.stored, stored) : undefined;
  return 'stored' in outcome && refusal ? { refusal, asked: outcome.stored } : outcome;
}

/** What is new is refused for its own values alone. */
function comparedNew(next: Manifest, mode: ApplyMode, versions: Versions, admission: Admission | undefined): Compared {
  const refusal = isFleetYaml(next)
    ? undefined
    : (decodingRefusal(next, mode, versions) ?? valueRefusal(storedForm(next, versions), versions, next) ?? admission?.(next, undefined));
  return { next, mode, result: next, differences: [], isReplaced: false, ...(refusal && { refusal }) };
}

/** A fleet.yaml is no object of a server: what it says is compared as it is written. */
function comparedFile(given: Manifest, next: Manifest, mode: ApplyMode): Compared {
  const [before, after] = [given, next].map(({ content }) => ({ apiVersion: '', kind: '', content }) as unknown as StoredObject);
  const old: OldObject = { given, stored: given as StoredObject, isLive: false };
  const found = differences(before!, after!).map((field) => ({ ...field, path: field.path.replace(/^content\.?/, '') }));
  return { next, mode, result: next, old, differences: found, isReplaced: false };
}

function changes(old: OldObject, next: Manifest, versions: Versions): FieldChange[] {
  return differences(old.stored, storedForm(next, versions));
}

function lazyOld(given: Manifest, live: boolean, versions: Versions): OldObject {
  let stored: StoredObject | undefined;
  return {
    given,
    isLive: live,
    get stored() {
      return (stored ??= storedForm(given, versions));
    },
  };
}

/** Is any field of `spec`, `data` or the like different, and not the metadata alone? */
export function differsBesidesMetadata({ differences: found }: Compared): boolean {
  return found.some(({ path }) => !path.startsWith('metadata'));
}

/** Does an object name a field of its spec at all? */
export function names(object: Manifest, field: string): boolean {
  const value = fieldsAt(object, 'spec')[field];
  return value !== undefined && value !== null;
}

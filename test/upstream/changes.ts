import { isFields } from '../../src/core/manifest/manifest';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import type { WriteMethod } from '../../src/change/apiserver/types';
import { readRecording } from './recording';

/** [JSON pointer, value], or [JSON pointer] to remove the field. */
type Edit = readonly [pointer: string, value?: unknown];

export interface RecordedRefusal {
  /** HTTP status; 0 if the tool refused the change rather than the server. */
  readonly code: number;
  readonly message?: string;
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}

interface Row<Mode extends string = string> {
  readonly topic: string;
  readonly base: string;
  readonly old?: readonly Edit[];
  readonly new: readonly Edit[];
  readonly made?: string;
  readonly touches?: readonly unknown[];
  readonly mode: Mode;
  readonly unmade?: RecordedRefusal;
  readonly live?: readonly Edit[];
  readonly refused?: RecordedRefusal;
  /** Whether the tool deleted the object and created it again. */
  readonly recreated?: boolean;
  readonly stored?: readonly Edit[];
  readonly generation?: boolean;
  readonly revision?: boolean;
}

interface Recording {
  readonly bases: Readonly<Record<string, Manifest>>;
  readonly lives: Readonly<Record<string, Manifest>>;
  readonly cases: readonly Row[];
}

/** A second manifest applied over the object that a first manifest left on the server. */
export interface Change<Mode extends string = WriteMethod> {
  readonly row: Row<Mode>;
  readonly old: Manifest;
  readonly next: Manifest;
  /** The object on the server before, as `kubectl get -o yaml` shows it; unset if the first manifest was refused. */
  readonly live?: Manifest;
  /** The object on the server afterwards. */
  readonly stored?: Manifest;
}

function editedAt(value: unknown, parts: readonly string[], edit: Edit): unknown {
  const [name = '', ...rest] = parts;
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    if (name === '-') list.push(edit[1]);
    else if (rest.length > 0) list[Number(name)] = editedAt(list[Number(name)], rest, edit);
    else if (edit.length === 1) list.splice(Number(name), 1);
    else list[Number(name)] = edit[1];
    return list;
  }
  const fields: Record<string, unknown> = isFields(value) ? { ...value } : {};
  if (rest.length > 0) fields[name] = editedAt(fields[name], rest, edit);
  else if (edit.length === 1) delete fields[name];
  else fields[name] = edit[1];
  return fields;
}

function edited<T>(object: T, edits: readonly Edit[] = []): T {
  return edits.reduce<unknown>((value, edit) => {
    const parts = edit[0]
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return parts.length === 0 ? edit[1] : editedAt(value, parts, edit);
  }, object) as T;
}

function withMetadata(object: Manifest, change: (metadata: Fields) => Fields): Manifest {
  return { ...object, metadata: change(isFields(object.metadata) ? object.metadata : {}) };
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Adds the last-applied annotation of kubectl, which the recording omits. */
function withLastApplied(live: Manifest, applied: Manifest): Manifest {
  return withMetadata(live, (metadata) => ({
    ...metadata,
    annotations: { ...(metadata.annotations as Fields | undefined), [LAST_APPLIED]: `${JSON.stringify(applied)}\n` },
  }));
}

function withoutManagers(object: Manifest): Manifest {
  return withMetadata(object, (metadata) => Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== 'managedFields')));
}

/** Sets the namespace that the recording uses for every object. */
function withNamespace(object: Manifest): Manifest {
  return withMetadata(object, (metadata) => ({ ...metadata, namespace: 'shop' }));
}

function madeOf(row: Row): string {
  return row.made ?? (row.mode === 'replace' ? 'create' : row.mode);
}

/** Modes for whose objects the recording has no field managers. */
const WITHOUT_MANAGERS: ReadonlySet<string> = new Set<WriteMethod>(['client', 'helm', 'replace']);

/** Tools that write the last-applied annotation. */
const WRITE_LAST_APPLIED: ReadonlySet<string> = new Set(['client', 'argo']);

function changeOf(row: Row, { bases, lives }: Recording): Change<string> {
  const old = edited(withNamespace(bases[row.base]!), row.old);
  const next = edited(old, row.new);
  if (row.unmade) return { row, old, next };
  const made = madeOf(row);
  const base = withNamespace(lives[`${row.base}/${made}`]!);
  const dump = edited(WITHOUT_MANAGERS.has(row.mode) ? withoutManagers(base) : base, row.live);
  const live = WRITE_LAST_APPLIED.has(made) ? withLastApplied(dump, old) : dump;
  return { row, old, next, live, ...(!row.refused && { stored: edited(withoutManagers(dump), row.stored) }) };
}

/** Returns the initial manifests of the recording by name. */
export function recordedBases(): Readonly<Record<string, Manifest>> {
  return (readRecording('kubernetes-changes') as Recording).bases;
}

/** Returns every recorded change: see `oracle/README.md`. */
export function recordedChanges<Mode extends string = WriteMethod>(name = 'kubernetes-changes'): readonly Change<Mode>[] {
  const recording = readRecording(name) as Recording;
  return recording.cases.map((row) => changeOf(row, recording) as Change<Mode>);
}

/** Describes a change for the output of a failing test. */
export function named({ row }: Pick<Change<string>, 'row'>): string {
  const edits = (list: readonly Edit[] = []) => list.map((edit) => edit.map((part) => JSON.stringify(part)).join(' = ')).join('; ');
  return `${row.base} ${madeOf(row)} -> ${row.mode}: ${row.old ? `${edits(row.old)} | ` : ''}${edits(row.new)}`;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isFields } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';

/** [JSON pointer, value], or [JSON pointer] to remove the field. */
type Edit = readonly [pointer: string, value?: unknown];

interface Row {
  readonly base: string;
  /** Names of edits. */
  readonly old?: readonly string[];
  readonly new?: readonly string[];
  /** The reason why KServe could not create the objects of OLD. */
  readonly unmade?: string;
  /** `status.deploymentMode` after OLD. */
  readonly mode?: string;
  /** The refusal of NEW by the webhook. */
  readonly refused?: string;
  /** The error of the controller when it reconciles NEW. */
  readonly failed?: string;
  /** The change of each Deployment and Knative Service that did not stay the same. */
  readonly made?: Readonly<Record<string, string>>;
}

/** Objects and edits by name, of which cases consist. */
export interface EditedObjects {
  readonly bases: Readonly<Record<string, readonly Manifest[]>>;
  readonly edits: Readonly<Record<string, readonly [role: string, edits: readonly Edit[]]>>;
}

interface Recording extends EditedObjects {
  readonly cases: readonly Row[];
}

/** The result of applying the objects of NEW over those of OLD in KServe. */
export interface ServiceChange {
  readonly row: Row;
  readonly old: readonly Manifest[];
  readonly next: readonly Manifest[];
}

const ROLES: Readonly<Record<string, string>> = {
  InferenceService: 'service',
  ServingRuntime: 'runtime',
  ClusterServingRuntime: 'runtime',
  ConfigMap: 'platform',
};

function editedAt(value: unknown, parts: readonly string[], edit: Edit): unknown {
  const [name = '', ...rest] = parts;
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    list[Number(name)] = rest.length > 0 ? editedAt(list[Number(name)], rest, edit) : edit[1];
    return list;
  }
  const fields: Record<string, unknown> = isFields(value) ? { ...value } : {};
  if (rest.length > 0) fields[name] = editedAt(fields[name], rest, edit);
  else if (edit.length === 1) delete fields[name];
  else fields[name] = edit[1];
  return fields;
}

/** Returns objects with the edits of these names. */
export function edited(objects: readonly Manifest[], names: readonly string[], { edits }: EditedObjects): Manifest[] {
  return names.reduce(
    (sides, name) => {
      const [role, own] = edits[name]!;
      const at = sides.findIndex(({ kind }) => ROLES[kind] === role);
      const parts = (edit: Edit) =>
        edit[0]
          .split('/')
          .slice(1)
          .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
      return sides.with(
        at,
        own.reduce((object, edit) => editedAt(object, parts(edit), edit) as Manifest, sides[at]!),
      );
    },
    [...objects],
  );
}

/** Returns every recorded change of an InferenceService and its related objects. Changes whose OLD KServe could not create are left out. */
export function recordedServiceChanges(): readonly ServiceChange[] {
  const file = path.join(__dirname, '../fixtures/upstream/kserve-changes.json');
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  return recording.cases
    .filter(({ unmade }) => unmade === undefined)
    .map((row) => {
      const objects = recording.bases[row.base]!;
      return { row, old: edited(objects, row.old ?? [], recording), next: edited(objects, row.new ?? [], recording) };
    });
}

/** Describes a change for the output of a failing test. */
export function namedChange({ row: { base, old = [], new: next = [], made, refused, failed } }: ServiceChange): string {
  const answer = refused ?? failed ?? JSON.stringify(made ?? {});
  return `${base}: ${old.join(' + ') || '-'} -> ${next.join(' + ') || '-'} => ${answer}`;
}

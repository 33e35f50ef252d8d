import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isFields } from '../../src/core/manifest';
import type { Manifest } from '../../src/core/manifest';

/** [JSON pointer, value], or [JSON pointer] for what is removed. */
type Edit = readonly [pointer: string, value?: unknown];

interface Row {
  readonly base: string;
  /** Names of edits. */
  readonly old?: readonly string[];
  readonly new?: readonly string[];
  /** Why the first side could not be made. */
  readonly unmade?: string;
  /** `status.deploymentMode` of the first side. */
  readonly mode?: string;
  /** What the webhook says of the second side. */
  readonly refused?: string;
  /** What the controller says of it. */
  readonly failed?: string;
  /** What became of each Deployment and Service of Knative that did not stay as it was. */
  readonly made?: Readonly<Record<string, string>>;
}

interface Recording {
  readonly bases: Readonly<Record<string, readonly Manifest[]>>;
  readonly edits: Readonly<Record<string, readonly [role: string, edits: readonly Edit[]]>>;
  readonly cases: readonly Row[];
}

/** What KServe made of the objects of NEW over those of OLD. */
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

function edited(objects: readonly Manifest[], names: readonly string[], { edits }: Recording): Manifest[] {
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

/** Every recorded change of an InferenceService and what stands beside it whose first side KServe could make. */
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

/** How a change reads in a failing test. */
export function namedChange({ row: { base, old = [], new: next = [], made, refused, failed } }: ServiceChange): string {
  const answer = refused ?? failed ?? JSON.stringify(made ?? {});
  return `${base}: ${old.join(' + ') || '-'} -> ${next.join(' + ') || '-'} => ${answer}`;
}

import { getFieldsAt, getOwnValue } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { Applier, ToolMarks } from './applier';

/** Marks of Helm. Source: Helm 4.2.4, pkg/action/validate.go, `setMetadataVisitor`. */
export const HELM_MARKS: ToolMarks = {
  labels: ['app.kubernetes.io/managed-by'],
  annotations: ['meta.helm.sh/release-name', 'meta.helm.sh/release-namespace'],
};

/** Returns the marks of a tool and of the tool that runs it. */
export function mergeToolMarks(one: ToolMarks, other: ToolMarks): ToolMarks {
  return {
    labels: [...(one.labels ?? []), ...(other.labels ?? [])],
    annotations: [...(one.annotations ?? []), ...(other.annotations ?? [])],
  };
}

/** Lists the entries of a map of the existing object that are marks, and that NEW lacks. */
function listMissingMarks(
  next: Manifest,
  existing: Manifest,
  field: 'labels' | 'annotations',
  marks: readonly string[] = [],
): readonly (readonly [name: string, value: unknown])[] {
  if (marks.length === 0) return [];
  const own = getFieldsAt(next, 'metadata', field);
  return Object.entries(getFieldsAt(existing, 'metadata', field)).filter(
    ([name]) => getOwnValue(own, name) === undefined && marks.some((mark) => (mark.endsWith('/') ? name.startsWith(mark) : name === mark)),
  );
}

/** Returns the manifest as the tool writes it: with the marks that the existing object has from it. A repository does not contain them. */
export function addToolMarks(next: Manifest, existing: Manifest, { marks }: Applier): Manifest {
  if (!marks) return next;
  const metadata = getFieldsAt(next, 'metadata');
  const added = (['labels', 'annotations'] as const).flatMap((field) => {
    const missing = listMissingMarks(next, existing, field, marks[field]);
    return missing.length === 0 ? [] : [[field, { ...getFieldsAt(metadata, field), ...Object.fromEntries(missing) }] as const];
  });
  return added.length === 0 ? next : { ...next, metadata: { ...metadata, ...Object.fromEntries(added) } };
}

import { buildTypeFinding } from '../../cluster/type-errors';
import { ROOT_PATH } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { createTooNewFieldFinding, createUnknownFieldFinding } from '../../core/rules/unknown-field';
import { filterProblems, findSchemaProblems } from '../../core/schema';
import type { FieldSchema, SchemaProblem } from '../../core/schema';
import type { Versions } from '../../core/versions';
import { dropDisabledFields } from '../pod/drop-disabled-fields';

/** The versions that decide which fields there are. */
export type LwsFieldVersions = Pick<Versions, 'lws' | 'kubernetes'>;

/** Of a set's pods Kubernetes' version decides which fields there are; of the set itself its own. */
function isPodTemplateProblem({ path }: SchemaProblem): boolean {
  return /Template\.(?:metadata|spec)/.test(path);
}

/** What is wrong with the fields of an object whose pods are those of groups. */
export function listLwsSchemaProblems(object: Manifest, schema: FieldSchema, versions: LwsFieldVersions): readonly SchemaProblem[] {
  const ofSet = findSchemaProblems(object, schema, ROOT_PATH, { version: versions.lws }).filter(
    (problem) => !isPodTemplateProblem(problem),
  );
  const ofPods = findSchemaProblems(object, schema, ROOT_PATH, { version: versions.kubernetes }).filter(isPodTemplateProblem);
  return [...ofSet, ...ofPods];
}

/** Fields of another type: the API server refuses the object. */
export function reportWrongTypes(problems: readonly SchemaProblem[]): Finding[] {
  return filterProblems(problems, 'wrong-type').map((problem) => buildTypeFinding(problem));
}

/** Fields that it drops, since there are none of their name, or not yet. */
export function reportDroppedFields(problems: readonly SchemaProblem[], { lws }: LwsFieldVersions): Finding[] {
  return [
    ...filterProblems(problems, 'unknown').map((problem) => createUnknownFieldFinding(problem)),
    ...filterProblems(problems, 'too-new').flatMap((problem) =>
      isPodTemplateProblem(problem) ? [] : [createTooNewFieldFinding(problem, 'lws', lws)],
    ),
  ];
}

/** The object without the fields that are dropped. */
export function dropDisabledLwsFields(object: Manifest, problems: readonly SchemaProblem[]): Manifest {
  return dropDisabledFields(
    object,
    filterProblems(problems, 'dropped', 'too-new', 'gone').map(({ path }) => path),
  );
}

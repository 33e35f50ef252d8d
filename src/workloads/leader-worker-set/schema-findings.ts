import { buildTypeFinding } from '../../cluster/rules/type-errors';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { createTooNewFieldFinding, createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema, SchemaProblem } from '../../core/values/schema';
import type { Versions } from '../../core/values/versions';
import { isInTemplate } from '../pod/field-names';
import { dropDisabledFields } from '../pod/drop-disabled-fields';

/** The versions that determine which fields exist. */
export type LwsFieldVersions = Pick<Versions, 'lws' | 'kubernetes'>;

/** Reports whether a problem depends on the version of Kubernetes instead of the version of LeaderWorkerSet. */
function isTemplateProblem({ path }: SchemaProblem): boolean {
  return isInTemplate(path);
}

/** Lists the schema problems of an object whose pods are in groups. */
export function listLwsSchemaProblems(object: Manifest, schema: FieldSchema, versions: LwsFieldVersions): readonly SchemaProblem[] {
  const setProblems = findSchemaProblems(object, schema, ROOT_PATH, { version: versions.lws }).filter(
    (problem) => !isTemplateProblem(problem),
  );
  const podProblems = findSchemaProblems(object, schema, ROOT_PATH, { version: versions.kubernetes }).filter(isTemplateProblem);
  return [...setProblems, ...podProblems];
}

/** Reports fields of the wrong type, for which the API server refuses the object. */
export function reportWrongTypes(problems: readonly SchemaProblem[]): Finding[] {
  return filterProblems(problems, 'wrong-type').map((problem) => buildTypeFinding(problem));
}

/** Reports fields that the API server drops because they are unknown or too new. */
export function reportDroppedFields(problems: readonly SchemaProblem[], { lws }: LwsFieldVersions): Finding[] {
  return [
    ...createUnknownFieldFindings(problems),
    ...filterProblems(problems, 'too-new').flatMap((problem) =>
      isTemplateProblem(problem) ? [] : [createTooNewFieldFinding(problem, 'lws', lws)],
    ),
  ];
}

/** Returns the object without the dropped fields. */
export function dropDisabledLwsFields(object: Manifest, problems: readonly SchemaProblem[]): Manifest {
  return dropDisabledFields(
    object,
    filterProblems(problems, 'dropped', 'too-new', 'gone').map(({ path }) => path),
  );
}

import { ROOT_PATH, parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import { buildTypeFinding } from '../../cluster/rules/type-errors';
import { reportTooNewKserveField } from './rules/unknown-field';
import { KNOWN_FIELDS } from './known-fields';
import { INFERENCE_SERVICE_SCHEMA } from './schema';
import type { KserveService } from './service';

/** The findings about the fields of a service. */
export interface KserveFieldFindings {
  /** Fields whose type differs from the CRD. For each of them the API server refuses the entire service. */
  readonly errors: readonly Finding[];
  /** Fields that no KServe has, or only a later one, which the API server drops. */
  readonly dropped: readonly Finding[];
}

/** Reports whether a path is the ancestor itself or below it. */
function isAtOrBelow(path: FieldPath, ancestor: FieldPath): boolean {
  const parts = parseFieldPath(path);
  return parseFieldPath(ancestor).every((part, index) => parts[index] === part);
}

/** Number of parts of the path of a field that KServe itself defines: `spec.predictor.model.runtime`. */
const OWN_FIELD_DEPTH = 4;

/** Reports misspelled fields. A field of a pod that is like no known one may be of a later version of Kubernetes. */
function checkFieldNames(object: Manifest): Finding[] {
  return createUnknownFieldFindings(findSchemaProblems(object, KNOWN_FIELDS, ROOT_PATH)).filter(
    ({ path, data }) => parseFieldPath(path).length <= OWN_FIELD_DEPTH || data.nearest !== undefined,
  );
}

/** Checks the fields of a service. Fields that the API server drops are not checked further. */
export function checkKserveFields({ object, version }: Pick<KserveService, 'object' | 'version'>): KserveFieldFindings {
  const problems = findSchemaProblems(object, INFERENCE_SERVICE_SCHEMA, ROOT_PATH, { version });
  const unknown = checkFieldNames(object);
  if (problems.length === 0) return { errors: [], dropped: unknown };
  const tooNew = filterProblems(problems, 'too-new');
  const mistyped = filterProblems(problems, 'wrong-type').filter(({ path }) => !tooNew.some((field) => isAtOrBelow(path, field.path)));
  return {
    errors: mistyped.map((problem) => buildTypeFinding(problem)),
    dropped: [...tooNew.filter(({ value }) => value !== null).map(reportTooNewKserveField), ...unknown],
  };
}

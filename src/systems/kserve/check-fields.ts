import { ROOT_PATH, parseFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { filterProblems, findSchemaProblems } from '../../core/schema';
import { buildTypeFinding } from '../../cluster/type-errors';
import { reportTooNewKserveField } from './rules/unknown-field';
import { INFERENCE_SERVICE_SCHEMA } from './schema';
import type { KserveService } from './service';

/** The findings about the fields of a service. */
export interface KserveFieldFindings {
  /** Fields whose type differs from the CRD. For each of them the API server refuses the entire service. */
  readonly errors: readonly Finding[];
  /** Fields that a later KServe added, which the API server drops. */
  readonly dropped: readonly Finding[];
}

/** Reports whether a path is the ancestor itself or below it. */
function isAtOrBelow(path: FieldPath, ancestor: FieldPath): boolean {
  const parts = parseFieldPath(path);
  return parseFieldPath(ancestor).every((part, index) => parts[index] === part);
}

const NO_FINDINGS: KserveFieldFindings = { errors: [], dropped: [] };

/** Checks the fields of a service. Fields that the API server drops are not checked further. */
export function checkKserveFields({ object, version }: KserveService): KserveFieldFindings {
  const problems = findSchemaProblems(object, INFERENCE_SERVICE_SCHEMA, ROOT_PATH, { version });
  if (problems.length === 0) return NO_FINDINGS;
  const tooNew = filterProblems(problems, 'too-new');
  const mistyped = filterProblems(problems, 'wrong-type').filter(({ path }) => !tooNew.some((field) => isAtOrBelow(path, field.path)));
  return {
    errors: mistyped.map((problem) => buildTypeFinding(problem)),
    dropped: tooNew.filter(({ value }) => value !== null).map(reportTooNewKserveField),
  };
}

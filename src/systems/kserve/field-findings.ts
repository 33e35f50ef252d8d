import { WHOLE_OBJECT, fieldPathParts } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { ofKind, schemaProblems } from '../../core/schema';
import { typeFinding } from '../../cluster/refusals';
import { laterFieldFinding } from './rules/unknown-field';
import { INFERENCE_SERVICE } from './schema';
import type { Service } from './service';

/** What is wrong with the fields of a service. */
export interface FieldFindings {
  /** Fields of another type than the CRD has, each of which has the API server refuse the whole service. */
  readonly refused: readonly Finding[];
  /** Fields that came with a later KServe, and that the API server drops. */
  readonly dropped: readonly Finding[];
}

/** Is this the place itself, or below it? */
function isWithin(path: FieldPath, place: FieldPath): boolean {
  const parts = fieldPathParts(path);
  return fieldPathParts(place).every((part, index) => parts[index] === part);
}

const NOTHING_WRONG: FieldFindings = { refused: [], dropped: [] };

/** What is wrong with the fields of a service. What the API server drops is not looked into. */
export function fieldFindings({ object, version }: Service): FieldFindings {
  const problems = schemaProblems(object, INFERENCE_SERVICE, WHOLE_OBJECT, { version });
  if (problems.length === 0) return NOTHING_WRONG;
  const later = ofKind(problems, 'too-new');
  const mistyped = ofKind(problems, 'wrong-type').filter(({ path }) => !later.some((field) => isWithin(path, field.path)));
  return {
    refused: mistyped.map((problem) => typeFinding(problem)),
    dropped: later.filter(({ value }) => value !== null).map(laterFieldFinding),
  };
}

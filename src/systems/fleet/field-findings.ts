import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding, Source } from '../../core/findings/finding';
import { createCountedFindings } from '../../core/findings/finding-limits';
import { createTooNewFieldFinding, createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { createWrongTypeFinding } from '../../core/rules/wrong-type';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema, ProblemOf, SchemaReader } from '../../core/values/schema';
import { checkQuotedInteger } from '../../cluster/rules/quoted-integer';
import { createFleetInt32OverflowFinding } from './rules/int32-overflow';
import { createFleetUnknownFieldFinding } from './rules/unknown-field';

/** The reader of an object: the API server reads a Bundle, Fleet itself reads a fleet.yaml. */
export type FieldReader = 'api-server' | 'fleet';

/** A field with the wrong type. */
export type WrongField = Omit<ProblemOf<'wrong-type'>, 'kind'>;

/** Findings about the fields of an object. */
export interface FieldFindings {
  /** Fields with the wrong type, so the object is refused. */
  readonly errors: readonly Finding[];
  /** Fields that are dropped: first those that no version knows, then those that a later version added. */
  readonly dropped: readonly Finding[];
}

/** Returns the schema reader of the API server or Fleet. Later code relies on the types, so tokens are not allowed. */
export function schemaReaderOf(reader: FieldReader, version: string): SchemaReader & { readonly version: string } {
  return { version, ignoresCase: reader === 'fleet', allowsTokens: false };
}

function createFieldFinding(problem: WrongField, reader: FieldReader): Finding {
  const isFile = reader === 'fleet';
  const { path, value, expected } = problem;
  if (!isFile && expected === 'int-or-percent' && Number.isInteger(value)) return createFleetInt32OverflowFinding(path, value as number);
  return (
    checkQuotedInteger(problem, isFile ? { by: 'Fleet' } : {}) ??
    createWrongTypeFinding(problem, isFile ? { reader: 'Fleet', outcome: 'file-unread' } : {})
  );
}

/** Checks the fields of an object for its reader. */
export function checkFleetFields(
  value: unknown,
  schema: FieldSchema,
  path: FieldPath,
  reader: FieldReader,
  version: string,
): FieldFindings {
  const problems = findSchemaProblems(value, schema, path, schemaReaderOf(reader, version));
  const unknown =
    reader === 'fleet'
      ? createCountedFindings(filterProblems(problems, 'unknown'), createFleetUnknownFieldFinding)
      : createUnknownFieldFindings(problems);
  return {
    errors: filterProblems(problems, 'wrong-type').map((problem) => createFieldFinding(problem, reader)),
    dropped: [...unknown, ...filterProblems(problems, 'too-new').map((problem) => createTooNewFieldFinding(problem, 'fleet', version))],
  };
}

/** Creates the finding about a field of the wrong type in an object that is not a rollout. The plan ignores that object. */
export function createSkippedFieldFinding(problem: WrongField, kind: string, source: Source | undefined): Finding {
  return createWrongTypeFinding(problem, { kind, outcome: 'left-out', ...(source && { source }) });
}

import type { FieldPath } from '../../core/field-path';
import type { Finding, Source } from '../../core/finding';
import { createTooNewFieldFinding, createUnknownFieldFinding } from '../../core/rules/unknown-field';
import { createWrongTypeFinding } from '../../core/rules/wrong-type';
import { filterProblems, findSchemaProblems } from '../../core/schema';
import type { FieldSchema, ProblemOf, SchemaReader } from '../../core/schema';
import { checkQuotedInteger } from '../../cluster/rules/quoted-integer';
import { createFleetInt32OverflowFinding } from './rules/int32-overflow';
import { createFleetUnknownFieldFinding } from './rules/unknown-field';

/** Who reads an object: the API server a Bundle, Fleet itself a fleet.yaml. */
export type FieldReader = 'api-server' | 'fleet';

/** A field of another type than wanted. */
export type WrongField = Omit<ProblemOf<'wrong-type'>, 'kind'>;

/** What was found wrong with the fields of an object. */
export interface FieldFindings {
  /** Fields of another type than wanted: what holds them is refused. */
  readonly errors: readonly Finding[];
  /** Fields that no version knows, then those that came with a later one: they are dropped. */
  readonly dropped: readonly Finding[];
}

/** How an object is read by each. Its types are relied on afterwards, so nothing is taken for a token. */
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

/** What is wrong with the fields of an object that one of the two reads. */
export function checkFleetFields(
  value: unknown,
  schema: FieldSchema,
  path: FieldPath,
  reader: FieldReader,
  version: string,
): FieldFindings {
  const problems = findSchemaProblems(value, schema, path, schemaReaderOf(reader, version));
  const unknown = filterProblems(problems, 'unknown').map((problem) =>
    reader === 'fleet' ? createFleetUnknownFieldFinding(problem) : createUnknownFieldFinding(problem),
  );
  return {
    errors: filterProblems(problems, 'wrong-type').map((problem) => createFieldFinding(problem, reader)),
    dropped: [...unknown, ...filterProblems(problems, 'too-new').map((problem) => createTooNewFieldFinding(problem, 'fleet', version))],
  };
}

/** A field of another type in an object that the plan reads besides its rollouts: it leaves that object out. */
export function createSkippedFieldFinding(problem: WrongField, kind: string, source: Source | undefined): Finding {
  return createWrongTypeFinding(problem, { kind, outcome: 'left-out', ...(source && { source }) });
}

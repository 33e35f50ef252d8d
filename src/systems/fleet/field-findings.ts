import { fieldName } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding, Source } from '../../core/finding';
import { isDigitString } from '../../core/int-or-percent';
import { unknownField } from '../../core/rules/unknown-field';
import { wrongType } from '../../core/rules/wrong-type';
import { describeType, ofKind, schemaProblems } from '../../core/schema';
import type { FieldSchema, ProblemOf, SchemaReader } from '../../core/schema';
import { seen } from '../../core/seen';
import { unknownFieldFinding } from '../../cluster/refusals';
import { quotedInteger } from '../../cluster/rules/quoted-integer';

/** Who reads an object: the API server a Bundle, Fleet itself a fleet.yaml. */
export type ReadBy = 'api-server' | 'fleet';

/** A field of another type than wanted. */
export type WrongField = Omit<ProblemOf<'wrong-type'>, 'kind'>;

/** What was found wrong with the fields of an object. */
export interface FieldFindings {
  /** Fields of another type than wanted: what holds them is refused. */
  readonly refused: readonly Finding[];
  /** Fields that no version knows, then those that came with a later one: they are dropped. */
  readonly dropped: readonly Finding[];
}

/** How an object is read by each. Its types are relied on afterwards, so nothing is taken for a token. */
export function readerOf(by: ReadBy, version: string): SchemaReader & { readonly version: string } {
  return { version, ignoresCase: by === 'fleet', takesTokens: false };
}

function refusedField({ path, value, expected }: WrongField, by: ReadBy): Finding {
  const field = fieldName(path);
  if (expected === 'int32' && isDigitString(value)) {
    return quotedInteger.finding('number', { path, data: { field, value, ...(by === 'fleet' && { by }) } });
  }
  const reader = by === 'fleet' ? ({ reader: 'Fleet', outcome: 'file-unread' } as const) : {};
  return wrongType.finding('field', { path, data: { field, value: seen(value), wanted: describeType(expected), ...reader } });
}

function laterField({ path, since }: ProblemOf<'too-new'>, version: string): Finding {
  const data = { field: fieldName(path), product: 'Fleet', option: 'fleet', version, since };
  return unknownField.finding('tooNew', { path, data });
}

/** What is wrong with the fields of an object that one of the two reads. */
export function fieldFindings(value: unknown, schema: FieldSchema, path: FieldPath, by: ReadBy, version: string): FieldFindings {
  const problems = schemaProblems(value, schema, path, readerOf(by, version));
  const unknown = ofKind(problems, 'unknown').map((problem) =>
    by === 'fleet' ? unknownFieldFinding(problem, 'Fleet', 'inFile') : unknownFieldFinding(problem),
  );
  return {
    refused: ofKind(problems, 'wrong-type').map((problem) => refusedField(problem, by)),
    dropped: [...unknown, ...ofKind(problems, 'too-new').map((problem) => laterField(problem, version))],
  };
}

/** A field of another type in an object that the plan reads besides its rollouts: it leaves that object out. */
export function leftOutField({ path, value, expected }: WrongField, kind: string, source: Source | undefined): Finding {
  const data = { field: fieldName(path), kind, value: seen(value), wanted: describeType(expected), outcome: 'left-out' } as const;
  return wrongType.finding('field', { path, data, source });
}

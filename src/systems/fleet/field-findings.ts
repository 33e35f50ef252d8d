import type { FieldPath } from '../../core/field-path';
import type { Finding, Source } from '../../core/finding';
import { tooNewFinding, unknownFieldFinding } from '../../core/rules/unknown-field';
import { wrongTypeFinding } from '../../core/rules/wrong-type';
import { ofKind, schemaProblems } from '../../core/schema';
import type { FieldSchema, ProblemOf, SchemaReader } from '../../core/schema';
import { quotedNumberFinding } from '../../cluster/rules/quoted-integer';
import { beyondInt32Finding } from './rules/beyond-int32';
import { unknownInFileFinding } from './rules/unknown-field';

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

function refusedField(problem: WrongField, by: ReadBy): Finding {
  const isFile = by === 'fleet';
  const { path, value, expected } = problem;
  if (!isFile && expected === 'int-or-percent' && Number.isInteger(value)) return beyondInt32Finding(path, value as number);
  return (
    quotedNumberFinding(problem, isFile ? { by: 'Fleet' } : {}) ??
    wrongTypeFinding(problem, isFile ? { reader: 'Fleet', outcome: 'file-unread' } : {})
  );
}

/** What is wrong with the fields of an object that one of the two reads. */
export function fieldFindings(value: unknown, schema: FieldSchema, path: FieldPath, by: ReadBy, version: string): FieldFindings {
  const problems = schemaProblems(value, schema, path, readerOf(by, version));
  const unknown = ofKind(problems, 'unknown').map((problem) =>
    by === 'fleet' ? unknownInFileFinding(problem) : unknownFieldFinding(problem),
  );
  return {
    refused: ofKind(problems, 'wrong-type').map((problem) => refusedField(problem, by)),
    dropped: [...unknown, ...ofKind(problems, 'too-new').map((problem) => tooNewFinding(problem, 'fleet', version))],
  };
}

/** A field of another type in an object that the plan reads besides its rollouts: it leaves that object out. */
export function leftOutField(problem: WrongField, kind: string, source: Source | undefined): Finding {
  return wrongTypeFinding(problem, { kind, outcome: 'left-out', ...(source && { source }) });
}

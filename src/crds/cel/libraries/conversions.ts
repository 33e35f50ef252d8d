import type { CelFunc, CelValue } from '@bufbuild/cel';
import { fitsFormat } from '../../schema-formats';
import type { FunctionKit } from './function-kit';

const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_TEXTS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);
const DECIMAL_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE_NUMBER = /^([+-]?)inf(?:inity)?$/i;

function createConversionError(type: string): Error {
  return new Error(`type conversion error from 'string' to '${type}'`);
}

/** Parses an integer as Go's strconv.ParseInt and ParseUint do with base 10. @throws if it is none, or has too many bits */
function parseInteger(text: string, type: 'int' | 'uint'): bigint {
  const isInteger = type === 'int' ? /^[+-]?\d+$/.test(text) : /^\d+$/.test(text);
  const value = isInteger ? BigInt(text.replace('+', '')) : undefined;
  const fits = value !== undefined && (type === 'int' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)) === value;
  if (!fits) throw createConversionError(type);
  return value;
}

/** Parses a number as Go's strconv.ParseFloat does. Hexadecimal numbers and underscores are refused. @throws if it is none, or too large */
function parseDouble(text: string): number {
  const [isInfinite, sign] = INFINITE_NUMBER.exec(text) ?? [];
  if (isInfinite !== undefined) return sign === '-' ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  const value = DECIMAL_NUMBER.test(text) ? Number(text) : Infinity;
  if (!Number.isFinite(value)) throw createConversionError('double');
  return value;
}

function parseBool(text: string): boolean {
  if (!TRUE_TEXTS.has(text) && !FALSE_TEXTS.has(text)) throw createConversionError('bool');
  return TRUE_TEXTS.has(text);
}

/**
 * Creates the conversions that the evaluator makes in another way than the server. Those of texts follow JavaScript, where `int("")` is 0.
 * Those between numbers and durations or timestamps have other units.
 *
 * Source: cel-go v0.26 common/types string.go, int.go and duration.go, `ConvertToType`.
 */
export function createConversionFunctions({ cel, types: { INT, STRING }, func, operator }: FunctionKit): CelFunc[] {
  const DURATION = cel.objectType('google.protobuf.Duration');
  const toDuration = (nanoseconds: bigint): CelValue => operator('duration', `${nanoseconds}ns`);
  return [
    func('int', [STRING], (text: string) => parseInteger(text, 'int')),
    func('uint', [STRING], (text: string) => cel.celUint(parseInteger(text, 'uint'))),
    func('double', [STRING], parseDouble),
    func('bool', [STRING], parseBool),
    func('timestamp', [STRING], (text: string) => {
      if (!fitsFormat(text, 'date-time')) throw new Error('Failed to parse timestamp: no date');
      return operator('timestamp', text);
    }),
    func('duration', [STRING], (text: string) => {
      if (text === '') throw new Error('Failed to parse duration: no text');
      return operator('duration', text);
    }),
    func('timestamp', [INT], (seconds: bigint) =>
      operator('_+_', operator('timestamp', '1970-01-01T00:00:00Z'), operator('duration', seconds)),
    ),
    func('duration', [INT], toDuration),
    func('int', [DURATION], ({ message }: { readonly message: { readonly seconds: bigint; readonly nanos: number } }) => {
      return message.seconds * 1_000_000_000n + BigInt(message.nanos);
    }),
  ];
}

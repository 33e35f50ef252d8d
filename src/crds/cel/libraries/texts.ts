import type { CelFunc, CelList, CelValue } from '@bufbuild/cel';
import { getCharacterAt, findIndexOf, findLastIndexOf, replaceText, splitText, extractSubstring } from '../text-functions';
import { CelValueFormatter } from '../value-formatter';
import type { FunctionKit } from './function-kit';

/** Creates the functions of texts, and those that write other values as text. */
export function createTextFunctions({
  cel,
  limits: { reserve, rejectPrecision, tick },
  types: { DOUBLE, INT, LIST, OWN, STRING },
  func,
  method,
}: FunctionKit): CelFunc[] {
  const texts = [
    method('charAt', STRING, [INT], (text: string, index: bigint) => getCharacterAt(text, Number(index))),
    method('indexOf', STRING, [STRING], (text: string, part: string) => BigInt(findIndexOf(text, part))),
    method('indexOf', STRING, [STRING, INT], (text: string, part: string, from: bigint) => BigInt(findIndexOf(text, part, Number(from)))),
    method('lastIndexOf', STRING, [STRING], (text: string, part: string) => BigInt(findLastIndexOf(text, part))),
    method('lastIndexOf', STRING, [STRING, INT], (text: string, part: string, from: bigint) =>
      BigInt(findLastIndexOf(text, part, Number(from))),
    ),
    method('replace', STRING, [STRING, STRING], (text: string, part: string, by: string) => replaceText(text, part, by, -1, reserve)),
    method('replace', STRING, [STRING, STRING, INT], (text: string, part: string, by: string, times: bigint) =>
      replaceText(text, part, by, Number(times), reserve),
    ),
    method('split', STRING, [STRING], (text: string, by: string) => splitText(text, by)),
    method('split', STRING, [STRING, INT], (text: string, by: string, maxCount: bigint) => splitText(text, by, Number(maxCount))),
    method('substring', STRING, [INT], (text: string, from: bigint) => extractSubstring(text, Number(from))),
    method('substring', STRING, [INT, INT], (text: string, from: bigint, to: bigint) => extractSubstring(text, Number(from), Number(to))),
  ];

  const writer = new CelValueFormatter(cel, rejectPrecision, tick);
  const stringFunctions = [OWN, DOUBLE, cel.objectType('google.protobuf.Duration'), cel.objectType('google.protobuf.Timestamp')].map(
    (type) => func('string', [type], (value: CelValue) => writer.formatValue(value)),
  );
  const formatFunction = method('format', STRING, [LIST], (text: string, values: CelList) => {
    const lengths = [...values].map((value) => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0));
    reserve(text.length + lengths.reduce((sum, length) => sum + length, 0));
    return writer.format(text, values);
  });

  return [...texts, ...stringFunctions, formatFunction];
}

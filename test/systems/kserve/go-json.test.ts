import * as fc from 'fast-check';
import { decodeStruct, JsonSyntaxError, parseJson } from '../../../src/systems/kserve/go-json';
import type { GoStruct } from '../../../src/systems/kserve/go-json';
import { scaleRuns } from '../../setup/scale-runs';

const CONFIG: GoStruct = {
  name: 'Config',
  fields: { mode: 'string', rollout: { name: 'Rollout', fields: { maxSurge: 'string', maxUnavailable: 'string' } }, extra: 'anything' },
};

function decode(text: string): unknown {
  return decodeStruct(parseJson(text), CONFIG).value;
}

function reasonFor(text: string): string {
  try {
    const [error] = decodeStruct(parseJson(text), CONFIG).errors;
    return error?.reason ?? 'no error';
  } catch (error) {
    return (error as JsonSyntaxError).message;
  }
}

function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

describe('JSON is read like in Go', () => {
  test('any JSON has the same value as in JavaScript', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(decode(`{"extra": ${JSON.stringify(value)}}`)).toEqual({ extra: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  test('any text is refused if JavaScript refuses it, and accepted otherwise', () => {
    const torn = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), fc.constantFrom('', ',', '"', '{', ']', '#', '1', '\\', '\t', '0'))
      .map(([text, at, cut, inserted]) => text.slice(0, at % (text.length + 1)) + inserted + text.slice((at % (text.length + 1)) + cut));
    fc.assert(
      fc.property(torn, (text) => {
        expect(isAccepted(() => parseJson(text))).toBe(isAccepted(() => JSON.parse(text)));
      }),
      { numRuns: scaleRuns(5_000) },
    );
  });

  test('keys match case-insensitively, an exact match first, and unknown keys are dropped', () => {
    expect(decode('{"MODE": "a", "Rollout": {"maxsurge": "1%"}, "unknown": 1}')).toEqual({ mode: 'a', rollout: { maxSurge: '1%' } });
  });

  test('a repeated key sets the field again, and fills a struct further', () => {
    expect(decode('{"mode": "a", "Mode": "b", "mode": "c"}')).toEqual({ mode: 'c' });
    expect(decode('{"rollout": {"maxSurge": "1%"}, "rollout": {"maxUnavailable": "2%"}}')).toEqual({
      rollout: { maxSurge: '1%', maxUnavailable: '2%' },
    });
  });

  test('null leaves a string unchanged and resets a struct', () => {
    expect(decode('{"mode": "a", "mode": null, "rollout": {"maxSurge": "1%"}, "rollout": null}')).toEqual({ mode: 'a' });
  });

  test.each([
    ['', 'unexpected end of JSON input'],
    ['{"mode": "a"', 'unexpected end of JSON input'],
    ['{"mode": "a', 'unexpected end of JSON input'],
    ['invalid-json', "invalid character 'i' looking for beginning of value (line 1)"],
    ['{\n  "mode": "a", # why\n}', "invalid character '#' looking for beginning of object key string (line 2)"],
    ['{"mode": "a",}', "invalid character '}' looking for beginning of object key string (line 1)"],
    ['{"mode" "a"}', `invalid character '"' after object key (line 1)`],
    ['{"mode": "a" "rollout": {}}', `invalid character '"' after object key:value pair (line 1)`],
    ['{"extra": [1 2]}', "invalid character '2' after array element (line 1)"],
    ['{"extra": 1e}', "invalid character '}' in exponent of numeric literal (line 1)"],
    ['{"extra": 1e+}', "invalid character '}' in exponent of numeric literal (line 1)"],
    ['{"extra": 1e5e}', "invalid character 'e' after object key:value pair (line 1)"],
    ['{"extra": 1.}', "invalid character '}' after decimal point in numeric literal (line 1)"],
    ['{} {}', "invalid character '{' after top-level value (line 1)"],
    ["{'mode': 1}", String.raw`invalid character '\'' looking for beginning of object key string (line 1)`],
    ['{"mode": "\t"}', String.raw`invalid character '\t' in string literal (line 1)`],
    ['['.repeat(100_000), 'exceeded max depth'],
    ['[]', 'json: cannot unmarshal array into Go value of type v1beta1.Config'],
    ['{"mode": 1}', 'json: cannot unmarshal number into Go struct field Config.mode of type string'],
    ['{"rollout": "x"}', 'json: cannot unmarshal string into Go struct field Config.rollout of type v1beta1.Rollout'],
    ['{"rollout": {"maxSurge": true}}', 'json: cannot unmarshal bool into Go struct field Rollout.rollout.maxSurge of type string'],
    ['{"rollout": {"maxSurge": {}}}', 'json: cannot unmarshal object into Go struct field Rollout.rollout.maxSurge of type string'],
  ])('%j is refused with the message of Go', (text, reason) => {
    expect(reasonFor(text)).toBe(reason);
  });
});

test('a string of 4 million escapes is a string', () => {
  const mode = '\n'.repeat(4_000_000);
  expect(decode(JSON.stringify({ mode }))).toEqual({ mode });
});

test.each(['MODE', 'Mode', 'mode', 'rollou\u0074'])('the key %s is matched like in Go', (key) => {
  expect(Object.keys(decode(JSON.stringify({ [key]: key.length === 4 ? 'x' : {} })) as object)).toEqual([key.toLowerCase()]);
});

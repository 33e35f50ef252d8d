import * as fc from 'fast-check';
import { readDocument } from '../../../src/input/yaml/full-reader';
import { resolvePlain } from '../../../src/input/yaml/scalar';

function valueOf(yaml: string): unknown {
  return (readDocument(`value: ${yaml}\n`).value as { value: unknown }).value;
}

describe('a plain scalar is resolved as in kubectl (YAML 1.1 without sexagesimal numbers and timestamps)', () => {
  test.each([
    ['yes', true],
    ['no', false],
    ['on', true],
    ['Off', false],
    ['y', true],
    ['N', false],
    ['TRUE', true],
    ['yES', 'yES'],
    ['~', null],
    ['null', null],
    ['', null],
    ['1', 1],
    ['+12', 12],
    ['-3', -3],
    ['0777', 511],
    ['0o17', 15],
    ['0x1F', 31],
    ['-0b11', -3],
    ['1_000', 1000],
    ['08', 8],
    ['1.5', 1.5],
    ['1.', 1],
    ['.5', 0.5],
    ['1e3', 1000],
    ['-0', 0],
    ['1e400', '1e400'],
    ['.e3', '.e3'],
    ['12:30:45', '12:30:45'],
    ['2026-01-01', '2026-01-01'],
    ['25%', '25%'],
    ['1.2.3', '1.2.3'],
    ['0x', '0x'],
    ['nothing', 'nothing'],
  ])('%s', (yaml, value) => {
    expect(valueOf(yaml)).toBe(value);
  });

  test.each([
    ['.inf', Infinity],
    ['-.INF', -Infinity],
    ['.nan', NaN],
  ])('%s is read, so that a finding can name the field', (yaml, value) => {
    expect(valueOf(yaml)).toBe(value);
  });
});

describe('quotes, blocks and tags determine the type of a scalar', () => {
  test.each([
    ['"1"', '1'],
    ["'yes'", 'yes'],
    ['"\\u001b[31m"', '\u001b[31m'],
    ['|\n  1\n', '1\n'],
    ['>-\n  yes\n  no\n', 'yes no'],
    ['!!str 3', '3'],
    ['!!int "3"', 3],
    ['!!float 3', 3],
    ['!!bool yes', true],
    ['!!binary aGk=', 'hi'],
    ['!!binary 8J+Y', '\ufffd\ufffd\ufffd'],
    ['!custom 3', '3'],
  ])('%s', (yaml, value) => {
    expect(valueOf(yaml)).toBe(value);
  });

  test('a tag that does not match the text is an error', () => {
    expect(() => valueOf('!!int three')).toThrow(expect.objectContaining({ problem: { kind: 'tag-unfit', text: 'three', type: 'int' } }));
  });
});

test('a whole number is read from each of its notations', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (n) => {
      const size = Math.abs(n);
      const sign = n < 0 ? '-' : '';
      const notations = [`${n}`, `${sign}0x${size.toString(16)}`, `${sign}0b${size.toString(2)}`, `${sign}0${size.toString(8)}`, `${n}.0`];
      expect(notations.map(resolvePlain)).toEqual(notations.map(() => n));
    }),
  );
});

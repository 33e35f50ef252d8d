import { ROOT_PATH } from '../../src/core/manifest/field-path';
import type { SchemaNode } from '../../src/crds/schema-node';
import { validateStructure } from '../../src/crds/structural-validator';
import { ValidationClock, ValidationLimitError } from '../../src/crds/validation-clock';

const names = Array.from({ length: 2_000 }, (_, index) => `name-${index}`);

test.each<[string, unknown, SchemaNode]>([
  ['required names', {}, { required: names }],
  ['fields', Object.fromEntries(names.map((name) => [name, 1])), { maxProperties: 5_000 }],
  ['items of a list', names, { items: { type: 'string' } }],
  ['characters of a text', 'x'.repeat(200_000), { maxLength: 500_000 }],
  ['instructions of a pattern, which is compiled', 'x', { pattern: '(?:abcdefghijklm|x){0,1000}' }],
])('validation looks at the clock for thousands of %s', (_, value, schema) => {
  const validate = (seconds: number) =>
    validateStructure(value, { anyOf: [schema, { nullable: true }] }, ROOT_PATH, new Map(), new ValidationClock(seconds));

  expect(validate(60)).toEqual([]);
  expect(() => validate(-1)).toThrow(ValidationLimitError);
});

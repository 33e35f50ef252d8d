import { findDocumentProblem } from '../../src/core/values/json-schema';
import type { JsonSchema } from '../../src/core/values/json-schema';

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['name', 'owner'],
  properties: {
    name: { type: 'string', minLength: 1, pattern: '^[a-z]*$' },
    owner: { $ref: '#/$defs/owner' },
    count: { type: ['integer', 'null'], minimum: 0, maximum: 9 },
    share: { type: 'number', exclusiveMinimum: 0 },
    isOpen: { type: 'boolean' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    rows: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'array', items: { enum: ['a', 'b'] } } },
    shape: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'integer' } }, required: ['kind', 'radius'] },
        { type: 'object', properties: { kind: { const: 'square' }, side: { type: 'integer' } }, required: ['kind', 'side'] },
      ],
    },
    extra: true,
  },
  $defs: { owner: { type: 'object', required: ['team'], properties: { team: { type: 'string' } }, additionalProperties: false } },
};

const VALID = { name: 'web', owner: { team: 'shop' } };

test.each<readonly [document: unknown, problem: string | undefined]>([
  [VALID, undefined],
  [{ ...VALID, count: null, share: 0.5, isOpen: true, rows: [['a']], labels: { app: 'web' }, extra: { toString: 1 } }, undefined],
  [{ ...VALID, later: 1, owner: { team: 'shop', later: 1 } }, undefined],
  [{ ...VALID, shape: { kind: 'square', side: 1 } }, undefined],
  [[], 'it is [], which is not a map'],
  [{ name: 'web' }, 'it has no owner'],
  [{ ...VALID, owner: JSON.parse('{"__proto__": {"team": "shop"}}') }, 'owner has no team'],
  [{ ...VALID, owner: { team: { toString: 1 } } }, 'owner.team is a map, which is not a string'],
  [{ ...VALID, name: '' }, 'name is "", and its minLength is 1'],
  [{ ...VALID, name: 'Web' }, 'name is "Web", and its pattern is "^[a-z]*$"'],
  [{ ...VALID, count: 1.5 }, 'count is 1.5, which is not a whole number or null'],
  [{ ...VALID, count: -1 }, 'count is -1, and its minimum is 0'],
  [{ ...VALID, count: 10 }, 'count is 10, and its maximum is 9'],
  [{ ...VALID, share: 0 }, 'share is 0, and its exclusiveMinimum is 0'],
  [{ ...VALID, isOpen: 'yes' }, 'isOpen is "yes", which is not true or false'],
  [{ ...VALID, labels: { 'a.b': 1 } }, 'labels[a.b] is 1, which is not a string'],
  [{ ...VALID, rows: [] }, 'rows is [], and its minItems is 1'],
  [{ ...VALID, rows: [[], [], []] }, 'rows is a list, and its maxItems is 2'],
  [{ ...VALID, rows: [[], ['a', 'c']] }, 'rows[1][1] is "c", and its enum is ["a","b"]'],
  [{ ...VALID, shape: { kind: 'square', side: '1' } }, 'shape.side is "1", which is not a whole number'],
  [{ ...VALID, shape: { kind: 'circle', side: 1 } }, 'shape has no radius'],
  [{ ...VALID, shape: { kind: 'line' } }, 'shape has no radius'],
])('%j: %s', (document, problem) => {
  expect(findDocumentProblem(document, SCHEMA)).toBe(problem);
});

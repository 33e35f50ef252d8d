import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../src/core/manifest/manifest';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { CrdValidator } from '../../src/crds/crd-validator';
import { recorded } from './recording';

interface Recorded {
  readonly name: string;
  readonly refused?: Readonly<Record<string, readonly object[]>>;
}

const CRD = parse(readFileSync(path.join(__dirname, '../fixtures/crds/costs-v1/grid.yaml'), 'utf8')) as Manifest;
const SIZES = [1, 250, 1010];

/** File that the questions for the API server are written to: see oracle/README.md, "CRDs". */
const { CRD_COSTS } = process.env;

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function grid(name: string, spec: object): Manifest {
  return { apiVersion: 'shop.example/v1', kind: 'Grid', metadata: { name, namespace: 'default' }, spec };
}

const OBJECTS = [
  ...['twice', 'found'].flatMap((field) => SIZES.map((size) => grid(`${field}-${size}`, { [field]: numbers(size) }))),
  grid('pairs-1010', { pairs: numbers(1010) }),
  // No single row exceeds the budget. Equal rows are evaluated once, but each is counted.
  ...[1, 20, 130].map((rows) => grid(`rows-${rows}`, { rows: numbers(rows).map(() => ({ cells: numbers(300) })) })),
  ...[1, 5].map((rows) => grid(`other-rows-${rows}`, { rows: numbers(rows).map((row) => ({ cells: [row, ...numbers(299)] })) })),
];

test('objects refused because their rules iterate over too many items are refused by the API server too, and no rule is evaluated past the limit', () => {
  const validator = new CrdValidator(new CrdRegistry([CRD]));
  if (CRD_COSTS !== undefined) {
    for (const object of OBJECTS) appendFileSync(CRD_COSTS, `${JSON.stringify({ digest: object.metadata!.name, object })}\n`);
    return;
  }
  const refusedThere = new Set((recorded('crd-costs') as readonly Recorded[]).flatMap(({ name, refused }) => (refused ? [name] : [])));
  const refusedHere = OBJECTS.flatMap((object) => {
    const { fieldErrors } = validator.validate(object)!;
    const limits = fieldErrors.flatMap(({ constraint }) => (constraint.kind === 'cost' ? [constraint.budgetScope] : []));
    expect(fieldErrors).toHaveLength(limits.length);
    return limits.map((limit) => [object.metadata!.name!, limit]);
  });
  expect(refusedHere).toEqual([
    ['twice-1010', 'rule'],
    ['pairs-1010', 'rule'],
    ['rows-130', 'object'],
  ]);
  expect(refusedHere.filter(([name]) => !refusedThere.has(name!))).toEqual([]);
});

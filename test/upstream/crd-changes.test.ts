import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../src/core/manifest';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { CrdValidator } from '../../src/crds/crd-validator';
import { changedVaults } from '../crds/mutated-vaults';
import { recorded } from './recording';

interface Recorded {
  readonly name: string;
  readonly refused?: Readonly<Record<string, readonly { readonly field: string; readonly type: string }[]>>;
}

const CRD = parse(readFileSync(path.join(__dirname, '../fixtures/crds/own-v1/vault.yaml'), 'utf8')) as Manifest;

/** oracle/README.md, "CRDs", says how they are judged. */
const { CRD_CHANGES } = process.env;

/** A path with keys of maps behind a dot, as the schema writes it; rules write them in brackets. */
function serverPath(field: string): string {
  return field.replaceAll(/\[([^\]0-9][^\]]*)\]/g, '.$1');
}

test('thousands of changes are refused for what the API server refuses them for: new faults, and rules that compare with what was there', () => {
  const judge = new CrdValidator(new CrdRegistry([CRD]));
  const changes = changedVaults(judge, 6_000);
  if (CRD_CHANGES !== undefined) {
    for (const { old, next } of changes)
      appendFileSync(CRD_CHANGES, `${JSON.stringify({ digest: next.metadata!.name, object: next, old })}\n`);
    return;
  }
  const verdicts = new Map((recorded('crd-changes') as readonly Recorded[]).map((verdict) => [verdict.name, verdict]));
  const differing = changes.flatMap(({ old, next }) => {
    const { fieldErrors, unknownFields } = judge.validate(next, old)!;
    const refused = verdicts.get(next.metadata!.name!)!.refused?.['own-v1'] ?? [];
    // At no field: that CEL rules were not come to.
    const server = new Set(
      refused.map(({ field, type }) => `${serverPath(field)} ${type}`).filter((refusal) => refusal !== '<nil> FieldValueInvalid'),
    );
    const ours = new Set([
      ...fieldErrors.map(({ path: at, type }) => `${serverPath(at)} ${type}`),
      ...unknownFields.map(({ path: at }) => `${serverPath(at)} unknown field`),
    ]);
    const said = [ours, server].map((refusals) => [...refusals].toSorted().join(', '));
    return said[0] === said[1] ? [] : [`${next.metadata!.name}: ${said[0]} | ${said[1]}`];
  });
  expect(differing).toEqual([]);
  expect(
    changes.filter(({ old, next }) => judge.validate(next)!.fieldErrors.length > 0 && judge.validate(next, old)!.fieldErrors.length === 0)
      .length,
  ).toBeGreaterThan(100);
});

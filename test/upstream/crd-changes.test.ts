import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../src/core/manifest/manifest';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { CrdValidator } from '../../src/crds/crd-validator';
import { changedVaults } from '../crds/mutated-vaults';
import { RECORDING_STEP, sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

interface Recorded {
  readonly name: string;
  readonly refused?: Readonly<Record<string, readonly { readonly field: string; readonly type: string }[]>>;
}

const CRD = parse(readFileSync(path.join(__dirname, '../fixtures/crds/own-v1/vault.yaml'), 'utf8')) as Manifest;

/** File that the questions for the API server are written to: see oracle/README.md, "CRDs". */
const { CRD_CHANGES } = process.env;

/** Writes map keys after a dot, as the schema does; CEL rules write them in brackets. */
function serverPath(field: string): string {
  return field.replaceAll(/\[([^\]0-9][^\]]*)\]/g, '.$1');
}

test('thousands of changes are refused for the same reasons as by the API server: new errors, and rules that compare with the old object', () => {
  const validator = new CrdValidator(new CrdRegistry([CRD]));
  const changes = changedVaults(validator, 6_000);
  if (CRD_CHANGES !== undefined) {
    for (const { old, next } of changes)
      appendFileSync(CRD_CHANGES, `${JSON.stringify({ digest: next.metadata!.name, object: next, old })}\n`);
    return;
  }
  const verdicts = new Map((recorded('crd-changes') as readonly Recorded[]).map((verdict) => [verdict.name, verdict]));
  const compared = sampleOf(changes);
  const differing = compared.flatMap(({ old, next }) => {
    const { fieldErrors, unknownFields } = validator.validate(next, old)!;
    const refused = verdicts.get(next.metadata!.name!)!.refused?.['own-v1'] ?? [];
    // Reported without a field: the server did not evaluate the CEL rules.
    const server = new Set(
      refused.map(({ field, type }) => `${serverPath(field)} ${type}`).filter((refusal) => refusal !== '<nil> FieldValueInvalid'),
    );
    const ours = new Set([
      ...fieldErrors.map(({ path: at, type }) => `${serverPath(at)} ${type}`),
      ...unknownFields.map(({ path: at }) => `${serverPath(at)} unknown field`),
    ]);
    const listed = [ours, server].map((refusals) => [...refusals].toSorted().join(', '));
    return listed[0] === listed[1] ? [] : [`${next.metadata!.name}: ${listed[0]} | ${listed[1]}`];
  });
  expect(differing).toEqual([]);
  expect(
    compared.filter(
      ({ old, next }) => validator.validate(next)!.fieldErrors.length > 0 && validator.validate(next, old)!.fieldErrors.length === 0,
    ).length,
  ).toBeGreaterThan(60 / RECORDING_STEP);
});

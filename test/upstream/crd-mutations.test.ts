import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../src/core/manifest/manifest';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { CrdValidator } from '../../src/crds/crd-validator';
import { sampleOf } from '../setup/recording-step';
import { recorded } from './recording';
import { SOUND, mutatedObjects } from '../crds/mutated-objects';

interface Recorded {
  readonly name: string;
  readonly refused?: Readonly<Record<string, readonly { readonly field: string; readonly type: string }[]>>;
}

const CRD = parse(readFileSync(path.join(__dirname, '../fixtures/crds/own-v1/cache.yaml'), 'utf8')) as Manifest;
const OBJECTS = [{ ...SOUND, metadata: { name: 'sound' } }, ...mutatedObjects(SOUND, 2_000)];

/** File that the questions for the API server are written to: see oracle/README.md, "CRDs". */
const { CRD_MUTATIONS } = process.env;

/** Writes map keys after a dot, as apiextensions does. */
function serverPath(field: string): string {
  return field.replaceAll(/\[([^\]0-9][^\]]*)\]/g, '.$1');
}

/**
 * Normalizes refusals for the comparison. If an object matches none of several schemas, the server reports that without a field, and also
 * what each schema misses. Only the refusal itself is compared for such objects.
 */
function normalizeRefusals(refusals: readonly string[], isComposed: boolean): readonly string[] {
  if (isComposed) return refusals.length > 0 ? ['refused'] : [];
  // Also reported without a field: the server did not evaluate the CEL rules.
  return [...new Set(refusals)].filter((refusal) => refusal !== '<nil> FieldValueInvalid').toSorted();
}

test('thousands of changed objects are refused for the same reasons as by the API server, field by field', () => {
  const validator = new CrdValidator(new CrdRegistry([CRD]));
  if (CRD_MUTATIONS !== undefined) {
    for (const object of OBJECTS) appendFileSync(CRD_MUTATIONS, `${JSON.stringify({ digest: object.metadata!.name, object })}\n`);
    return;
  }
  const verdicts = new Map((recorded('crd-mutations') as readonly Recorded[]).map((verdict) => [verdict.name, verdict]));
  const differing = sampleOf(OBJECTS).flatMap((object) => {
    const { fieldErrors, unknownFields } = validator.validate(object)!;
    const isComposed = fieldErrors.some(({ constraint }) => constraint.kind === 'composed');
    const refused = verdicts.get(object.metadata!.name!)!.refused?.['own-v1'] ?? [];
    const server = normalizeRefusals(
      refused.map(({ field, type }) => `${field} ${type}`),
      isComposed,
    );
    const ours = normalizeRefusals(
      [
        ...fieldErrors.map(({ path: at, type }) => `${serverPath(at)} ${type}`),
        ...unknownFields.map(({ path: at }) => `${serverPath(at)} unknown field`),
      ],
      isComposed,
    );
    return JSON.stringify(ours) === JSON.stringify(server) ? [] : [`${object.metadata!.name}: ${ours.join(', ')} | ${server.join(', ')}`];
  });
  expect(differing).toEqual([]);
  expect(validator.listUnevaluatedRules(SOUND)).toEqual([]);
});

import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../src/core/manifest';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { CrdValidator } from '../../src/crds/crd-validator';
import { recorded } from './recording';
import { SOUND, mutatedObjects } from '../crds/mutated-objects';

interface Recorded {
  readonly name: string;
  readonly refused?: Readonly<Record<string, readonly { readonly field: string; readonly type: string }[]>>;
}

const CRD = parse(readFileSync(path.join(__dirname, '../fixtures/crds/own-v1/cache.yaml'), 'utf8')) as Manifest;
const OBJECTS = [{ ...SOUND, metadata: { name: 'sound' } }, ...mutatedObjects(SOUND, 2_000)];

/** oracle/README.md, "CRDs", says how they are judged. */
const { CRD_MUTATIONS } = process.env;

/** A path as apiextensions writes it, which puts keys of maps behind a dot. */
function serverPath(field: string): string {
  return field.replaceAll(/\[([^\]0-9][^\]]*)\]/g, '.$1');
}

/**
 * What both say, as text. That an object fits none of several schemas stands at no field there, and what each of them misses beside it; so
 * objects that fail so are compared by being refused.
 */
function compared(refusals: readonly string[], isComposed: boolean): readonly string[] {
  if (isComposed) return refusals.length > 0 ? ['refused'] : [];
  // At no field as well: that CEL rules were not come to.
  return [...new Set(refusals)].filter((refusal) => refusal !== '<nil> FieldValueInvalid').toSorted();
}

test('thousands of changed objects are refused for what the API server refuses them for, field by field', () => {
  const judge = new CrdValidator(new CrdRegistry([CRD]));
  if (CRD_MUTATIONS !== undefined) {
    for (const object of OBJECTS) appendFileSync(CRD_MUTATIONS, `${JSON.stringify({ digest: object.metadata!.name, object })}\n`);
    return;
  }
  const verdicts = new Map((recorded('crd-mutations') as readonly Recorded[]).map((verdict) => [verdict.name, verdict]));
  const differing = OBJECTS.flatMap((object) => {
    const { fieldErrors, unknownFields } = judge.validate(object)!;
    const isComposed = fieldErrors.some(({ constraint }) => constraint.kind === 'composed');
    const refused = verdicts.get(object.metadata!.name!)!.refused?.['own-v1'] ?? [];
    const server = compared(
      refused.map(({ field, type }) => `${field} ${type}`),
      isComposed,
    );
    const ours = compared(
      [
        ...fieldErrors.map(({ path: at, type }) => `${serverPath(at)} ${type}`),
        ...unknownFields.map(({ path: at }) => `${serverPath(at)} unknown field`),
      ],
      isComposed,
    );
    return JSON.stringify(ours) === JSON.stringify(server) ? [] : [`${object.metadata!.name}: ${ours.join(', ')} | ${server.join(', ')}`];
  });
  expect(differing).toEqual([]);
  expect(judge.listUnevaluatedRules(SOUND)).toEqual([]);
});

import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Manifest } from '../../src/core/manifest/manifest';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { CrdValidator } from '../../src/crds/crd-validator';
import { probeCrd, probes } from '../crds/probes';
import { recorded } from './recording';
import { RECORDING_STEP } from '../setup/recording-step';

interface Recorded {
  readonly name: string;
  readonly refused?: Readonly<Record<string, readonly { readonly field: string; readonly type: string }[]>>;
}

/** File that the questions for the API server are written to: see oracle/README.md, "CRDs". */
const { CRD_FUNCTIONS, CRD_FUNCTIONS_SEED, CRD_FUNCTIONS_COUNT = '60' } = process.env;

/** Number of objects. The gate compares a quarter, in each of which all functions are called. */
const COUNT = CRD_FUNCTIONS === undefined && RECORDING_STEP > 1 ? 15 : Number(CRD_FUNCTIONS_COUNT);

const JUDGE = new CrdValidator(new CrdRegistry([probeCrd()]));

/** Returns the result of each expression, taken from the message of the rule that it violates. */
function readAnswers(object: Manifest): ReadonlyMap<string, string> {
  return new Map(
    JUDGE.validate(object)!.fieldErrors.flatMap(({ path: at, constraint }) =>
      constraint.kind === 'rule' && constraint.evaluationError === undefined ? [[at.split('.')[1]!, constraint.errorMessage] as const] : [],
    ),
  );
}

function faultsOf(object: Manifest): string[] {
  return JUDGE.validate(object)!
    .fieldErrors.map(({ path: at, type }) => `${at} ${type}`)
    .toSorted();
}

test('the functions that Kubernetes adds to CEL return the same results as in the API server, and fail for the same arguments', () => {
  const objects = probes(COUNT, readAnswers, CRD_FUNCTIONS_SEED === undefined ? undefined : Number(CRD_FUNCTIONS_SEED));
  if (CRD_FUNCTIONS !== undefined) {
    writeFileSync(path.join(CRD_FUNCTIONS, 'own-v1/probe.yaml'), JSON.stringify(probeCrd()));
    for (const object of objects) {
      appendFileSync(path.join(CRD_FUNCTIONS, 'questions'), `${JSON.stringify({ digest: object.metadata!.name, object })}\n`);
      appendFileSync(path.join(CRD_FUNCTIONS, 'ours'), `${JSON.stringify({ name: object.metadata!.name, faults: faultsOf(object) })}\n`);
    }
    return;
  }
  const verdicts = new Map((recorded('crd-functions') as readonly Recorded[]).map((verdict) => [verdict.name, verdict]));
  const differing = objects.flatMap((object) => {
    const refused = verdicts.get(object.metadata!.name!)!.refused?.['own-v1'] ?? [];
    const server = refused.map(({ field, type }) => `${field} ${type}`).toSorted();
    const ours = faultsOf(object);
    return JSON.stringify(ours) === JSON.stringify(server) ? [] : [{ object: object.metadata!.name, ours, server }];
  });
  expect(differing).toEqual([]);
  expect(JUDGE.listUnevaluatedRules(objects[0]!)).toEqual([]);
});

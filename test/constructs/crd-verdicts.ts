import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Manifest } from '../../src/core/manifest/manifest';
import { isFields } from '../../src/core/manifest/manifest';
import { recorded } from '../upstream/recording';

/** Errors of upstream's CRDs for one manifest, by product and version. */
interface Verdict {
  readonly digest: string;
  readonly taken?: readonly string[];
  readonly refused?: Readonly<Record<string, readonly Refusal[]>>;
}

/** One error of the API server. */
interface Refusal {
  readonly field: string;
  readonly type: string;
}

const verdicts = new Map((recorded('crd-verdicts') as readonly Verdict[]).map((verdict) => [verdict.digest, verdict]));

/** File to which requests for `oracle/crds` are appended. While it is set, nothing is compared. */
const QUESTIONS = process.env.CRD_QUESTIONS;

function ask(question: object): void {
  appendFileSync(QUESTIONS!, `${JSON.stringify(question)}\n`);
}

/** Returns the value with sorted keys at all levels. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function digestOf(object: Manifest): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(object)))
    .digest('hex');
}

/** Returns the recorded reasons why these CRDs refuse an object, or none if they accept it. */
function refusals(crds: string, object: Manifest): readonly Refusal[] {
  const { taken = [], refused = {} } = verdicts.get(digestOf(object)) ?? {};
  if (taken.includes(crds)) return [];
  const why = refused[crds];
  if (why) return why;
  throw new Error(
    `${object.kind} "${object.metadata?.name}" has not been held against the CRDs of ${crds} as it is now. If it ought to have changed, have oracle/crds judge it: oracle/README.md, "CRDs".`,
  );
}

/** Expects that the CRDs of a product and version, such as `kserve-v0.17.0`, accept all of these objects, at least one. */
export function expectTaken(crds: string, objects: readonly Manifest[]): void {
  expect(objects).not.toEqual([]);
  if (QUESTIONS) return objects.forEach((object) => ask({ digest: digestOf(object), object }));
  expect(objects.map((object) => [object.metadata?.name, refusals(crds, object)])).toEqual(
    objects.map((object) => [object.metadata?.name, []]),
  );
}

/** Expects that the CRDs refuse this object for these reasons. */
export function expectRefused(crds: string, object: Manifest, reasons: readonly Refusal[]): void {
  if (QUESTIONS) return ask({ digest: digestOf(object), object });
  expect(refusals(crds, object)).toEqual(reasons);
}

interface FieldNames {
  readonly crds: string;
  readonly kind: string;
  readonly path: string;
  readonly fields: readonly string[];
}

/** Fields that only one of the two knows. */
function differences(path: string, known: readonly string[], inCrd: readonly string[]): string[] {
  return [
    ...known.filter((field) => !inCrd.includes(field)).map((field) => `${path}.${field} is not in the CRD`),
    ...inCrd.filter((field) => !known.includes(field)).map((field) => `${path}.${field} is not known`),
  ];
}

/**
 * Expects that our fields, by the path of the map that contains them, only differ from those of a CRD in these.
 *
 * @param kind with its API version: `fleet.cattle.io/v1alpha1 Bundle`
 */
export function expectFields(crds: string, kind: string, known: ReadonlyMap<string, readonly string[]>, expected: readonly string[]): void {
  const [apiVersion, name] = kind.split(' ');
  if (QUESTIONS) return ask({ apiVersion, kind: name, fieldsOf: [...known.keys()] });
  const named = (recorded('crd-fields') as readonly FieldNames[]).filter((entry) => entry.crds === crds && entry.kind === name);
  const inCrd = new Map(named.map(({ path, fields }) => [path, fields]));
  expect([...known.keys()].filter((path) => !inCrd.has(path))).toEqual([]);
  expect([...known].flatMap(([path, fields]) => differences(path, fields, inCrd.get(path)!)).toSorted()).toEqual(expected);
}

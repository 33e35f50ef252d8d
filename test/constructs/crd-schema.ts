import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import type { ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { isFields, listAt, valueAt } from '../../src/core/manifest';
import type { Fields, Manifest } from '../../src/core/manifest';

const crds = path.resolve(__dirname, '../../../shared/crds');

/** Are the upstream CRDs at hand? They are not part of the repository. */
export const haveCrds = existsSync(crds);

/**
 * The part of a structural schema that some of the values reach, with fields that the schema doesn't know refused.
 *
 * The whole InferenceService takes seconds to compile; what no value reaches can't refuse anything.
 */
function reached(schema: Fields, values: readonly unknown[]): Fields {
  const maps = values.filter(isFields);
  const result: Record<string, unknown> = { ...schema };
  // Kubernetes takes nullable beside int-or-string, which has no type; Ajv refuses the schema.
  if (schema.type === undefined) delete result.nullable;
  if (isFields(schema.properties)) {
    const known = Object.entries(schema.properties).filter(([field]) => maps.some((map) => field in map));
    result.properties = Object.fromEntries(
      known.map(([field, inner]) => [
        field,
        reached(
          inner as Fields,
          maps.map((map) => map[field]),
        ),
      ]),
    );
    if (schema['x-kubernetes-preserve-unknown-fields'] !== true && schema.additionalProperties === undefined)
      result.additionalProperties = false;
  }
  if (isFields(schema.items))
    result.items = reached(
      schema.items,
      values.flatMap((value) => (Array.isArray(value) ? value : [])),
    );
  return result;
}

/**
 * A check of custom resources against a CRD; `examples` are the objects that it will be asked about.
 *
 * @param folder of the CRDs, by product and version: `kserve-v0.17.0`
 */
export function customResourceCheck(folder: string, file: string, version: string, examples: readonly Manifest[]): ValidateFunction {
  const documents = parseAllDocuments(readFileSync(path.join(crds, folder, file), 'utf8')).map((document) => document.toJS() as unknown);
  const crd = documents.find((document) => valueAt(document, 'spec', 'names', 'kind') === examples[0]?.kind);
  const served = listAt(crd, 'spec', 'versions').find((entry) => valueAt(entry, 'name') === version);
  const schema = valueAt(served, 'schema', 'openAPIV3Schema') as Fields;
  return new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(reached(schema, examples));
}

/** A check of InferenceServices against the CRD of a KServe version. */
export function inferenceServiceCheck(version: string, examples: readonly Manifest[]): ValidateFunction {
  return customResourceCheck(`kserve-${version}`, 'inferenceservices.yaml', 'v1beta1', examples);
}

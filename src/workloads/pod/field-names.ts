import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';
import { defineStruct } from './field';
import { POD_SPEC } from './pod-spec';

const POD = defineStruct(POD_SPEC);

/**
 * Reports misspelled fields of a pod in a custom resource. Its definition has the fields of one version of Kubernetes, which is not known, so a
 * field that is like no known one may be of a later version.
 *
 * @param schema schema of the pod. @default - that of Kubernetes
 */
export function checkPodFieldNames(podSpec: unknown, path: FieldPath, schema: FieldSchema = POD): Finding[] {
  return createUnknownFieldFindings(findSchemaProblems(podSpec, schema, path)).filter(({ data }) => data.nearest !== undefined);
}

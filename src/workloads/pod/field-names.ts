import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';
import { defineStruct } from './field';
import { POD_SPEC } from './pod-spec';

const POD = defineStruct(POD_SPEC);

/** Reports whether a field of a custom resource is in a template of pods or claims, so that it depends on the version of Kubernetes. */
export function isInTemplate(path: string): boolean {
  return /[tT]emplates?(?:\[\d+\])?\.(?:metadata|spec|status)\b/.test(path);
}

/**
 * Leaves out findings about fields in templates that are like no known one. The definition of a custom resource has the fields of one version of
 * Kubernetes, which is not known, so it may have them.
 */
export function excludeUncertainFields(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ path, data }) => !isInTemplate(path) || data.nearest !== undefined);
}

/**
 * Reports misspelled fields of a pod in a custom resource. Its definition has the fields of one version of Kubernetes, which is not known, so a
 * field that is like no known one may be of a later version.
 *
 * @param schema schema of the pod. @default - that of Kubernetes
 */
export function checkPodFieldNames(podSpec: unknown, path: FieldPath, schema: FieldSchema = POD): Finding[] {
  return createUnknownFieldFindings(findSchemaProblems(podSpec, schema, path)).filter(({ data }) => data.nearest !== undefined);
}

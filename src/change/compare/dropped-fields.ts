import type { Finding } from '../../core/findings/finding';
import { capFindingsPerRule } from '../../core/findings/finding-limits';
import { objectReferenceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createDroppedFieldFindings } from '../../core/rules/unknown-field';
import type { Versions } from '../../core/values/versions';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { workloadKindOf } from '../../workloads/kinds';
import type { PlanInput } from '../../plan/plan-input';
import { findDecodingProblems } from '../apiserver/decoding-errors';
import { checkCustomResourceFields } from './custom-resource-fields';

/**
 * Reports the fields that the API server does not know, of a custom resource with known fields, or of an object of a validated kind that is no
 * workload: the plan of a workload reports its own. kubectl ignores a null.
 */
export function checkDroppedFields(
  object: Manifest,
  versions: Versions,
  input: Pick<PlanInput, 'locate' | 'listUnknownFields' | 'definitions'>,
): Finding[] {
  if (workloadKindOf(object) || isFleetYaml(object)) return [];
  const problems = findDecodingProblems(object, versions).filter(({ value }) => value !== null);
  const dropped = createDroppedFieldFindings(problems, 'kubernetes', versions.kubernetes);
  const ofCustomResource = checkCustomResourceFields(object, versions, input);
  return capFindingsPerRule([...dropped, ...ofCustomResource]).map((finding) => {
    const source = input.locate?.(object, finding.path);
    return { ...finding, object: objectReferenceOf(object), ...(source && { source }) };
  });
}

import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { collectTemplateFindings } from '../../workloads/leader-worker-set/templates';
import type { TemplateValidation } from '../../workloads/leader-worker-set/templates';
import { fillPod } from '../../workloads/pod/fill-pod';
import { validateWorkloadPod } from '../../workloads/workload-validation';
import type { LlmComponent } from './components';
import { reportLlmTemplateRefused } from './rules/llm-template-refused';

function validatePod(pod: Fields, path: FieldPath, members: TemplateValidation['members'], kubernetesVersion: string): TemplateValidation {
  // KServe merges the presets with the object by container and volume name; the object takes precedence.
  // Source: kserve pkg/controller/v1alpha2/llmisvc/config_merge.go, `MergeSpecs`.
  const findings = validateWorkloadPod(fillPod(pod), kubernetesVersion, path);
  return { path, members, isRejected: findings.some(({ severity }) => severity === 'error'), findings };
}

/** Validates the pods of a component like the API server, the leader's pod first. */
export function validateLlmPods(
  { path, spec, template, templatePath, groupSize }: LlmComponent,
  kubernetesVersion: string,
): readonly TemplateValidation[] {
  const leader = validatePod(template, templatePath, 'leaders', kubernetesVersion);
  if (groupSize === undefined || groupSize === 1) return [leader];
  return [leader, validatePod(getFieldsAt(spec, 'worker'), toFieldPath`${path}.worker`, 'workers', kubernetesVersion)];
}

/** Returns the findings about the pods of a component, with the outcome and its reason. */
export function collectLlmPodFindings({ groupSize, objectName }: LlmComponent, validations: readonly TemplateValidation[]): Finding[] {
  if (groupSize !== undefined) return collectTemplateFindings(validations);
  return validations.flatMap(({ path, isRejected, findings }) =>
    isRejected ? [reportLlmTemplateRefused(path, objectName), ...findings] : findings,
  );
}

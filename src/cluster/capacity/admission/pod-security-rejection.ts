import { getFieldsAt } from '../../../core/manifest/manifest';
import { NANOS_PER_UNIT } from '../../../core/values/quantity';
import { computeResourceUse } from '../limits';
import type { ResourceLimit } from '../limits';
import type { AdmissionRejection } from '../../rejections/admission-rejection';
import { getNamespaceLabels } from '../nodes/scheduling';
import type { PlanContext } from '../../context/context';
import type { PodSet } from '../../rollout/pod-set';
import { evaluatePodSecurity, formatPodSecurityMessage, readEnforcedLevel, resolvePolicyVersion } from '../../pod-security/evaluate-pod';

/** Why Pod Security admission refuses every new pod of a template. */
export type PodSecurityRejection = Extract<AdmissionRejection, { readonly kind: 'pod-security' }>;

/** Returns why the namespace of a template refuses its pods; undefined if it does not, or if the Namespace is not in the input. */
export function findPodSecurityRejection(
  { template, namespace = 'default', countOnly }: Pick<PodSet, 'template' | 'namespace' | 'countOnly'>,
  context: PlanContext,
): PodSecurityRejection | undefined {
  if (countOnly) return undefined;
  const labels = getNamespaceLabels(namespace, context);
  const enforced = labels && readEnforcedLevel(labels);
  if (!enforced || enforced.level === 'privileged' || Object.keys(getFieldsAt(template, 'spec')).length === 0) return undefined;
  const violations = evaluatePodSecurity(template, enforced.level, resolvePolicyVersion(enforced, context.versions.kubernetes));
  const [first] = violations;
  if (!first) return undefined;
  return {
    kind: 'pod-security',
    namespace,
    level: enforced.level,
    words: formatPodSecurityMessage(enforced, violations),
    field: first.field,
  };
}

/** Returns the namespaces that refuse every new pod of a set, each as a limit on that set. */
export function findPodSecurityRejections(podSets: readonly PodSet[], context: PlanContext): ResourceLimit[] {
  return podSets.flatMap((podSet): ResourceLimit[] => {
    const rejection = findPodSecurityRejection(podSet, context);
    if (!rejection) return [];
    const use = computeResourceUse([podSet], () => NANOS_PER_UNIT);
    return [
      {
        kind: 'quota',
        name: `Namespace "${rejection.namespace}"`,
        resource: 'pods',
        total: 0n,
        ...use,
        refusesPods: true,
        rejection,
      },
    ];
  });
}

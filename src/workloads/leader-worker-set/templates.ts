import type { PlanContext } from '../../cluster/context/context';
import { listContainersAt } from '../../cluster/rollout/located-template';
import type { LocatedTemplate } from '../../cluster/rollout/located-template';
import { serviceNameOf } from '../../cluster/services/service-of-pods';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { Fields } from '../../core/manifest/manifest';
import type { GroupMembers, LeaderWorkerSet } from './leader-worker-set';
import { reportTemplateRefused } from './rules/template-refused';
import { getClaimTemplateTraits } from '../statefulset/claims';
import { validateWorkloadTemplate } from '../workload-validation';

/** Returns each template once. A leader without a template of its own uses that of the workers. */
function templatesOf({ members }: Pick<LeaderWorkerSet, 'members'>): readonly GroupMembers[] {
  return members.filter(({ path }, index) => members.findIndex((other) => other.path === path) === index);
}

/** The API server's verdict on the StatefulSet that the controller creates from a template. */
export interface TemplateValidation {
  readonly path: FieldPath;
  readonly members: 'leaders' | 'workers';
  readonly isRejected: boolean;
  /** The reasons for the refusal, and the dropped fields. */
  readonly findings: readonly Finding[];
}

/**
 * Validates the StatefulSets that the controller creates from the templates.
 *
 * The CRD checks only the types of the fields.
 * Source: lws pkg/controllers/leaderworkerset_controller.go, `constructLeaderStatefulSetApplyConfiguration`;
 * for the workers pod_controller.go, `constructWorkerStatefulSetApplyConfiguration`.
 *
 * @param leaderWorkerTemplate the object with the claim templates, without dropped fields
 */
export function validateGroupTemplates(
  set: Pick<LeaderWorkerSet, 'members'>,
  leaderWorkerTemplate: Fields,
  kubernetesVersion: string,
): readonly TemplateValidation[] {
  const traits = getClaimTemplateTraits(leaderWorkerTemplate);
  return templatesOf(set).map(({ path, template }, index) => {
    const findings = validateWorkloadTemplate(template, kubernetesVersion, path, traits);
    return {
      path,
      members: index === 0 ? 'leaders' : 'workers',
      isRejected: findings.some(({ severity }) => severity === 'error'),
      findings,
    };
  });
}

/** Finds the pods of a group that can't be created, if any. Without leaders there are no workers either. */
export function findRejectedPods(validations: readonly TemplateValidation[]): TemplateValidation['members'] | undefined {
  return validations.find(({ isRejected }) => isRejected)?.members;
}

/**
 * Collects the findings of the templates, and reports the effect of refused ones on their groups.
 *
 * @param role the role of the groups, in a DisaggregatedSet
 */
export function collectTemplateFindings(validations: readonly TemplateValidation[], role?: string): Finding[] {
  return validations.flatMap(({ path, members, isRejected, findings }) =>
    isRejected ? [reportTemplateRefused(path, members, role), ...findings] : findings,
  );
}

/** Groups, and the lowest number that is available during a rollout. */
type AvailableGroups = Pick<LeaderWorkerSet, 'members' | 'namespace' | 'replicas'> & { readonly minAvailable: number };

/** Returns the templates of groups for the rules about pods. No step waits for a single group that is replaced in place. */
export function locateGroupTemplates(groups: AvailableGroups, context: PlanContext): LocatedTemplate[] {
  const { namespace, replicas, minAvailable } = groups;
  return templatesOf(groups).map(({ template, path }) => {
    const podPath = toFieldPath`${path}.spec`;
    const service = serviceNameOf({ ...(namespace !== undefined && { namespace }), replicas, template }, context);
    return {
      template,
      podPath,
      containers: listContainersAt(template.spec, podPath),
      metadata: [{ value: template.metadata, path: toFieldPath`${path}.metadata` }],
      ...(service !== undefined && { service }),
      awaitsReadiness: replicas > 1 || (replicas === 1 && minAvailable > 0),
    };
  });
}

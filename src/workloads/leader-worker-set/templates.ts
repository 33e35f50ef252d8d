import type { PlanContext } from '../../cluster/context';
import { serviceNameOf } from '../../cluster/services';
import { toFieldPath, appendToPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { getListAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { GroupMembers, LeaderWorkerSet } from './leader-worker-set';
import { checkPodProbes } from '../rules/no-readiness-probe';
import { reportTemplateRefused } from './rules/template-refused';
import { getClaimTemplateTraits } from '../statefulset/claims';
import { validateWorkloadTemplate } from '../workload-validation';

/** Each template once: without a template of its own the leader has that of the workers. */
function templatesOf({ members }: Pick<LeaderWorkerSet, 'members'>): readonly GroupMembers[] {
  return members.filter(({ path }, index) => members.findIndex((other) => other.path === path) === index);
}

/** What the API server says of a StatefulSet that the controller makes of a template. */
export interface TemplateValidation {
  readonly path: FieldPath;
  readonly members: 'leaders' | 'workers';
  readonly isRejected: boolean;
  /** Why, and what it drops. */
  readonly findings: readonly Finding[];
}

/**
 * The API server's verdicts on the StatefulSets that the controller makes of the templates.
 *
 * The CRD looks at the types of the fields alone. Source: lws pkg/controllers/leaderworkerset_controller.go, `constructLeaderStatefulSetApplyConfiguration`;
 * of the workers pod_controller.go, `constructWorkerStatefulSetApplyConfiguration`.
 *
 * @param leaderWorkerTemplate what holds the claim templates, without what is dropped of it
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

/** Which pods of a group can't be made, if any; without leaders there are no workers either. */
export function findRejectedPods(validations: readonly TemplateValidation[]): TemplateValidation['members'] | undefined {
  return validations.find(({ isRejected }) => isRejected)?.members;
}

/**
 * What becomes of groups by the verdicts on their templates, and why.
 *
 * @param role whose groups they are, in a DisaggregatedSet
 */
export function collectTemplateFindings(validations: readonly TemplateValidation[], role?: string): Finding[] {
  return validations.flatMap(({ path, members, isRejected, findings }) =>
    isRejected ? [reportTemplateRefused(path, members, role), ...findings] : findings,
  );
}

/** Groups, and how few of them a rollout leaves available. */
type ProbedGroups = Pick<LeaderWorkerSet, 'members' | 'namespace' | 'replicas'> & { readonly minAvailable: number };

/** Which pods nobody probes whose being ready somebody goes by; a single group that is replaced in place is waited for by nothing. */
export function checkGroupProbes(groups: ProbedGroups, context: PlanContext): Finding[] {
  const { namespace, replicas, minAvailable } = groups;
  if (replicas === 0 || (replicas === 1 && minAvailable === 0)) return [];
  return templatesOf(groups).flatMap(({ template, path }) => {
    const service = serviceNameOf({ ...(namespace !== undefined && { namespace }), replicas, template }, context);
    const containers = getListAt(template, 'spec', 'containers').map((value, index) => ({
      value,
      path: appendToPath(toFieldPath`${path}.spec.containers`, index),
    }));
    return checkPodProbes({ containers, workload: { template }, ...(service !== undefined && { service }) });
  });
}

import type { PlanContext } from '../../cluster/context';
import { serviceOf } from '../../cluster/services';
import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { GroupMembers, LeaderWorkerSet } from './leader-worker-set';
import { unprobedFindings } from '../rules/no-readiness-probe';
import { templateRefusedFinding } from './rules/template-refused';
import { claimTemplateTraits } from '../statefulset/claims';
import { workloadTemplateFindings } from '../workload-validation';

/** Each template once: without a template of its own the leader has that of the workers. */
function templatesOf({ members }: Pick<LeaderWorkerSet, 'members'>): readonly GroupMembers[] {
  return members.filter(({ path }, index) => members.findIndex((other) => other.path === path) === index);
}

/** What the API server says of a StatefulSet that the controller makes of a template. */
export interface JudgedTemplate {
  readonly path: FieldPath;
  readonly of: 'leaders' | 'workers';
  readonly isRefused: boolean;
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
export function judgedTemplates(
  set: Pick<LeaderWorkerSet, 'members'>,
  leaderWorkerTemplate: Fields,
  kubernetesVersion: string,
): readonly JudgedTemplate[] {
  const traits = claimTemplateTraits(leaderWorkerTemplate);
  return templatesOf(set).map(({ path, template }, index) => {
    const findings = workloadTemplateFindings(template, kubernetesVersion, path, traits);
    return { path, of: index === 0 ? 'leaders' : 'workers', isRefused: findings.some(({ severity }) => severity === 'error'), findings };
  });
}

/** Which pods of a group can't be made, if any; without leaders there are no workers either. */
export function refusedPods(judged: readonly JudgedTemplate[]): JudgedTemplate['of'] | undefined {
  return judged.find(({ isRefused }) => isRefused)?.of;
}

/**
 * What becomes of groups by the verdicts on their templates, and why.
 *
 * @param role whose groups they are, in a DisaggregatedSet
 */
export function templateFindings(judged: readonly JudgedTemplate[], role?: string): Finding[] {
  return judged.flatMap(({ path, of, isRefused, findings }) =>
    isRefused ? [templateRefusedFinding(path, of, role), ...findings] : findings,
  );
}

/** Groups, and how few of them a rollout leaves available. */
type GroupsAtRest = Pick<LeaderWorkerSet, 'members' | 'namespace' | 'replicas'> & { readonly minAvailable: number };

/** Which pods nobody probes whose being ready somebody goes by; a single group that is replaced in place is waited for by nothing. */
export function probeFindings(groups: GroupsAtRest, context: PlanContext): Finding[] {
  const { namespace, replicas, minAvailable } = groups;
  if (replicas === 0 || (replicas === 1 && minAvailable === 0)) return [];
  return templatesOf(groups).flatMap(({ template, path }) => {
    const service = serviceOf({ ...(namespace !== undefined && { namespace }), replicas, template }, context);
    const containers = listAt(template, 'spec', 'containers').map((value, index) => ({
      value,
      path: childPath(at`${path}.spec.containers`, index),
    }));
    return unprobedFindings({ containers, workload: { template }, ...(service !== undefined && { service }) });
  });
}

import { intOrPercentFindings } from '../../cluster/refusals';
import { negativeFindings } from '../../cluster/rules/invalid-strategy';
import type { PlanContext } from '../../cluster/context';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, listAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { STRING, listOf, map, needed, whole } from '../../core/schema';
import { droppedFindings, keptObject, mistypedFindings, setProblems } from '../../workloads/leader-worker-set/problems';
import { GROUPS_SPEC, objectOf } from '../../workloads/leader-worker-set/spec';
import { judgedTemplates, templateFindings } from '../../workloads/leader-worker-set/templates';
import { struct } from '../../workloads/pod/field';
import { OBJECT_META } from '../../workloads/pod/object-meta';
import { sizeFindings } from '../../workloads/leader-worker-set/rules/invalid-set';
import { readDisaggregatedSet } from './disaggregated-set';
import type { Role } from './disaggregated-set';
import { invalidRolesFindings } from './rules/invalid-roles';
import { roleNameFindings, roleSpecFinding } from './rules/role-refused';

/** Source: lws api/disaggregatedset/v1/disaggregatedset_types.go, 0.9.0. */
const DISAGGREGATED_SET = objectOf(
  needed(whole(map({ roles: needed(whole(listOf({ name: STRING, metadata: struct(OBJECT_META), spec: GROUPS_SPEC }))) }))),
);

function limitFindings(object: Manifest): Finding[] {
  return listAt(object, 'spec', 'roles').flatMap((role, index) => {
    const path = at`spec.roles[${index}].spec`;
    const limits = fieldsAt(role, 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration');
    return [
      ...negativeFindings({ path: at`${path}.replicas`, value: fieldsAt(role, 'spec').replicas }),
      ...(['maxSurge', 'maxUnavailable'] as const).flatMap((field) =>
        intOrPercentFindings(
          { path: at`${path}.rolloutStrategy.rollingUpdateConfiguration.${field}`, value: limits[field] },
          'at most 100%',
        ),
      ),
    ];
  });
}

/** What becomes of a role of an object that is stored. */
export interface RoleVerdict {
  readonly role: Role;
  /** Does the webhook refuse every LeaderWorkerSet that is made of it? */
  readonly isRefused: boolean;
  /** Does the API server refuse a StatefulSet of its LeaderWorkerSet? */
  readonly isBroken: boolean;
  readonly findings: readonly Finding[];
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

/** What becomes of the LeaderWorkerSets of the roles of an object that is stored. */
export function roleVerdicts(object: Manifest, { versions }: Pick<PlanContext, 'versions'>): readonly RoleVerdict[] {
  const kept = keptObject(object, setProblems(object, DISAGGREGATED_SET, versions));
  const specs = listAt(kept, 'spec', 'roles').map((role) => fieldsAt(role, 'spec'));
  const { name, roles } = readDisaggregatedSet(kept);
  return roles.map((role, index) => {
    const spec = specs[index]!;
    const sizes = sizeFindings(spec, at`${role.path}.spec`);
    const refused = [...(sizes.length > 0 ? [roleSpecFinding(role), ...sizes] : []), ...roleNameFindings(name, role)];
    const broken = templateFindings(judgedTemplates(role, fieldsAt(spec, 'leaderWorkerTemplate'), versions.kubernetes), role.name);
    return { role, isRefused: refused.length > 0, isBroken: broken.some(isError), findings: [...refused, ...broken] };
  });
}

/** Everything that is refused of a DisaggregatedSet as far as its rollout goes, and what is dropped. */
export function disaggregatedSetFindings(object: Manifest, { versions }: Pick<PlanContext, 'versions'>): Finding[] {
  const problems = setProblems(object, DISAGGREGATED_SET, versions);
  const mistyped = mistypedFindings(problems);
  const refused = mistyped.length > 0 ? mistyped : [...limitFindings(object), ...invalidRolesFindings(object)];
  return [...refused, ...droppedFindings(problems, versions)];
}

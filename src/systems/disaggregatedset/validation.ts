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
import { readDisaggregatedSet } from './disaggregated-set';
import { invalidRolesFindings } from './rules/invalid-roles';

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

/** Why the LeaderWorkerSets of the roles of an object that is stored can make no StatefulSets of their templates. */
export function templateRefusals(object: Manifest, { versions }: Pick<PlanContext, 'versions'>): Finding[] {
  const kept = keptObject(object, setProblems(object, DISAGGREGATED_SET, versions));
  const specs = listAt(kept, 'spec', 'roles').map((role) => fieldsAt(role, 'spec', 'leaderWorkerTemplate'));
  return readDisaggregatedSet(kept).roles.flatMap((role, index) =>
    templateFindings(judgedTemplates(role, specs[index]!, versions.kubernetes), role.name),
  );
}

/** Everything that is refused of a DisaggregatedSet as far as its rollout goes, and what is dropped. */
export function disaggregatedSetFindings(object: Manifest, { versions }: Pick<PlanContext, 'versions'>): Finding[] {
  const problems = setProblems(object, DISAGGREGATED_SET, versions);
  const mistyped = mistypedFindings(problems);
  const refused = mistyped.length > 0 ? mistyped : [...limitFindings(object), ...invalidRolesFindings(object)];
  return [...refused, ...droppedFindings(problems, versions)];
}

import { intOrPercentFindings, typeFindings } from '../../cluster/refusals';
import { negativeFindings } from '../../cluster/rules/invalid-strategy';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, listAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { INT32, INT_OR_PERCENT, MAP, METADATA, STRING, listOf, map, needed } from '../../core/schema';
import { invalidRolesFindings } from './rules/invalid-roles';

const LIMITS = map({ partition: INT32, maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT });

const ROLE_SPEC = map({
  replicas: INT32,
  leaderWorkerTemplate: needed(map({ size: INT32, leaderTemplate: MAP, workerTemplate: needed(MAP) })),
  rolloutStrategy: map({ type: STRING, rollingUpdateConfiguration: LIMITS }),
});

const OBJECT = map({
  metadata: METADATA,
  spec: needed(map({ roles: needed(listOf({ name: STRING, metadata: METADATA, spec: needed(ROLE_SPEC) })) })),
});

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

/** Everything that is refused of a DisaggregatedSet as far as its rollout goes. */
export function disaggregatedSetFindings(object: Manifest): Finding[] {
  const typed = typeFindings(object, OBJECT);
  return typed.length > 0 ? typed : [...limitFindings(object), ...invalidRolesFindings(object)];
}

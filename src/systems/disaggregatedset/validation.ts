import { checkIntOrPercent } from '../../cluster/rules/type-errors';
import { checkNonNegative } from '../../cluster/rules/invalid-strategy';
import type { PlanContext } from '../../cluster/context/context';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, getListAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { INT32, STRING, defineList, defineMap, requireNonNull, closeSchema } from '../../core/values/schema';
import {
  reportDroppedFields,
  dropDisabledLwsFields,
  reportWrongTypes,
  listLwsSchemaProblems,
} from '../../workloads/leader-worker-set/schema-findings';
import { GROUPS_SPEC, defineObjectSchema } from '../../workloads/leader-worker-set/spec';
import { validateGroupTemplates, collectTemplateFindings } from '../../workloads/leader-worker-set/templates';
import { requireWholeQuantities } from '../../workloads/pod/custom-resource-fields';
import { defineStruct } from '../../workloads/pod/field';
import { excludeUncertainFields } from '../../workloads/pod/field-names';
import { OBJECT_META } from '../../workloads/pod/object-meta';
import { getLwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { validateGroupSizes, validateSubGroupAnnotation } from '../../workloads/leader-worker-set/rules/invalid-set';
import { readDisaggregatedSet } from './disaggregated-set';
import type { ParsedRole } from './disaggregated-set';
import { checkInvalidRoles } from './rules/invalid-roles';
import { checkRoleName, createRoleSpecFinding } from './rules/role-refused';

/**
 * Source: lws api/disaggregatedset/v1/disaggregatedset_types.go, 0.9.0 and 0.10.0. Unlike a LeaderWorkerSet it has no mutating webhook
 * (config/webhook/manifests.yaml), so its CRD decides about quantities.
 */
const DISAGGREGATED_SET_SCHEMA = defineObjectSchema(
  requireNonNull(
    closeSchema(
      defineMap({
        roles: requireNonNull(
          closeSchema(
            defineList({
              name: STRING,
              metadata: defineStruct(OBJECT_META),
              spec: requireWholeQuantities(GROUPS_SPEC),
              scaling: { ...closeSchema(defineMap({ mode: STRING })), since: '0.10' },
            }),
          ),
        ),
        slices: { ...INT32, since: '0.10' },
        placementPolicy: { ...closeSchema(defineMap({ type: STRING, topology: STRING })), since: '0.10' },
      }),
    ),
  ),
);

function checkRoleLimits(object: Manifest): Finding[] {
  return getListAt(object, 'spec', 'roles').flatMap((role, index) => {
    const path = toFieldPath`spec.roles[${index}].spec`;
    const limits = getFieldsAt(role, 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration');
    return [
      ...checkNonNegative({ path: toFieldPath`${path}.replicas`, value: getFieldsAt(role, 'spec').replicas }),
      ...(['maxSurge', 'maxUnavailable'] as const).flatMap((field) =>
        checkIntOrPercent(
          { path: toFieldPath`${path}.rolloutStrategy.rollingUpdateConfiguration.${field}`, value: limits[field] },
          'at most 100%',
        ),
      ),
    ];
  });
}

/** The validation of a role of an object that is stored. */
export interface RoleValidation {
  readonly role: ParsedRole;
  /** Whether the webhook refuses every LeaderWorkerSet of the role. */
  readonly isRefused: boolean;
  /** Whether the API server refuses a StatefulSet of its LeaderWorkerSet. */
  readonly isBroken: boolean;
  readonly findings: readonly Finding[];
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

/** Returns an object without the fields that the API server drops. */
export function pruneDisaggregatedSet(object: Manifest, { versions }: Pick<PlanContext, 'versions'>): Manifest {
  return dropDisabledLwsFields(object, listLwsSchemaProblems(object, DISAGGREGATED_SET_SCHEMA, versions));
}

/** Validates the LeaderWorkerSets of the roles of an object that is stored. */
export function validateRoles(object: Manifest, { versions }: Pick<PlanContext, 'versions'>): readonly RoleValidation[] {
  const pruned = pruneDisaggregatedSet(object, { versions });
  const specs = getListAt(pruned, 'spec', 'roles').map((role) => getFieldsAt(role, 'spec'));
  const { name, roles } = readDisaggregatedSet(pruned);
  return roles.map((role, index) => {
    const spec = specs[index]!;
    const sizes = [
      ...validateGroupSizes(spec, toFieldPath`${role.path}.spec`),
      ...validateSubGroupAnnotation(getFieldsAt(pruned, 'spec', 'roles', index), role.path),
    ];
    const rejections = [...(sizes.length > 0 ? [createRoleSpecFinding(role), ...sizes] : []), ...checkRoleName(name, role)];
    const broken = collectTemplateFindings(
      validateGroupTemplates(role, getFieldsAt(spec, 'leaderWorkerTemplate'), versions.kubernetes),
      role.name,
    );
    return { role, isRefused: rejections.length > 0, isBroken: broken.some(isError), findings: [...rejections, ...broken] };
  });
}

/** Reports the fields of a DisaggregatedSet that its definition certainly lacks. */
export function checkDisaggregatedFields(object: Manifest, versions: PlanContext['versions']): Finding[] {
  return excludeUncertainFields(reportDroppedFields(listLwsSchemaProblems(object, DISAGGREGATED_SET_SCHEMA, versions), versions));
}

/** Reports everything in a DisaggregatedSet that is refused or dropped and affects its rollout. */
export function checkDisaggregatedSet(object: Manifest, { versions }: Pick<PlanContext, 'versions'>): Finding[] {
  const problems = listLwsSchemaProblems(object, DISAGGREGATED_SET_SCHEMA, versions);
  const mistyped = reportWrongTypes(problems);
  const rejections =
    mistyped.length > 0 ? mistyped : [...checkRoleLimits(object), ...checkInvalidRoles(object, getLwsBehaviour(versions.lws))];
  return [...rejections, ...reportDroppedFields(problems, versions)];
}

import { checkIntOrPercent } from '../../cluster/rules/type-errors';
import { checkNonNegative } from '../../cluster/rules/invalid-strategy';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { SchemaProblem } from '../../core/values/schema';
import type { PlanContext } from '../../cluster/context/context';
import {
  reportDroppedFields,
  dropDisabledLwsFields,
  reportWrongTypes,
  listLwsSchemaProblems,
} from '../../workloads/leader-worker-set/schema-findings';
import type { LwsFieldVersions } from '../../workloads/leader-worker-set/schema-findings';
import { GROUPS_SPEC, defineObjectSchema } from '../../workloads/leader-worker-set/spec';
import { LWS_CONFIGURATION_PATH } from '../../workloads/leader-worker-set/strategy';
import type { TemplateValidation } from '../../workloads/leader-worker-set/templates';
import { validateGroupTemplates } from '../../workloads/leader-worker-set/templates';
import { getLwsBehaviour } from '../../workloads/leader-worker-set/versions';
import type { LwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { excludeUncertainFields } from '../../workloads/pod/field-names';
import { readLeaderWorkerSet } from './leader-worker-set';
import { checkBothLimitsZero } from './rules/both-limits-zero';
import { checkInvalidSet } from '../../workloads/leader-worker-set/rules/invalid-set';

function checkSetLimits(object: Manifest, { validatesPartition }: LwsBehaviour): Finding[] {
  const { maxSurge, maxUnavailable, partition } = getFieldsAt(object, 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration');
  return [
    ...checkIntOrPercent({ path: toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, value: maxUnavailable }, 'at most 100%'),
    ...checkIntOrPercent({ path: toFieldPath`${LWS_CONFIGURATION_PATH}.maxSurge`, value: maxSurge }, 'at most 100%'),
    ...(validatesPartition ? checkNonNegative({ path: toFieldPath`${LWS_CONFIGURATION_PATH}.partition`, value: partition }) : []),
  ];
}

const LEADER_WORKER_SET_SCHEMA = defineObjectSchema(GROUPS_SPEC);

/** Reports everything that the CRD and the webhook refuse or drop, except limits that both resolve to 0. */
function checkSetObject(object: Manifest, problems: readonly SchemaProblem[], versions: LwsFieldVersions): Finding[] {
  return [
    ...reportWrongTypes(problems),
    ...checkNonNegative({ path: toFieldPath`spec.replicas`, value: getFieldsAt(object, 'spec').replicas }),
    ...checkSetLimits(object, getLwsBehaviour(versions.lws)),
    ...checkInvalidSet(object, getLwsBehaviour(versions.lws)),
    ...reportDroppedFields(problems, versions),
  ];
}

/** Reports the fields of a LeaderWorkerSet that its definition certainly lacks. */
export function checkSetFields(object: Manifest, versions: LwsFieldVersions): Finding[] {
  return excludeUncertainFields(reportDroppedFields(listLwsSchemaProblems(object, LEADER_WORKER_SET_SCHEMA, versions), versions));
}

/** Validates a LeaderWorkerSet, including limits that both resolve to 0 with its desired replicas. */
export function validateLeaderWorkerSet(object: Manifest, context: PlanContext): Finding[] {
  const findings = checkSetObject(object, listLwsSchemaProblems(object, LEADER_WORKER_SET_SCHEMA, context.versions), context.versions);
  if (findings.some(({ severity }) => severity === 'error')) return findings;
  const { strategy, limits } = readLeaderWorkerSet(object, context);
  return [...findings, ...checkBothLimitsZero(strategy, limits)];
}

/** Validates the templates of an object that is stored. */
export function validateSetTemplates(object: Manifest, context: PlanContext): readonly TemplateValidation[] {
  const pruned = dropDisabledLwsFields(object, listLwsSchemaProblems(object, LEADER_WORKER_SET_SCHEMA, context.versions));
  const template = getFieldsAt(pruned, 'spec', 'leaderWorkerTemplate');
  return validateGroupTemplates(readLeaderWorkerSet(pruned, context), template, context.versions.kubernetes);
}

/** Reports whether the API server refuses the StatefulSet of the leaders with the new template, so that it stays unchanged. */
export function isLeaderRejected(object: Manifest, context: PlanContext): boolean {
  return validateSetTemplates(object, context).some(({ members, isRejected }) => members === 'leaders' && isRejected);
}

import { buildTypeFinding } from '../../cluster/rules/type-errors';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createDroppedFieldFindings } from '../../core/rules/unknown-field';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { SchemaProblem } from '../../core/values/schema';
import type { Versions } from '../../core/values/versions';
import { excludeUncertainFields } from '../../workloads/pod/field-names';
import { findWorkloadProblems } from '../../workloads/workload-validation';
import type { WorkloadValidationSpec } from '../../workloads/workload-validation';
import { checkInvalidRollout } from './rules/invalid-rollout';
import { ARGO_STRATEGY_SCHEMA } from './schema';
import { resolveRolloutsBehaviour } from './versions';

function findStrategyProblems(rollout: Manifest, version: string): readonly SchemaProblem[] {
  return findSchemaProblems(getFieldsAt(rollout, 'spec').strategy, ARGO_STRATEGY_SCHEMA, toFieldPath`spec.strategy`, { version });
}

/** Reports every strategy field that the API server or the controller refuses, and every field that is dropped. */
export function validateArgoRollout(rollout: Manifest, versions: Versions): readonly Finding[] {
  const version = versions['argo-rollouts'];
  const problems = findStrategyProblems(rollout, version);
  const mistyped = filterProblems(problems, 'wrong-type').map((problem) => buildTypeFinding(problem));
  return [
    ...mistyped,
    ...createDroppedFieldFindings(problems, 'argo-rollouts', version),
    ...(mistyped.length > 0 ? [] : checkInvalidRollout(rollout, resolveRolloutsBehaviour(version))),
  ];
}

/** Reports the fields of a Rollout that its definition certainly lacks. */
export function checkRolloutFields(rollout: Manifest, rules: WorkloadValidationSpec, versions: Versions): readonly Finding[] {
  const { kubernetes, 'argo-rollouts': version } = versions;
  return excludeUncertainFields([
    ...createDroppedFieldFindings(findWorkloadProblems(rollout, rules, kubernetes), 'kubernetes', kubernetes),
    ...createDroppedFieldFindings(findStrategyProblems(rollout, version), 'argo-rollouts', version),
  ]);
}

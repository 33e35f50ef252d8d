import { buildTypeFinding } from '../../cluster/rules/type-errors';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createTooNewFieldFinding, createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { Versions } from '../../core/values/versions';
import { checkInvalidRollout } from './rules/invalid-rollout';
import { ARGO_STRATEGY_SCHEMA } from './schema';
import { resolveRolloutsBehaviour } from './versions';

/** Reports every strategy field that the API server or the controller refuses, and every field that is dropped. */
export function validateArgoRollout(rollout: Manifest, versions: Versions): readonly Finding[] {
  const version = versions['argo-rollouts'];
  const problems = findSchemaProblems(getFieldsAt(rollout, 'spec').strategy, ARGO_STRATEGY_SCHEMA, toFieldPath`spec.strategy`, { version });
  const mistyped = filterProblems(problems, 'wrong-type').map((problem) => buildTypeFinding(problem));
  return [
    ...mistyped,
    ...createUnknownFieldFindings(problems),
    ...filterProblems(problems, 'too-new').map((problem) => createTooNewFieldFinding(problem, 'argo-rollouts', version)),
    ...(mistyped.length > 0 ? [] : checkInvalidRollout(rollout, resolveRolloutsBehaviour(version))),
  ];
}

import { typeFinding } from '../../cluster/refusals';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { tooNewFinding, unknownFieldFinding } from '../../core/rules/unknown-field';
import { ofKind, schemaProblems } from '../../core/schema';
import type { Versions } from '../../core/versions';
import { rolloutFindings } from './rules/invalid-rollout';
import { STRATEGY_SCHEMA } from './schema';
import { rolloutsBehaviour } from './versions';

/** Everything of its strategy that the API server or the controller refuses, and what is dropped. */
export function rolloutRefusals(rollout: Manifest, versions: Versions): readonly Finding[] {
  const version = versions['argo-rollouts'];
  const problems = schemaProblems(fieldsAt(rollout, 'spec').strategy, STRATEGY_SCHEMA, at`spec.strategy`, { version });
  const mistyped = ofKind(problems, 'wrong-type').map((problem) => typeFinding(problem));
  return [
    ...mistyped,
    ...ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem)),
    ...ofKind(problems, 'too-new').map((problem) => tooNewFinding(problem, 'argo-rollouts', version)),
    ...(mistyped.length > 0 ? [] : rolloutFindings(rollout, rolloutsBehaviour(version))),
  ];
}

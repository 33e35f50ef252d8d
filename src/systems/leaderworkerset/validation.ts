import { intOrPercentFindings, typeFinding } from '../../cluster/refusals';
import { negativeFindings } from '../../cluster/rules/invalid-strategy';
import { WHOLE_OBJECT, at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { tooNewFinding, unknownFieldFinding } from '../../core/rules/unknown-field';
import { ofKind, schemaProblems } from '../../core/schema';
import type { SchemaProblem } from '../../core/schema';
import type { PlanContext } from '../../cluster/context';
import type { Versions } from '../../core/versions';
import { keptPart } from '../../workloads/pod/kept';
import { readLeaderWorkerSet } from './leader-worker-set';
import { templateFindings } from './templates';
import { bothZeroFindings } from './rules/both-limits-zero';
import { invalidSetFindings } from './rules/invalid-set';
import { LEADER_WORKER_SET } from './spec';
import { CONFIGURATION_PATH } from '../../workloads/leader-worker-set/strategy';
import { lwsBehaviour } from '../../workloads/leader-worker-set/versions';
import type { LwsBehaviour } from '../../workloads/leader-worker-set/versions';

function limitFindings(object: Manifest, { judgesPartition }: LwsBehaviour): Finding[] {
  const { maxSurge, maxUnavailable, partition } = fieldsAt(object, 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration');
  return [
    ...intOrPercentFindings({ path: at`${CONFIGURATION_PATH}.maxUnavailable`, value: maxUnavailable }, 'at most 100%'),
    ...intOrPercentFindings({ path: at`${CONFIGURATION_PATH}.maxSurge`, value: maxSurge }, 'at most 100%'),
    ...(judgesPartition ? negativeFindings({ path: at`${CONFIGURATION_PATH}.partition`, value: partition }) : []),
  ];
}

/** Of a set's pods Kubernetes' version decides which fields there are; of the set itself its own. */
function isOfPods({ path }: SchemaProblem): boolean {
  return /Template\.(?:metadata|spec)/.test(path);
}

type SetVersions = Pick<Versions, 'lws' | 'kubernetes'>;

function problemsOf(object: Manifest, versions: SetVersions): SchemaProblem[] {
  const ofSet = schemaProblems(object, LEADER_WORKER_SET, WHOLE_OBJECT, { version: versions.lws }).filter((problem) => !isOfPods(problem));
  const ofPods = schemaProblems(object, LEADER_WORKER_SET, WHOLE_OBJECT, { version: versions.kubernetes }).filter(isOfPods);
  return [...ofSet, ...ofPods];
}

/** Everything that the CRD and the webhook refuse but for limits that both come to nothing, and what they drop. */
function objectFindings(object: Manifest, problems: readonly SchemaProblem[], versions: SetVersions): Finding[] {
  return [
    ...ofKind(problems, 'wrong-type').map((problem) => typeFinding(problem)),
    ...negativeFindings({ path: at`spec.replicas`, value: fieldsAt(object, 'spec').replicas }),
    ...limitFindings(object, lwsBehaviour(versions.lws)),
    ...invalidSetFindings(object),
    ...ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem)),
    ...ofKind(problems, 'too-new').flatMap((problem) => (isOfPods(problem) ? [] : [tooNewFinding(problem, 'lws', versions.lws)])),
  ];
}

/** The same, limits that both come to nothing at the groups that are wanted, and templates of which no StatefulSet can be made. */
export function refusalsOf(object: Manifest, context: PlanContext): Finding[] {
  const problems = problemsOf(object, context.versions);
  const findings = objectFindings(object, problems, context.versions);
  if (findings.some(({ severity }) => severity === 'error')) return findings;
  const kept = keptPart(
    object,
    ofKind(problems, 'dropped', 'too-new', 'gone').map(({ path }) => path),
  );
  const set = readLeaderWorkerSet(kept, context);
  return [...findings, ...bothZeroFindings(set.strategy, set.limits), ...templateFindings(set, kept, context.versions.kubernetes)];
}

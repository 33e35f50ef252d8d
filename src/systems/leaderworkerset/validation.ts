import { intOrPercentFindings } from '../../cluster/refusals';
import { negativeFindings } from '../../cluster/rules/invalid-strategy';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { SchemaProblem } from '../../core/schema';
import type { PlanContext } from '../../cluster/context';
import { droppedFindings, keptObject, mistypedFindings, setProblems } from '../../workloads/leader-worker-set/problems';
import type { SetVersions } from '../../workloads/leader-worker-set/problems';
import { GROUPS_SPEC, objectOf } from '../../workloads/leader-worker-set/spec';
import { CONFIGURATION_PATH } from '../../workloads/leader-worker-set/strategy';
import type { JudgedTemplate } from '../../workloads/leader-worker-set/templates';
import { judgedTemplates } from '../../workloads/leader-worker-set/templates';
import { lwsBehaviour } from '../../workloads/leader-worker-set/versions';
import type { LwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { readLeaderWorkerSet } from './leader-worker-set';
import { bothZeroFindings } from './rules/both-limits-zero';
import { invalidSetFindings } from '../../workloads/leader-worker-set/rules/invalid-set';

function limitFindings(object: Manifest, { judgesPartition }: LwsBehaviour): Finding[] {
  const { maxSurge, maxUnavailable, partition } = fieldsAt(object, 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration');
  return [
    ...intOrPercentFindings({ path: at`${CONFIGURATION_PATH}.maxUnavailable`, value: maxUnavailable }, 'at most 100%'),
    ...intOrPercentFindings({ path: at`${CONFIGURATION_PATH}.maxSurge`, value: maxSurge }, 'at most 100%'),
    ...(judgesPartition ? negativeFindings({ path: at`${CONFIGURATION_PATH}.partition`, value: partition }) : []),
  ];
}

const LEADER_WORKER_SET = objectOf(GROUPS_SPEC);

/** Everything that the CRD and the webhook refuse but for limits that both come to nothing, and what they drop. */
function objectFindings(object: Manifest, problems: readonly SchemaProblem[], versions: SetVersions): Finding[] {
  return [
    ...mistypedFindings(problems),
    ...negativeFindings({ path: at`spec.replicas`, value: fieldsAt(object, 'spec').replicas }),
    ...limitFindings(object, lwsBehaviour(versions.lws)),
    ...invalidSetFindings(object),
    ...droppedFindings(problems, versions),
  ];
}

/** The same, and limits that both come to nothing, at the groups that are wanted. */
export function refusalsOf(object: Manifest, context: PlanContext): Finding[] {
  const findings = objectFindings(object, setProblems(object, LEADER_WORKER_SET, context.versions), context.versions);
  if (findings.some(({ severity }) => severity === 'error')) return findings;
  const { strategy, limits } = readLeaderWorkerSet(object, context);
  return [...findings, ...bothZeroFindings(strategy, limits)];
}

/** What becomes of the templates of an object that is stored. */
export function templatesOf(object: Manifest, context: PlanContext): readonly JudgedTemplate[] {
  const kept = keptObject(object, setProblems(object, LEADER_WORKER_SET, context.versions));
  const template = fieldsAt(kept, 'spec', 'leaderWorkerTemplate');
  return judgedTemplates(readLeaderWorkerSet(kept, context), template, context.versions.kubernetes);
}

/** Does the leaders' StatefulSet stay as it was, for the API server refuses it with the new template? */
export function isLeaderRefused(object: Manifest, context: PlanContext): boolean {
  return templatesOf(object, context).some(({ of, isRefused }) => of === 'leaders' && isRefused);
}

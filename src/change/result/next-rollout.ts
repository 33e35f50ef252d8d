import { isContextObject } from '../../cluster/kinds/context-kinds';
import { insufficientCapacity } from '../../cluster/rules/insufficient-capacity';
import { pdbBlocksEviction } from '../../cluster/rules/pdb-blocks-eviction';
import { surgeNeedsHeadroom } from '../../cluster/rules/surge-needs-headroom';
import type { ApplyEffect } from '../../core/document/change';
import { formatFindingText } from '../../core/findings/finding';
import type { Finding, LaterFindingData } from '../../core/findings/finding';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Manifest } from '../../core/manifest/manifest';
import { unreadable } from '../../core/rules/unreadable';
import { withSummary } from '../../core/document/plan-document';
import type { PlanDocument } from '../../core/document/plan-document';
import { sortPlanKeys } from '../../core/document/plan-key-order';
import { describeResource } from '../../core/document/rollout';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import { getErrorMessage } from '../../core/errors/error-message';
import { severityRankOf } from '../../core/findings/severity';
import type { TruncatedNames } from '../../core/text/text-format';
import { RULE_BY_CODE } from '../../plan/rules';
import { isConfigObject } from '../effects/config-references';
import { callOrElse } from '../../plan/isolate-objects';
import { mapByRollout } from './rollout-key';

/** Effects that replace no pods, but may alter how pods will be replaced: a strategy, a probe, a budget, a quota, a number of pods. */
const DEFERRED_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['settings', 'scale', 'held', 'create', 'delete']);

/** What the apply does to one object. */
interface AppliedEffect {
  readonly object: Manifest;
  readonly effect: ApplyEffect;
}

/** Reports whether an object is a ConfigMap or Secret that only pods read. Its values decide nothing about how pods are replaced. */
function isReadOnlyByPods(object: Manifest): boolean {
  return isConfigObject(object) && !isContextObject(object);
}

/** Reports whether a change may alter a later rollout without replacing pods itself. If all rollouts replace pods now, none is left. */
export function mayAlterNextRollout({ rollouts }: Pick<PlanDocument, 'rollouts'>, changes: readonly AppliedEffect[]): boolean {
  return (
    rollouts.some(({ simulation }) => simulation === null) &&
    changes.some(({ object, effect }) => DEFERRED_EFFECTS.has(effect) && !isReadOnlyByPods(object))
  );
}

/** Reports whether findings include the same problem with at least the same severity. */
function includesProblem(findings: readonly Finding[], { code, messageId, severity }: Finding): boolean {
  return findings.some(
    (one) => one.code === code && one.messageId === messageId && severityRankOf(one.severity) <= severityRankOf(severity),
  );
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the findings of OLD that are no consequence of the change. If the change writes another strategy, its figures must be the same too. */
function listKnownProblems(old: PlannedRollout | undefined, next: PlannedRollout): readonly Finding[] {
  if (!old || isSameJson(old.strategy, next.strategy)) return old?.findings ?? [];
  return old.findings.filter((before) =>
    next.findings.some(
      ({ code, messageId, data }) => code === before.code && messageId === before.messageId && isSameJson(data, before.data),
    ),
  );
}

/** Codes of one problem, too little capacity, with different advice. */
const CAPACITY_CODES: ReadonlySet<string> = new Set([insufficientCapacity.code, surgeNeedsHeadroom.code]);

function problemOf({ code }: Finding): string {
  return CAPACITY_CODES.has(code) ? insufficientCapacity.code : code;
}

/** Reports whether a finding about no rollout names an object, such as one about a LimitRange that refuses its pods. */
function mentionsObject({ data }: Finding, { kind, namespace, name }: ResourceRef): boolean {
  const { object } = data as { readonly object?: Partial<TruncatedNames> };
  const label = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  return (object?.omitted ?? 0) > 0 || object?.names?.includes(label) === true;
}

function toNextRolloutFinding(finding: Finding): Finding {
  const later: LaterFindingData = { appliesTo: 'next-rollout' };
  const data = { ...finding.data, ...later };
  return { ...finding, data, ...formatFindingText(RULE_BY_CODE.get(finding.code)!, finding.messageId, data) };
}

/**
 * Returns the findings of a rollout that replaces no pods now, with the advice about a budget that its next rollout respects too. Otherwise
 * the budget that the advice allows would be reported once pods are replaced.
 */
function withAdviceForNextRollout({ simulation, findings }: PlannedRollout, next: PlannedRollout | undefined): readonly Finding[] {
  if (simulation !== null || !next) return findings;
  return findings.map((finding) => {
    if (!pdbBlocksEviction.matches(finding, 'blocked')) return finding;
    const { budget } = finding.data;
    return next.findings.find((one) => pdbBlocksEviction.matches(one, 'blocked') && one.data['budget'] === budget) ?? finding;
  });
}

/** Plans of both sides as if each of their objects rolled out. */
export interface NextRolloutPlans {
  readonly old: PlanDocument;
  readonly next: PlanDocument;
}

/** Returns what a later rollout of NEW has and one of OLD does not have, if the apply replaces no pods. What the plan reports already is left out. */
function findLaterProblems(
  rollout: PlannedRollout,
  plan: PlanDocument,
  old: PlannedRollout | undefined,
  next: PlannedRollout | undefined,
): Finding[] {
  if (rollout.simulation !== null || !next) return [];
  const now = [...rollout.findings, ...plan.findings.filter((finding) => mentionsObject(finding, rollout.resource))];
  const reported = new Set(now.map(problemOf));
  const known = listKnownProblems(old, next);
  return next.findings.filter((finding) => !reported.has(problemOf(finding)) && !includesProblem(known, finding)).map(toNextRolloutFinding);
}

/** Reports a rollout whose next rollout cannot be evaluated. The findings of the others are listed all the same. */
function reportFailure({ resource, findings }: PlannedRollout, error: unknown): Finding {
  const source = findings.find((finding) => finding.source)?.source;
  const data = { resource: describeResource(resource), error: getErrorMessage(error) };
  return unreadable.createFinding('failed', { path: ROOT_PATH, data, ...(source && { source }) });
}

/**
 * Adds the findings that the next rollout of an object will have because of this change. They are about settings that the apply only stores:
 * a strategy, probes, budgets, quotas or a number of pods.
 *
 * A rollout that replaces pods now has its findings already. A finding that a rollout of OLD would have too is not a consequence of the change.
 */
export function addNextRolloutFindings(plan: PlanDocument, plans: NextRolloutPlans): PlanDocument {
  const [own, old, next] = [plan, plans.old, plans.next].map(({ rollouts }) => mapByRollout(rollouts)) as [
    ReadonlyMap<string, PlannedRollout>,
    ReadonlyMap<string, PlannedRollout>,
    ReadonlyMap<string, PlannedRollout>,
  ];
  const findings = new Map(
    [...own].map(([key, rollout]) => {
      const listAll = () => [
        ...withAdviceForNextRollout(rollout, next.get(key)),
        ...findLaterProblems(rollout, plan, old.get(key), next.get(key)),
      ];
      return [rollout, callOrElse(listAll, (error) => [...rollout.findings, reportFailure(rollout, error)])];
    }),
  );
  const rollouts = plan.rollouts.map((rollout) => ({ ...rollout, findings: findings.get(rollout)! }));
  return sortPlanKeys(withSummary({ ...plan, rollouts }));
}

import type { ApplyRejection } from '../core/change';
import { isDeepEqual } from '../core/deep-equal';
import type { Finding } from '../core/finding';
import { getValueAt, groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { unknownField } from '../core/rules/unknown-field';
import { workloadKindOf } from '../workloads/kinds';
import { isFieldManagerConflict } from './apiserver/server-side-apply';
import { toServerPath } from './apiserver/server-path';
import type { ObjectComparison } from './object-comparison';

/**
 * Way out of a refusal.
 *
 * - `conflict`: other field managers own the fields.
 * - `correct-new`: the object does not exist yet, so its own values are the reason.
 * - `correct`: the manifest cannot be decoded, or a value is refused.
 * - `orphan`: delete the object without its pods, which the new one adopts.
 * - `new-workload`: the selector of a Deployment or DaemonSet; a workload with another name next to the old one.
 * - `patch-strategy`: defaulted limits that server-side apply leaves next to a type that does not take them.
 * - `new-job`, `new-config`: another object takes its place.
 * - `recreate-workload`, `recreate`: delete the object and create it again, with or without pods.
 */
export type RefusalRemedy =
  | 'conflict'
  | 'correct-new'
  | 'correct'
  | 'orphan'
  | 'new-workload'
  | 'patch-strategy'
  | 'new-job'
  | 'new-config'
  | 'recreate-workload'
  | 'recreate';

/** Strategies of which only NEW's type is sent, so that stored limits stay next to it. */
const STRATEGY_LIMITS: ReadonlySet<string> = new Set(['spec.strategy.rollingUpdate', 'spec.updateStrategy.rollingUpdate']);

const IMMUTABLE = /field is immutable|updates to statefulset spec|may not change|cannot change/;

/** Reports whether the limits that are refused are stored, and NEW does not write them. */
function isStoredLimit({ path }: ApplyRejection, next: Manifest): boolean {
  return STRATEGY_LIMITS.has(path) && getValueAt(next, ...path.split('.')) === undefined;
}

function hasOtherSelector(old: Manifest, next: Manifest): boolean {
  return !isDeepEqual(getValueAt(old, 'spec', 'selector'), getValueAt(next, 'spec', 'selector'));
}

function selectImmutableRemedy({ path }: ApplyRejection, old: Manifest, next: Manifest): RefusalRemedy {
  const kind = `${groupOf(next)}/${next.kind}`;
  // A new object adopts only pods that its selector matches.
  if (kind === 'apps/StatefulSet') return hasOtherSelector(old, next) ? 'new-workload' : 'orphan';
  if ((kind === 'apps/Deployment' || kind === 'apps/DaemonSet') && path === 'spec.selector') return 'new-workload';
  if (kind === 'batch/Job') return 'new-job';
  if (kind === '/ConfigMap' || kind === '/Secret') return 'new-config';
  return workloadKindOf(next) ? 'recreate-workload' : 'recreate';
}

/** Selects the way out of a refusal: the one that keeps the pods, if there is one. */
export function selectRefusalRemedy({ old, next }: Pick<ObjectComparison, 'old' | 'next'>, refusal: ApplyRejection): RefusalRemedy {
  if (isFieldManagerConflict(refusal)) return 'conflict';
  if (!old) return 'correct-new';
  if (isStoredLimit(refusal, next)) return 'patch-strategy';
  if (!IMMUTABLE.test(refusal.message)) return 'correct';
  return selectImmutableRemedy(refusal, old.manifest, next);
}

/** Reports whether a finding of a plan is about the value that is refused. */
function explainsRefusal(finding: Finding, { path, message }: ApplyRejection, isNew: boolean): boolean {
  if (unknownField.matches(finding)) return message.includes(finding.path);
  if (finding.severity !== 'error') return false;
  // The server reports a value that cannot be decoded without a path, and nothing else is wrong with a new object than its own values.
  return isNew || path === '' || finding.path === path || toServerPath(finding.path) === path;
}

/**
 * Returns the findings of a plan that report the same refusal, as errors. They say what to write, so the refusal itself is not reported again.
 *
 * @param findings - those of the refused object
 */
export function findRefusalReasons(findings: readonly Finding[], refusal: ApplyRejection, isNew: boolean): Finding[] {
  return findings
    .filter((finding) => explainsRefusal(finding, refusal, isNew))
    .map((finding) => (finding.severity === 'error' ? finding : { ...finding, severity: 'error' }));
}

import { getValueAt } from '../manifest/manifest';
import type { Finding } from './finding';

/**
 * Rules about what is not planned. Nothing that a pull request can write, such as a configuration that is found, a baseline or an annotation,
 * silences them if the input may set nothing aside.
 */
export const READING_RULES: ReadonlySet<string> = new Set([
  'change/not-applied',
  'input/duplicate-key',
  'input/helm-template',
  'input/kustomization',
  'input/not-read',
  'input/not-rendered',
  'input/skipped',
  'input/template',
  'input/unreadable',
  'crds/rule-not-evaluated',
]);

/**
 * Rules about an object that the API server refuses. Some quote its message, which may not contain a placeholder that is the cause, and an object
 * of a kind or version that the server lacks is not planned.
 */
const REFUSAL_RULES: ReadonlySet<string> = new Set([
  'change/refused',
  'kubernetes/refused-object',
  'kubernetes/removed-api',
  'kubernetes/unknown-kind',
]);

/** Reports whether a finding is about an infinite number or NaN. kubectl applies nothing of its document, nor what follows in the file. */
export function isNotFinite({ code, messageId }: Finding): boolean {
  return code === 'input/wrong-type' && messageId === 'notFinite';
}

/**
 * Reports whether a finding says that something is not planned, or planned with a value that Flux fills in after the check, such as
 * `${REPLICAS:=0}`, so that it may hide any other fault.
 */
export function isAboutUnplanned(finding: Finding): boolean {
  const { code, severity, data } = finding;
  return (
    isNotFinite(finding) ||
    READING_RULES.has(code) ||
    REFUSAL_RULES.has(code) ||
    (severity === 'error' && JSON.stringify(data ?? {}).includes('${'))
  );
}

const BUDGET_MESSAGES: ReadonlySet<string> = new Set(['overBudget', 'checks', 'incomplete', 'namespaces']);

/** Reports whether a finding says that a run exceeded a budget, so that what it left out may have any fault. */
export function isOverBudget({ code, messageId, data }: Finding): boolean {
  if (code === 'crds/rule-not-evaluated') return getValueAt(data, 'reason') === 'seconds';
  return code === 'input/unreadable' && (BUDGET_MESSAGES.has(messageId) || getValueAt(data, 'problem', 'kind') === 'over-budget');
}

/**
 * Reports whether a baseline may suppress a finding. Only the policy can suppress what guardrails refuse. A baseline is often a file of the checkout,
 * so it hides nothing that is not planned if the input may set nothing aside, and no budget that a run exceeds.
 */
export function mayBaselineSuppress(finding: Finding, trustsInput: boolean): boolean {
  return finding.code !== 'guardrails/refused' && !isOverBudget(finding) && (trustsInput || !isAboutUnplanned(finding));
}

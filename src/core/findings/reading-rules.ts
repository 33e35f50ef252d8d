import type { Finding } from './finding';

/**
 * Rules about what is not planned. Nothing that a pull request can write, such as a configuration that is found, a baseline or an annotation,
 * silences them if the input may set nothing aside.
 */
export const READING_RULES: ReadonlySet<string> = new Set([
  'change/not-applied',
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

/**
 * Reports whether a finding says that something is not planned, or planned with a value that Flux fills in after the check, such as
 * `${REPLICAS:=0}`, so that it may hide any other fault.
 */
export function isAboutUnplanned({ code, severity, data }: Finding): boolean {
  return READING_RULES.has(code) || REFUSAL_RULES.has(code) || (severity === 'error' && JSON.stringify(data ?? {}).includes('${'));
}

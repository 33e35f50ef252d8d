import { buildFieldPath, parseFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { isFields, getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { PlannedRollout } from '../core/document/rollout';
import { createPlaceholderFinding } from '../core/rules/placeholder';

/**
 * `${NAME}` and `$NAME` of Flux and envsubst, `$(NAME)` of kustomize, `($name)` of chainsaw, `{{ name }}` of Go and Jinja,
 * `@NAME@`, `%NAME%` and `__NAME__` of sed, and `<name>`, `REPLACE_ME` and `YOUR_NAME` for manual edits.
 */
const PLACEHOLDER = /\$[{(\w]|\{\{|@\w+@|%\w+%|__\w+__|<[\w .-]+>|(?:REPLACE|CHANGE)[-_]?(?:ME|THIS|WITH)|^YOUR[-_]/i;

/** Finds the first text with a placeholder: the value itself, or a text in it if it is a list or map. */
export function findPlaceholder(value: unknown): string | undefined {
  const values = isFields(value) ? Object.values(value) : Array.isArray(value) ? value : [value];
  return values.find((each): each is string => typeof each === 'string' && PLACEHOLDER.test(each));
}

/** Reports whether a value is a text with a placeholder, or contains one at any depth. */
export function containsPlaceholder(value: unknown): boolean {
  if (findPlaceholder(value) !== undefined) return true;
  const inner = isFields(value) ? Object.values(value) : Array.isArray(value) ? value : [];
  return inner.some(containsPlaceholder);
}

/**
 * Returns the text with a placeholder that an error is about. Errors about a change or about Pod Security may name a map or list with
 * valid texts, such as the spec of a StatefulSet, so a text in it does not decide.
 */
export function findRefusedPlaceholder({ severity, code, path }: Finding, object: Manifest): string | undefined {
  if (severity !== 'error') return undefined;
  const value = getValueAt(object, ...parseFieldPath(path));
  const isAboutText = code.startsWith('change/') || code === 'kubernetes/pod-security';
  return isAboutText && typeof value !== 'string' ? undefined : findPlaceholder(value);
}

/** Replaces the errors about placeholders with one info finding: another program fills them in, so the final values are unknown. */
export function consolidatePlaceholderErrors(rollout: PlannedRollout, object: Manifest): PlannedRollout {
  const placeholderErrors = rollout.findings.flatMap((finding) => {
    const value = findRefusedPlaceholder(finding, object);
    return value === undefined ? [] : [{ finding, value }];
  });
  const [first] = placeholderErrors;
  if (first === undefined) return rollout;
  const replaced = new Set(placeholderErrors.map(({ finding }) => finding));
  const info = createPlaceholderFinding(buildFieldPath(...parseFieldPath(first.finding.path)), {
    value: first.value,
    values: placeholderErrors.length,
  });
  return {
    ...rollout,
    findings: rollout.findings.flatMap((finding) => (finding === first.finding ? [info] : replaced.has(finding) ? [] : [finding])),
  };
}

import { fieldPath, fieldPathParts } from '../core/field-path';
import { isFields, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import { placeholderFinding } from '../core/rules/placeholder';

/**
 * `${NAME}` and `$NAME` of Flux and envsubst, `$(NAME)` of kustomize, `($name)` of chainsaw, `{{ name }}` of Go and Jinja,
 * `@NAME@`, `%NAME%` and `__NAME__` of sed, `<name>`, `REPLACE_ME` and `YOUR_NAME` of people.
 */
const PLACEHOLDER = /\$[{(\w]|\{\{|@\w+@|%\w+%|__\w+__|<[\w .-]+>|(?:REPLACE|CHANGE)[-_]?(?:ME|THIS|WITH)|^YOUR[-_]/i;

/** The first text with a placeholder in a value, or in the list or map of texts that it is. */
function placeholderIn(value: unknown): string | undefined {
  const values = isFields(value) ? Object.values(value) : Array.isArray(value) ? value : [value];
  return values.find((each): each is string => typeof each === 'string' && PLACEHOLDER.test(each));
}

/** Of errors about values that another program has yet to fill in one info is left: nobody knows what the API server will get. */
export function withoutPlaceholders(rollout: PlannedRollout, object: Manifest): PlannedRollout {
  const unfilled = rollout.findings.flatMap((finding) => {
    const value = finding.severity === 'error' ? placeholderIn(valueAt(object, ...fieldPathParts(finding.path))) : undefined;
    return value === undefined ? [] : [{ finding, value }];
  });
  const [first] = unfilled;
  if (first === undefined) return rollout;
  const gone = new Set(unfilled.map(({ finding }) => finding));
  const info = placeholderFinding(fieldPath(...fieldPathParts(first.finding.path)), { value: first.value, values: unfilled.length });
  return {
    ...rollout,
    findings: rollout.findings.flatMap((finding) => (finding === first.finding ? [info] : gone.has(finding) ? [] : [finding])),
  };
}

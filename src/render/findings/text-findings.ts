import type { Finding, Source } from '../../core/findings/finding';
import type { FindingCounts } from '../../core/document/plan-document';
import type { ResourceRef } from '../../core/document/rollout';
import type { Palette } from '../layout/palette';
import { NO_NAME } from '../../core/manifest/manifest';
import { escapeForTerminal } from '../../core/text/escape-output';
import { pluralizeOrNo, joinWords } from '../../core/text/text-format';

/** Formats a resource: `Deployment shop/web`, `InferenceService models/iris predictor`. */
export function formatResourceLabel({ kind, namespace, name, component }: Omit<ResourceRef, 'apiVersion'>): string {
  const path = `${namespace === undefined ? '' : `${namespace}/`}${name || NO_NAME}`;
  return escapeForTerminal([kind, path, ...(component === undefined ? [] : [component])].join(' '));
}

/** Formats the field of a finding, with the object that contains it if it is not the one that the finding is reported for. */
export function formatFindingField({ path, object }: Pick<Finding, 'path' | 'object'>): string {
  return object === undefined || path === '' ? escapeForTerminal(path) : `${formatResourceLabel(object)} ${escapeForTerminal(path)}`;
}

function formatPosition({ file, line, column }: Source): string {
  return `${file}:${line}${column === undefined ? '' : `:${column}`}`;
}

/**
 * Formats the location of a finding: `dist/web.yaml:12:7`, then the field if it has one. For a rendered object it names the file of the
 * repository first: `base/web.yaml:7:43 (kustomize build prod:25:7)`.
 */
export function formatFindingLocation({ source, ...field }: Finding): string {
  const rendered = source && formatPosition(source);
  const location = source?.origin ? `${formatPosition(source.origin)} (${rendered})` : (rendered ?? '');
  return [escapeForTerminal(location), formatFindingField(field)].filter((part) => part !== '').join('  ');
}

/** Renders a finding as lines: code and location, the message, the fix. */
export function renderFindingLines(finding: Finding, palette: Palette, about?: ResourceRef): string[] {
  const { severity, code } = finding;
  const head = [
    palette.severity[severity](severity),
    escapeForTerminal(code),
    ...(about ? [formatResourceLabel(about)] : []),
    palette.quiet(formatFindingLocation(finding)),
  ];
  return [head.filter((part) => part !== '').join('  '), ...renderFindingMessage(finding, palette)];
}

/** Renders the text of a finding: the message, the fix, the reason for its suppression. */
export function renderFindingMessage({ message, help, suppressed }: Finding, palette: Palette, before = ''): string[] {
  return [
    `  ${palette.quiet(before)}${escapeForTerminal(message)}`,
    ...(help === undefined ? [] : [`  ${palette.quiet('fix:')} ${escapeForTerminal(help)}`]),
    ...(suppressed ? [`  ${palette.quiet(`suppressed by the ${suppressed.by}:`)} ${escapeForTerminal(suppressed.reason)}`] : []),
  ];
}

/** Formats counts: `2 errors, 1 warning and 1 info`, `no findings`. */
export function formatFindingCounts({ errors, warnings, infos, suppressed }: FindingCounts): string {
  const counts = [
    ...(errors > 0 ? [pluralizeOrNo(errors, 'error')] : []),
    ...(warnings > 0 ? [pluralizeOrNo(warnings, 'warning')] : []),
    ...(infos > 0 ? [pluralizeOrNo(infos, 'info')] : []),
  ];
  const text = counts.length === 0 ? 'no findings' : joinWords(counts);
  return suppressed > 0 ? `${text} (${suppressed} suppressed)` : text;
}

/** Formats the findings of objects that a change does not touch on one line; undefined if there are none. */
export function formatUntouchedFindings(untouched: FindingCounts): string | undefined {
  const count = untouched.errors + untouched.warnings + untouched.infos + untouched.suppressed;
  if (count === 0) return undefined;
  return `not listed, because the change does not touch their objects: ${formatFindingCounts(untouched)}`;
}

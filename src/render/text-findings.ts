import type { Finding } from '../core/finding';
import type { PlanSummary } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import type { Palette } from './palette';
import { visible } from '../core/visible';
import { countedOrNo, listed } from '../core/words';

/** `Deployment shop/web`, `InferenceService models/iris predictor`. */
export function resourceText({ kind, namespace, name, component }: ResourceRef): string {
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  return visible([kind, path === '' ? '(without name)' : path, ...(component === undefined ? [] : [component])].join(' '));
}

/** Where to look: `dist/web.yaml:12:7`, and the field where there is one. */
export function placeText({ source, path }: Finding): string {
  const column = source?.column === undefined ? '' : `:${source.column}`;
  const place = source ? `${source.file}:${source.line}${column}` : '';
  return visible([place, path].filter((part) => part !== '').join('  '));
}

/** A finding as lines: what and where, the message, the fix. */
export function findingLines(finding: Finding, palette: Palette, about?: ResourceRef): string[] {
  const { severity, code } = finding;
  const head = [
    palette.severity[severity](severity),
    visible(code),
    ...(about ? [resourceText(about)] : []),
    palette.quiet(placeText(finding)),
  ];
  return [head.filter((part) => part !== '').join('  '), ...sayingLines(finding, palette)];
}

/** What a finding says, below what and where it is: the message, the fix, why it does not count. */
export function sayingLines({ message, help, suppressed }: Finding, palette: Palette, before = ''): string[] {
  return [
    `  ${palette.quiet(before)}${visible(message)}`,
    ...(help === undefined ? [] : [`  ${palette.quiet('fix:')} ${visible(help)}`]),
    ...(suppressed ? [`  ${palette.quiet(`suppressed by the ${suppressed.by}:`)} ${visible(suppressed.reason)}`] : []),
  ];
}

/** `2 errors, 1 warning and 1 info`, `no findings`. */
export function findingCounts({ errors, warnings, infos, suppressed }: PlanSummary): string {
  const counts = [
    ...(errors > 0 ? [countedOrNo(errors, 'error')] : []),
    ...(warnings > 0 ? [countedOrNo(warnings, 'warning')] : []),
    ...(infos > 0 ? [countedOrNo(infos, 'info')] : []),
  ];
  const said = counts.length === 0 ? 'no findings' : listed(counts);
  return suppressed > 0 ? `${said} (${suppressed} suppressed)` : said;
}

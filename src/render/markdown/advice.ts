import { formatGoal, formatUnmetLimit } from '../../core/document/goal-text';
import type { AdviceDocument, AdvisedRollout, StrategyEdit } from '../../core/document/advice';
import { isFields } from '../../core/manifest/manifest';
import { pluralize } from '../../core/text/text-format';
import {
  formatGpus,
  formatScaledFigures,
  formatStrategy,
  formatTime,
  formatVerdict,
  listAdviceRows,
  listAssumptions,
  listUnmetReasons,
} from '../text/advice-words';
import type { AdviceRow } from '../text/advice-words';
import { limitCommentLength } from './plan';
import { escapeMarkdown, formatMarkdownCode } from './escape';
import { formatResourceLabel } from '../findings/text-findings';
import { toSafeText } from '../../core/text/value-text';

/** Formats a strategy as YAML, line by line. Its values are numbers, words and percentages. */
function formatYaml(value: unknown, indent: string): string[] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    isFields(field) ? [`${indent}${key}:`, ...formatYaml(field, `${indent}  `)] : [`${indent}${key}: ${toSafeText(field)}`],
  );
}

function renderEdit({ path, value }: StrategyEdit): string[] {
  const parts = path.split('.');
  const head = parts.map((part, depth) => `${'  '.repeat(depth)}${part}:`);
  return ['```yaml', ...head, ...formatYaml(value, '  '.repeat(parts.length)), '```', ''];
}

function renderTable(rows: readonly AdviceRow[]): string[] {
  const hasGpus = rows.some(({ candidate }) => candidate.extraGpus !== undefined);
  const names = ['', 'strategy', 'time', 'extra pods', ...(hasGpus ? ['extra GPUs'] : []), 'available', 'broken', 'capacity'];
  const cells = rows.map(({ mark, candidate }) => [
    mark === '' ? '' : `**${mark}**`,
    formatMarkdownCode(formatStrategy(candidate.strategy)),
    formatTime(candidate),
    String(candidate.extraPods),
    ...(hasGpus ? [formatGpus(candidate)] : []),
    String(candidate.leastAvailable),
    String(candidate.brokenByBadVersion),
    candidate.verdict,
  ]);
  const rule = names.map((_, column) => (column >= 2 && column < names.length - 1 ? '--:' : '---'));
  return [names, rule, ...cells].map((row) => `| ${row.join(' | ')} |`);
}

function renderRollout(rollout: AdvisedRollout): string[] {
  const { resource, replicas, goal, best, edit, unmet = [] } = rollout;
  const goalText = formatGoal(goal);
  const { rows, omitted } = listAdviceRows(rollout);
  const notes = [
    ...(omitted > 0 ? [`${pluralize(omitted, 'more strategy', 'more strategies')} with --format json.`] : []),
    ...listAssumptions(rollout),
  ];
  return [
    `### ${escapeMarkdown(formatResourceLabel(resource))}`,
    '',
    ...(goalText === undefined
      ? []
      : [`Goal for ${pluralize(replicas, resource.kind === 'DaemonSet' ? 'node' : 'replica')}: ${escapeMarkdown(goalText)}.`, '']),
    `**${escapeMarkdown(formatVerdict(rollout))}**`,
    '',
    ...[...unmet.map(formatUnmetLimit), ...listUnmetReasons(unmet), ...(best ? formatScaledFigures(best) : [])].map(
      (line) => `- ${escapeMarkdown(line)}`,
    ),
    ...(unmet.length > 0 || (best && (best.atMinimum || best.atMaximum)) ? [''] : []),
    ...(edit ? renderEdit(edit) : []),
    ...renderTable(rows),
    '',
    ...(notes.length > 0 ? [`<sub>${notes.map((note) => escapeMarkdown(note)).join(' ')}</sub>`, ''] : []),
  ];
}

/** Renders advice for a pull request. */
export function renderAdviceMarkdown({ rollouts, notAdvised }: AdviceDocument): string {
  const blocks = [
    ...rollouts.map(renderRollout),
    ...(notAdvised.length > 0
      ? [notAdvised.map(({ resource, reason }) => `- no advice: ${escapeMarkdown(`${formatResourceLabel(resource)}: ${reason}`)}`)]
      : []),
  ];
  return blocks.length === 0 ? 'No rollouts.\n' : limitCommentLength(blocks);
}

import type { ApplyEffect, ObjectChange } from '../../core/document/change';
import type { PlanDocument } from '../../core/document/plan-document';
import type { PlannedRollout } from '../../core/document/rollout';
import type { ServicePlan } from '../../core/document/service-plan';
import { pluralize } from '../../core/text/text-format';
import type { PlannedUpgrade } from '../../core/document/upgrade';
import { ADMISSION_NOTE, formatChangeHeadline, formatRetainedObjects } from '../changes/headline';
import { EFFECT_MARKS, sortByEffectUrgency } from '../changes/effects';
import { formatAssumedAppliers } from '../changes/appliers';
import { formatEffect } from '../changes/object';
import { createEffectLookup, rolloutResourceKeyOf, groupRolloutsByObject, groupServicesByObject } from '../changes/object-plans';
import { formatInitialState } from '../changes/initial-states';
import type { ChangeHeadlineInput } from '../changes/headline';
import { formatDiffSummary } from '../changes/diff-groups';
import { groupSimilarFindings, collectPlanFindings, hasSingleMessage } from '../findings/finding-groups';
import type { FindingGroup } from '../findings/finding-groups';
import { wrapLineToWidth } from '../layout/wrap-text';
import { renderBehaviourTables } from './behaviour';
import { renderDetailsBlock } from './details';
import { formatMarkdownCode, escapeMarkdown } from './escape';
import { renderWavesChart } from './waves';
import { createPalette } from '../layout/palette';
import { buildPlanRows } from '../changes/plan-rows';
import { formatPlanHeadline, renderRolloutLines } from '../text/plan';
import { selectRelevantRollouts } from '../text/change';
import { formatFindingLocation, formatResourceLabel } from '../findings/text-findings';
import { renderNotPlannedLines } from '../findings/not-planned';
import { renderServicesLines } from '../text/services';
import { UPGRADE_EFFECT_LABELS } from '../text/upgrade';

/** Invisible line by which a bot finds its earlier comment in order to replace it. */
export const PLAN_COMMENT_MARKER = '<!-- rolloutkit: the plan of this change -->';

/** Largest length of a comment. GitHub allows 65,536 characters; the rest is left for lines that users add. */
const MAX_COMMENT_LENGTH = 60_000;

/** Joins as many blocks as fit into one comment. The last line says how many did not fit. */
export function limitCommentLength(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.map((block) => `${block.join('\n')}\n`);
  const limit = MAX_COMMENT_LENGTH - 200;
  let length = 0;
  const fitting = texts.findIndex((text) => (length += text.length) > limit);
  if (fitting < 0) return texts.join('');
  const remaining = texts.length - fitting;
  return `${texts.slice(0, fitting).join('')}\n… ${pluralize(remaining, 'more part')} of this plan did not fit here. Run \`rolloutkit plan\` to see all of it.\n`;
}

function renderTableRow(change: ObjectChange, rollouts: readonly PlannedRollout[], services: readonly ServicePlan[] = []): string {
  const outcome = formatEffect(change, rollouts, services).map(escapeMarkdown).join('<br>');
  return `| ${EFFECT_MARKS[change.effect]} **${change.effect}** | ${formatMarkdownCode(formatResourceLabel(change.resource))} | ${outcome} |`;
}

/**
 * Renders the headline, the rollouts that were unhealthy before the apply, and one row per object that differs, worst first.
 *
 * Each line is a block, so that a long list can be cut.
 */
export function renderChangeTable(plan: ChangeHeadlineInput): string[][] {
  const { change, rollouts, services } = plan;
  const byObject = groupRolloutsByObject(rollouts);
  const servicesByObject = groupServicesByObject(services);
  const retainedText = formatRetainedObjects(plan);
  const initialStates = rollouts.flatMap(({ resource, initialState }) => {
    const text = initialState && formatInitialState(initialState);
    return text === undefined ? [] : [`- ${formatMarkdownCode(formatResourceLabel(resource))}: ${escapeMarkdown(text)}`];
  });
  const rows = sortByEffectUrgency(change.objects).map((one) => [
    renderTableRow(one, byObject.get(rolloutResourceKeyOf(one.resource)) ?? [], servicesByObject.get(rolloutResourceKeyOf(one.resource))),
  ]);
  const [first, ...others] = rows;
  return [
    [PLAN_COMMENT_MARKER, `## ${escapeMarkdown(formatChangeHeadline(plan))}`],
    ...initialStates.map((line, index) => (index === 0 ? ['', line] : [line])),
    ...(first ? [['', '| effect | object | what happens |', '|---|---|---|', ...first], ...others] : []),
    ...formatAssumedAppliers(change).map((line) => ['', escapeMarkdown(line)]),
    ...(retainedText === undefined ? [] : [['', escapeMarkdown(retainedText)]]),
  ];
}

/** Renders what the new version of an operator writes differently. */
function renderUpgradeBlocks({ differences }: PlannedUpgrade): string[][] {
  const [first, ...others] = differences.map(({ effect, since, message, objects, elided = 0 }) => [
    `| ${UPGRADE_EFFECT_LABELS[effect]} | ${since} | ${escapeMarkdown(message)} | ${objects.length + elided} |`,
  ]);
  if (!first) return [];
  return [
    ['', '### What differs', '', '| effect | since | what the new version does | objects |', '|---|---|---|---|', ...first],
    ...others,
  ];
}

/** Largest number of locations listed for one finding. */
const MAX_LOCATIONS = 3;

/** Renders a group of findings once: the message, the fix, the count and the locations. */
function renderFindingItem(group: FindingGroup): string[] {
  const { first, all } = group;
  const { severity, code, message, help } = first.finding;
  const locations = all
    .slice(0, MAX_LOCATIONS)
    .map(({ finding, about }) =>
      [about ? formatResourceLabel(about) : '', formatFindingLocation(finding)].filter((part) => part !== '').join('  '),
    );
  const omittedCount = all.length - locations.length;
  const where = [
    ...locations.filter((location) => location !== '').map(formatMarkdownCode),
    ...(omittedCount > 0 ? [`and ${omittedCount} more`] : []),
  ];
  const times = all.length > 1 ? `, ${all.length} times` : '';
  const formattedMessage = `${hasSingleMessage(group) ? '' : 'the first: '}${escapeMarkdown(message)}`;
  return [
    `- **${severity}** ${formatMarkdownCode(code)}${times}: ${formattedMessage}`,
    ...(help === undefined ? [] : [`  <br>**fix:** ${escapeMarkdown(help)}`]),
    ...(where.length > 0 ? [`  <br>at ${where.join(', ')}`] : []),
  ];
}

/** Renders the findings that need a decision, worst first, or no block if there are none. */
function renderDecisionBlocks(groups: readonly FindingGroup[]): string[][] {
  return groups.length === 0 ? [] : [['', '### Needs a decision', ''], ...groups.map(renderFindingItem)];
}

/** Renders a row for each rollout, worst first. */
function renderRolloutTable(plan: PlanDocument): string[][] {
  const rows = buildPlanRows(plan).map(({ mark, name, outcome }) => [
    `| ${mark} | ${formatMarkdownCode(name)} | ${escapeMarkdown(outcome)} |`,
  ]);
  const [first, ...others] = rows;
  return first ? [['', '| | rollout | what happens |', '|---|---|---|', ...first], ...others] : [];
}

/** Number of columns that a comment shows without scrolling. */
const COMMENT_WIDTH = 96;

/** Renders a rollout as text and its waves as a chart, folded under its name. */
function renderRolloutBlock(rollout: PlannedRollout, effect: ApplyEffect | undefined): string[] {
  const context = { printed: new Set<string>(), isOnlyRollout: true, minSeverity: 'info', effect } as const;
  const lines = renderRolloutLines(rollout, createPalette(false), context).flatMap((line) => wrapLineToWidth(line, COMMENT_WIDTH));
  return renderDetailsBlock(formatResourceLabel(rollout.resource), [
    '<pre>',
    ...lines.map(escapeMarkdown),
    '</pre>',
    ...renderWavesChart(rollout),
  ]);
}

/** Renders the ready endpoints of the Services, folded. */
function renderServicesBlock(services: readonly ServicePlan[]): string[][] {
  if (services.length === 0) return [];
  const lines = renderServicesLines(services, createPalette(false)).flatMap((line) => wrapLineToWidth(line, COMMENT_WIDTH));
  return [renderDetailsBlock('Services', ['<pre>', ...lines.map(escapeMarkdown), '</pre>'])];
}

/**
 * Renders the plan as a comment on a change request, of at most 60,000 characters.
 *
 * It has the findings that need a decision, a table of effects or of rollouts, then the details, folded.
 */
export function renderPlanMarkdown(plan: PlanDocument): string {
  const { change, behaviour, rollouts, services = [], findings } = plan;
  const effectOf = createEffectLookup(change);
  const [headline, ...table] = change
    ? renderChangeTable({ ...plan, change })
    : [[PLAN_COMMENT_MARKER, `## ${formatPlanHeadline(plan)}`], ...renderRolloutTable(plan)];
  const remaining = renderNotPlannedLines(plan).map((line) => ['', escapeMarkdown(line)]);
  const shown = change ? selectRelevantRollouts(rollouts, change) : rollouts;
  const decisions = groupSimilarFindings(
    collectPlanFindings({ findings, rollouts: shown }).filter(({ finding }) => finding.severity !== 'info'),
  );
  const explanations = groupSimilarFindings(
    collectPlanFindings({ findings, rollouts: [] }).filter(({ finding }) => finding.severity === 'info'),
  );
  return limitCommentLength([
    headline!,
    ...renderDecisionBlocks(decisions),
    ...table,
    ...remaining,
    ...(plan.upgrade ? renderUpgradeBlocks(plan.upgrade) : []),
    ...(behaviour ? [['', `### ${formatDiffSummary(behaviour)}`], ...renderBehaviourTables(behaviour)] : []),
    ...(explanations.length > 0 ? [renderDetailsBlock('Good to know', explanations.flatMap(renderFindingItem))] : []),
    ...(change?.admissionNotChecked === true ? [['', `_${ADMISSION_NOTE}_`]] : []),
    ...shown.map((rollout) => renderRolloutBlock(rollout, effectOf(rollout))),
    ...renderServicesBlock(services),
  ]);
}

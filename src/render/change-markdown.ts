import type { ObjectChange, PlannedChange } from '../core/change';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { counted } from '../core/words';
import { MARKS, changeHeadline, happensText, keptText, resourceKey, rolloutsByObject, startText, worstFirst } from './change-words';
import { diffSummary } from './diff-groups';
import { findingGroups, placedFindings, saysOneThing } from './finding-groups';
import type { FindingGroup } from './finding-groups';
import { fitWidth } from './fit-width';
import { behaviourTables } from './markdown-behaviour';
import { folded } from './markdown-folded';
import { markdownCode, markdownText } from './markdown-escape';
import { wavesChart } from './markdown-waves';
import { paletteOf } from './palette';
import { planRows } from './plan-rows';
import { planHeadline, rolloutLines } from './text';
import { isOfChange } from './text-change';
import { placeText, resourceText } from './text-findings';
import { notPlannedLines } from './text-not-planned';

/** By this line, which nobody sees, a bot finds the comment that it wrote before, and writes it anew. */
export const MARK = '<!-- rolloutkit: the plan of this change -->';

/** GitHub takes comments of 65,536 characters; a little is left for who adds a line of their own. */
const MOST_CHARACTERS = 60_000;

/** Blocks of lines as one comment, as many as fit; how many did not is its last line. */
export function withinComment(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.map((block) => `${block.join('\n')}\n`);
  const room = MOST_CHARACTERS - 200;
  let length = 0;
  const fitting = texts.findIndex((text) => (length += text.length) > room);
  if (fitting < 0) return texts.join('');
  const left = texts.length - fitting;
  return `${texts.slice(0, fitting).join('')}\n… ${counted(left, 'more part')} of this plan did not fit here: run \`rolloutkit plan\` to read all of it.\n`;
}

function tableRow(change: ObjectChange, rollouts: readonly PlannedRollout[]): string {
  const happens = happensText(change, rollouts).map(markdownText).join('<br>');
  return `| ${MARKS[change.effect]} **${change.effect}** | ${markdownCode(resourceText(change.resource))} | ${happens} |`;
}

/** The headline, what was not well before, and one row an object that differs, worst first. Each line is a block, so that a long list can end. */
export function changeTable(change: PlannedChange, rollouts: readonly PlannedRollout[]): string[][] {
  const byObject = rolloutsByObject(rollouts);
  const kept = keptText(change);
  const starts = rollouts.flatMap(({ resource, start }) => {
    const text = start && startText(start);
    return text === undefined ? [] : [`- ${markdownCode(resourceText(resource))}: ${markdownText(text)}`];
  });
  const rows = worstFirst(change.objects).map((one) => [tableRow(one, byObject.get(resourceKey(one.resource)) ?? [])]);
  const [first, ...others] = rows;
  return [
    [MARK, `## ${markdownText(changeHeadline(change, rollouts))}`],
    ...starts.map((start, index) => (index === 0 ? ['', start] : [start])),
    ...(first ? [['', '| effect | object | what happens |', '|---|---|---|', ...first], ...others] : []),
    ...(kept === undefined ? [] : [['', markdownText(kept)]]),
  ];
}

/** Places of one finding that a comment names. */
const MOST_PLACES = 3;

/** A finding once: what it says, what to write, how often and where. */
function findingItem(group: FindingGroup): string[] {
  const { first, all } = group;
  const { severity, code, message, help } = first.finding;
  const places = all
    .slice(0, MOST_PLACES)
    .map(({ finding, about }) => [about ? resourceText(about) : '', placeText(finding)].filter((part) => part !== '').join('  '));
  const more = all.length - places.length;
  const where = [...places.filter((place) => place !== '').map(markdownCode), ...(more > 0 ? [`and ${more} more`] : [])];
  const times = all.length > 1 ? `, ${all.length} times` : '';
  const says = `${saysOneThing(group) ? '' : 'the first: '}${markdownText(message)}`;
  return [
    `- **${severity}** ${markdownCode(code)}${times}: ${says}`,
    ...(help === undefined ? [] : [`  <br>**fix:** ${markdownText(help)}`]),
    ...(where.length > 0 ? [`  <br>at ${where.join(', ')}`] : []),
  ];
}

/** What needs a decision, worst first; no block where nothing does. */
function decisionBlocks(groups: readonly FindingGroup[]): string[][] {
  return groups.length === 0 ? [] : [['', '### Needs a decision', ''], ...groups.map(findingItem)];
}

/** The headline of a plan, and a row for each rollout, worst first. */
function rolloutTable(plan: PlanDocument): string[][] {
  const rows = planRows(plan).map(({ mark, name, happens }) => [`| ${mark} | ${markdownCode(name)} | ${markdownText(happens)} |`]);
  const [first, ...others] = rows;
  return first ? [['', '| | rollout | what happens |', '|---|---|---|', ...first], ...others] : [];
}

/** Columns of text that a comment shows without scrolling. */
const COMMENT_WIDTH = 96;

/** A rollout as text, and its waves as a picture, folded under its name. */
function rolloutBlock(rollout: PlannedRollout): string[] {
  const lines = rolloutLines(rollout, paletteOf(false)).flatMap((line) => fitWidth(line, COMMENT_WIDTH));
  return folded(resourceText(rollout.resource), ['<pre>', ...lines.map(markdownText), '</pre>', ...wavesChart(rollout)]);
}

/** The plan as a comment on a change request: what needs a decision, a table of effects or of rollouts, then the details, folded; at most 60,000 characters. */
export function renderPlanMarkdown(plan: PlanDocument): string {
  const { change, behaviour, rollouts, findings } = plan;
  const [headline, ...table] = change ? changeTable(change, rollouts) : [[MARK, `## ${planHeadline(plan)}`], ...rolloutTable(plan)];
  const left = notPlannedLines(plan).map((line) => ['', markdownText(line)]);
  const shown = change ? rollouts.filter(isOfChange) : rollouts;
  const decisions = findingGroups(placedFindings({ findings, rollouts: shown }).filter(({ finding }) => finding.severity !== 'info'));
  const explaining = findingGroups(placedFindings({ findings, rollouts: [] }).filter(({ finding }) => finding.severity === 'info'));
  return withinComment([
    headline!,
    ...decisionBlocks(decisions),
    ...table,
    ...left,
    ...(behaviour ? [['', `### ${diffSummary(behaviour)}`], ...behaviourTables(behaviour)] : []),
    ...(explaining.length > 0 ? [folded('Good to know', explaining.flatMap(findingItem))] : []),
    ...shown.map(rolloutBlock),
  ]);
}

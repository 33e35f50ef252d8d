import type { ObjectChange, PlannedChange } from '../core/change';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { counted } from '../core/words';
import { MARKS, changeHeadline, happensText, keptText, resourceKey, rolloutsByObject, startText, worstFirst } from './change-words';
import { diffSummary } from './diff-groups';
import { behaviourTables } from './markdown-behaviour';
import { markdownCode, markdownText } from './markdown-escape';
import { wavesChart } from './markdown-waves';
import { paletteOf } from './palette';
import { rolloutLines } from './text';
import { isOfChange } from './text-change';
import { findingCounts, findingLines, resourceText } from './text-findings';
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

/** The headline, what was not well before, and one row an object that differs, worst first. Each row is a block, so that a long table can end. */
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
    [MARK, `## ${markdownText(changeHeadline(change, rollouts))}`, ...(starts.length > 0 ? ['', ...starts] : [])],
    ...(first ? [['', '| effect | object | what happens |', '|---|---|---|', ...first], ...others] : []),
    ...(kept === undefined ? [] : [['', markdownText(kept)]]),
  ];
}

/** Text as it stands, folded under a line of its own, and what is drawn beside it. */
function folded(summary: string, lines: readonly string[], drawn: readonly string[] = []): string[] {
  const text = ['<pre>', ...lines.map(markdownText), '</pre>'];
  return ['', `<details><summary>${markdownText(summary)}</summary>`, '', ...text, ...drawn, '', '</details>'];
}

/** The plan as a comment on a change request: a table of effects, then the details, folded; at most 60,000 characters. */
export function renderPlanMarkdown(plan: PlanDocument): string {
  const { change, behaviour, rollouts, findings, summary } = plan;
  const palette = paletteOf(false);
  const head = change ? changeTable(change, rollouts) : [[MARK, `## ${counted(rollouts.length, 'rollout')}: ${findingCounts(summary)}`]];
  const left = notPlannedLines(plan).map((line) => ['', markdownText(line)]);
  const shown = change ? rollouts.filter(isOfChange) : rollouts;
  return withinComment([
    ...head,
    ...left,
    ...(behaviour ? [['', `### ${diffSummary(behaviour)}`], ...behaviourTables(behaviour)] : []),
    ...(findings.length > 0
      ? [
          folded(
            `${counted(findings.length, 'finding')} about no rollout`,
            findings.flatMap((one) => findingLines(one, palette)),
          ),
        ]
      : []),
    ...shown.map((rollout) => folded(resourceText(rollout.resource), rolloutLines(rollout, palette), wavesChart(rollout))),
  ]);
}

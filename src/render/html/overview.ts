import type { ChangeSummary, Effect } from '../../core/change';
import type { PlanDocument } from '../../core/plan-document';
import { effectCounts } from '../change-words';
import type { PlanRow } from '../plan-rows';
import { escaped } from '../svg/markup';
import { tag } from './tag';

/** The loudest first; the style has a colour for each, and a mark or a word says it besides. */
const TONES = ['stop', 'warn', 'move', 'fresh', 'calm'] as const;

/** How loud something is. */
export type Tone = (typeof TONES)[number];

/** How loud each effect is. */
export const EFFECT_TONES: Readonly<Record<Effect, Tone>> = {
  refused: 'stop',
  replace: 'stop',
  delete: 'stop',
  'roll-and-scale': 'warn',
  roll: 'warn',
  held: 'warn',
  'restart-needed': 'warn',
  scale: 'move',
  settings: 'move',
  metadata: 'move',
  unknown: 'move',
  create: 'fresh',
  none: 'calm',
};

type RowSeverity = PlanRow['severity'];

/** How loud the worst finding of a row is. */
export const SEVERITY_TONES: Readonly<Record<RowSeverity, Tone>> = { error: 'stop', warning: 'warn', info: 'move', none: 'calm' };

const SEVERITY_WORDS: readonly (readonly [severity: RowSeverity, words: string])[] = [
  ['error', 'with errors'],
  ['warning', 'with warnings'],
  ['info', 'with infos'],
  ['none', 'without findings'],
];

/** A part of all rows. */
interface Share {
  readonly count: number;
  readonly words: string;
  readonly tone: Tone;
  /** The choice of a filter that shows it alone; absent of what has no rows. */
  readonly filter?: readonly [name: string, value: string];
}

function effectShares(summary: ChangeSummary): Share[] {
  return effectCounts(summary).map(({ effect, count, words }) => ({
    count,
    words,
    tone: EFFECT_TONES[effect],
    ...(effect !== 'none' && { filter: ['effect', effect] as const }),
  }));
}

function severityShares(rows: readonly PlanRow[]): Share[] {
  return SEVERITY_WORDS.map(([severity, words]): Share => {
    const count = rows.filter((row) => row.severity === severity).length;
    return { count, words, tone: SEVERITY_TONES[severity], filter: ['severity', severity] };
  }).filter(({ count }) => count > 0);
}

function shareMarkup({ count, words, tone, filter }: Share, hasFilters: boolean): string {
  const content = `<i class="${tone}"></i><b>${count}</b> ${escaped(words)}`;
  return tag(
    'li',
    {},
    filter && hasFilters
      ? tag('button', { type: 'button', 'data-name': filter[0], 'data-value': filter[1] }, content)
      : tag('span', {}, content),
  );
}

/** All rows as one bar, and what its parts are; each part shows its rows alone. Nothing where there is only one part. */
export function overviewMarkup({ change }: PlanDocument, rows: readonly PlanRow[]): string {
  const all = change ? effectShares(change.summary) : severityShares(rows);
  const shares = all.toSorted((a, b) => TONES.indexOf(a.tone) - TONES.indexOf(b.tone));
  if (shares.length < 2) return '';
  const bar = shares.map(({ count, tone }) => tag('span', { class: tone, style: `flex-grow:${count}` }));
  return (
    tag('div', { class: 'bar', 'aria-hidden': 'true' }, ...bar) +
    tag('ul', { class: 'shares', 'aria-label': 'At a glance' }, ...shares.map((share) => shareMarkup(share, rows.length > 1)))
  );
}

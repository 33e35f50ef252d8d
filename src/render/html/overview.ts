import type { ChangeSummary, ApplyEffect } from '../../core/document/change';
import type { PlanDocument } from '../../core/document/plan-document';
import { countEffects } from '../changes/effects';
import type { PlanRow } from '../changes/plan-rows';
import { escapeMarkup } from '../svg/markup';
import { renderHtmlElement } from './html-element';

/** Tones, most severe first. The style has a colour for each; a mark or a word has the same meaning. */
const TONES = ['stop', 'warn', 'move', 'fresh', 'calm'] as const;

/** How severe something looks. */
export type Tone = (typeof TONES)[number];

/** Tone of each effect. */
export const EFFECT_TONES: Readonly<Record<ApplyEffect, Tone>> = {
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
  hook: 'calm',
  none: 'calm',
};

type RowSeverity = PlanRow['severity'];

/** Tone of the worst finding of a row. */
export const SEVERITY_TONES: Readonly<Record<RowSeverity, Tone>> = { error: 'stop', warning: 'warn', info: 'move', none: 'calm' };

const SEVERITY_LABELS: readonly (readonly [severity: RowSeverity, label: string])[] = [
  ['error', 'with errors'],
  ['warning', 'with warnings'],
  ['info', 'with infos'],
  ['none', 'without findings'],
];

/** A share of all rows. */
interface Share {
  readonly count: number;
  readonly label: string;
  readonly tone: Tone;
  /** The filter that shows only this share. Unset if it has no rows. */
  readonly filter?: readonly [name: string, value: string];
}

function computeEffectShares(summary: ChangeSummary): Share[] {
  return countEffects(summary).map(({ effect, count, label }) => ({
    count,
    label,
    tone: EFFECT_TONES[effect],
    ...(effect !== 'none' && { filter: ['effect', effect] as const }),
  }));
}

function computeSeverityShares(rows: readonly PlanRow[]): Share[] {
  return SEVERITY_LABELS.map(([severity, label]): Share => {
    const count = rows.filter((row) => row.severity === severity).length;
    return { count, label, tone: SEVERITY_TONES[severity], filter: ['severity', severity] };
  }).filter(({ count }) => count > 0);
}

function renderShare({ count, label, tone, filter }: Share, hasFilters: boolean): string {
  const content = `<i class="${tone}"></i><b>${count}</b> ${escapeMarkup(label)}`;
  return renderHtmlElement(
    'li',
    {},
    filter && hasFilters
      ? renderHtmlElement('button', { type: 'button', 'data-name': filter[0], 'data-value': filter[1] }, content)
      : renderHtmlElement('span', {}, content),
  );
}

/** Renders all rows as one bar with a legend. A click on a share shows only its rows. Empty if there is only one share. */
export function renderOverview({ change }: PlanDocument, rows: readonly PlanRow[]): string {
  const all = change ? computeEffectShares(change.summary) : computeSeverityShares(rows);
  const shares = all.toSorted((a, b) => TONES.indexOf(a.tone) - TONES.indexOf(b.tone));
  if (shares.length < 2) return '';
  const bar = shares.map(({ count, tone }) => renderHtmlElement('span', { class: tone, style: `flex-grow:${count}` }));
  return (
    renderHtmlElement('div', { class: 'bar', 'aria-hidden': 'true' }, ...bar) +
    renderHtmlElement('ul', { class: 'shares', 'aria-label': 'At a glance' }, ...shares.map((share) => renderShare(share, rows.length > 1)))
  );
}

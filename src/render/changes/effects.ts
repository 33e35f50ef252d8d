import type { ApplyEffect, ChangeSummary, ObjectChange } from '../../core/document/change';

/** Labels that follow the count of an effect, in the order of the headline: effects that move pods first. */
const EFFECT_LABELS: Readonly<Record<ApplyEffect, readonly [one: string, several: string]>> = {
  replace: ['is deleted and recreated', 'are deleted and recreated'],
  'roll-and-scale': ['rolls and scales', 'roll and scale'],
  roll: ['rolls', 'roll'],
  held: ['is on hold', 'are on hold'],
  scale: ['scales', 'scale'],
  'restart-needed': ['needs a restart', 'need a restart'],
  create: ['is new', 'are new'],
  delete: ['is deleted', 'are deleted'],
  settings: ['changes settings', 'change settings'],
  metadata: ['changes metadata', 'change metadata'],
  none: ['is unchanged', 'are unchanged'],
  refused: ['is refused', 'are refused'],
  unknown: ['has an unknown effect', 'have unknown effects'],
  hook: ['runs as a hook', 'run as hooks'],
};

export const EFFECT_LABEL_ENTRIES = Object.entries(EFFECT_LABELS) as [ApplyEffect, readonly [one: string, several: string]][];

/** Mark in front of each effect. */
export const EFFECT_MARKS: Readonly<Record<ApplyEffect, string>> = {
  refused: '✗',
  replace: '!',
  'roll-and-scale': '!',
  roll: '!',
  held: '!',
  scale: '~',
  'restart-needed': '!',
  settings: '~',
  metadata: '~',
  none: '=',
  create: '+',
  delete: '-',
  unknown: '?',
  hook: '*',
};

/** Effects in the order of a report: those that need a decision first. */
const EFFECTS_BY_URGENCY: readonly ApplyEffect[] = [
  'refused',
  'replace',
  'delete',
  'roll-and-scale',
  'roll',
  'held',
  'restart-needed',
  'scale',
  'unknown',
  'create',
  'settings',
  'metadata',
  'hook',
  'none',
];

/** Returns the number of objects with each effect that occurs, in the order of the headline: `2`, `roll`. */
export function countEffects(summary: ChangeSummary): { readonly effect: ApplyEffect; readonly count: number; readonly label: string }[] {
  return EFFECT_LABEL_ENTRIES.filter(([effect]) => (summary[effect] ?? 0) > 0).map(([effect, [one, several]]) => {
    const count = summary[effect] ?? 0;
    return { effect, count, label: count === 1 ? one : several };
  });
}

/** Returns the objects that differ, worst first. Objects with the same effect keep their order. */
export function sortByEffectUrgency(objects: readonly ObjectChange[]): ObjectChange[] {
  const ranked = objects.filter(({ effect }) => effect !== 'none');
  return ranked.toSorted((a, b) => EFFECTS_BY_URGENCY.indexOf(a.effect) - EFFECTS_BY_URGENCY.indexOf(b.effect));
}

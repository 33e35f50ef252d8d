import { escapeForTerminal } from '../../core/text/escape-output';
import { pluralize } from '../../core/text/text-format';
import type { PlannedUpgrade, UpgradeEffect } from '../../core/document/upgrade';
import type { Palette } from '../layout/palette';

/** What each effect does, in a word or two. */
export const UPGRADE_EFFECT_LABELS: Readonly<Record<UpgradeEffect, string>> = {
  roll: 'rolls pods',
  settings: 'settings',
  'new-pods': 'new pods only',
  'next-write': 'at the next write',
  redeploy: 'deploys again',
  rename: 'new name',
  select: 'other runtime',
};

/** Renders what the new version of an operator writes differently. The finding about it has a safer order. */
export function renderUpgradeLines({ differences }: PlannedUpgrade, palette: Palette): string[] {
  if (differences.length === 0) return [];
  return [
    palette.heading('what the new version does differently'),
    ...differences.map(
      ({ effect, message, objects, elided = 0 }) =>
        `  ${UPGRADE_EFFECT_LABELS[effect]}, ${pluralize(objects.length + elided, 'object')}: ${escapeForTerminal(message)}`,
    ),
  ];
}

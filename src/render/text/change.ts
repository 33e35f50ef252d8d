import type { ObjectChange, PlannedChange } from '../../core/document/change';
import { isNextRolloutFinding } from '../../core/findings/finding';
import type { PlannedRollout } from '../../core/document/rollout';
import type { ServicePlan } from '../../core/document/service-plan';
import { findMax } from '../../core/values/min-max';
import type { RolloutRollback } from '../../core/document/initial-state';
import { EFFECT_MARKS, sortByEffectUrgency } from '../changes/effects';
import { formatAssumedAppliers } from '../changes/appliers';
import { formatChangeHeadline, formatRetainedObjects } from '../changes/headline';
import { formatEffect } from '../changes/object';
import { rolloutResourceKeyOf, groupRolloutsByObject, groupServicesByObject } from '../changes/object-plans';
import { formatInitialStates } from '../changes/initial-states';
import type { ChangeHeadlineInput } from '../changes/headline';
import { measureColumns } from '../layout/columns';
import type { Palette } from '../layout/palette';
import { alignRows, computeNameWidth } from '../layout/table';
import { formatResourceLabel } from '../findings/text-findings';
import { escapeForTerminal } from '../../core/text/escape-output';

/** Effects that need a decision, or that prevent the intended change. */
const CRITICAL_EFFECTS: ReadonlySet<ObjectChange['effect']> = new Set(['refused', 'replace', 'delete']);
const DISRUPTIVE_EFFECTS: ReadonlySet<ObjectChange['effect']> = new Set(['roll', 'roll-and-scale', 'held', 'restart-needed']);

function applyEffectColour(line: string, { effect }: ObjectChange, palette: Palette): string {
  if (CRITICAL_EFFECTS.has(effect)) return palette.severity.error(line);
  return DISRUPTIVE_EFFECTS.has(effect) ? palette.severity.warning(line) : line;
}

/** Separates columns, and the parts of an outcome. */
const COLUMN_GAP = '   ';

/** Renders one line per object that differs, worst first. */
function renderObjectLines(
  change: PlannedChange,
  rollouts: ReadonlyMap<string, readonly PlannedRollout[]>,
  services: ReadonlyMap<string, readonly ServicePlan[]>,
  palette: Palette,
  width?: number,
): string[] {
  const differing = sortByEffectUrgency(change.objects);
  const rows = differing.map((one) => {
    const outcome = formatEffect(
      one,
      rollouts.get(rolloutResourceKeyOf(one.resource)) ?? [],
      services.get(rolloutResourceKeyOf(one.resource)),
    );
    return [`${EFFECT_MARKS[one.effect]} ${one.effect}`, formatResourceLabel(one.resource), outcome.join(COLUMN_GAP)];
  });
  const lead = findMax(
    rows.map(([effect]) => measureColumns(effect!)),
    0,
  );
  const maxNameWidth = computeNameWidth(
    rows.map(([, , outcome]) => outcome!),
    lead + 2 * COLUMN_GAP.length,
    width,
  );
  return alignRows(rows, ['left', 'left', 'left'], COLUMN_GAP, maxNameWidth).map((line, index) =>
    applyEffectColour(line, differing[index]!, palette),
  );
}

/** Renders a change: a headline, rollouts that were unhealthy before the apply, one line per object. */
export function renderChangeLines(plan: ChangeHeadlineInput, palette: Palette, width?: number): string[] {
  const { change, rollouts, services } = plan;
  const retainedText = formatRetainedObjects(plan);
  return [
    palette.heading(formatChangeHeadline(plan)),
    ...formatInitialStates(rollouts).map(palette.severity.warning),
    ...renderObjectLines(change, groupRolloutsByObject(rollouts), groupServicesByObject(services), palette, width),
    ...formatAssumedAppliers(change).map(palette.quiet),
    ...(retainedText === undefined ? [] : [palette.quiet(retainedText)]),
  ];
}

/** Effects that replace pods, or that the plan does not know. */
const ROLLING_EFFECTS: ReadonlySet<ObjectChange['effect']> = new Set(['roll', 'roll-and-scale', 'held', 'unknown']);

/** Findings that say which other controller decides about the pods. */
const OWNER_CODES: ReadonlySet<string> = new Set(['kubernetes/other-owner', 'flagger/primary-serves']);

/**
 * Selects the rollouts whose details a change shows: those that replace pods, also if the plan shows no rows because a finding says who
 * decides about them, and those with a finding above info or about the next rollout.
 */
export function selectRelevantRollouts(rollouts: readonly PlannedRollout[], { objects }: PlannedChange): readonly PlannedRollout[] {
  const rolled = new Set(objects.filter(({ effect }) => ROLLING_EFFECTS.has(effect)).map(({ resource }) => rolloutResourceKeyOf(resource)));
  return rollouts.filter(
    ({ simulation, capacity, findings, resource }) =>
      simulation !== null ||
      capacity?.verdict === 'may-not-fit' ||
      findings.some((finding) => finding.severity !== 'info' || isNextRolloutFinding(finding)) ||
      (resource.component !== 'canary' && findings.some(({ code }) => OWNER_CODES.has(code)) && rolled.has(rolloutResourceKeyOf(resource))),
  );
}

/** Formats how to undo a failed rollout. */
export function formatRollback({ works, message, command }: RolloutRollback): string {
  return escapeForTerminal(`${works ? 'rollback' : 'no automatic rollback'}: ${message}${command === undefined ? '' : ` (${command})`}`);
}

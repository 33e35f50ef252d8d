import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { PRODUCTS, knownProduct } from '../core/versions';
import { paletteOf } from './palette';
import type { Palette } from './palette';
import { behaviourLines } from './text-behaviour';
import { changeLines, isOfChange, wayBackText } from './text-change';
import { documentedLines } from './text-documented';
import { findingCounts, findingLines, resourceText } from './text-findings';
import { notPlannedLines } from './text-not-planned';
import { sharedRoomLines } from './text-shared-room';
import { simulationLines } from './text-simulation';
import { createdText, strategyText } from './text-strategy';
import { visible } from './visible';
import { surroundingLines } from './text-surroundings';
import { countedOrNo, listed } from '../core/words';

/** How text is rendered. */
export interface TextOptions {
  /** Only for a terminal. @default false */
  readonly colour?: boolean;
  /** List suppressed findings as well. @default false: they are counted */
  readonly showSuppressed?: boolean;
}

function indented(lines: readonly string[], by = '  '): string[] {
  return lines.map((line) => (line === '' ? '' : by + line));
}

function separated(blocks: readonly (readonly string[])[]): string[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function counted(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ suppressed }) => !suppressed);
}

/** The versions that the rollouts at hand depend on. */
function versionsText({ rollouts, versions }: PlanDocument): string {
  const hasRevisions = rollouts.some(({ simulation }) => simulation?.kind === 'revision');
  const used = new Set<string>(['kubernetes', ...rollouts.map(({ system }) => system), ...(hasRevisions ? ['knative'] : [])]);
  const products = PRODUCTS.filter((product) => used.has(product));
  return listed(products.map((product) => `${knownProduct(product).name} ${versions[product]}`));
}

function summaryLine(plan: PlanDocument): string {
  return `${countedOrNo(plan.rollouts.length, 'rollout')} on ${versionsText(plan)}: ${findingCounts(plan.summary)}`;
}

/** The row at which a rollout stands still for want of room; undefined where it ends. */
function standstill({ room }: PlannedRollout): number | undefined {
  return room?.verdict === 'deadlocks' ? room.deadlockWave : undefined;
}

/** A rollout as a person reads it: its strategy, what surrounds it, its rows and its findings. */
export function rolloutLines(rollout: PlannedRollout, palette: Palette): string[] {
  const { system, resource, unit, start, simulation, back, documented, creates = [], findings } = rollout;
  const happens = simulation
    ? simulationLines(simulation, palette, standstill(rollout))
    : [start ? 'no pod is replaced' : 'no simulation: see the findings'];
  const blocks = [
    [strategyText(rollout), ...creates.map(createdText), ...surroundingLines(rollout), ...happens, ...(back ? [wayBackText(back)] : [])],
    ...(documented ? [documentedLines(documented, palette)] : []),
    ...counted(findings).map((finding) => findingLines(finding, palette)),
  ];
  return [
    `${palette.heading(resourceText(resource))} ${palette.quiet(`(${[system, ...(unit === undefined ? [] : [visible(unit)])].join(', ')})`)}`,
    ...indented(separated(blocks)),
  ];
}

/** The plan as a person reads it before an apply: a summary, findings about the input, then each rollout with its waves and findings. */
export function renderPlanText(plan: PlanDocument, { colour = false }: TextOptions = {}): string {
  const palette = paletteOf(colour);
  const { change, behaviour, rollouts } = plan;
  const shown = change ? rollouts.filter(isOfChange) : rollouts;
  const blocks = [
    ...(change ? [changeLines(change, rollouts, palette)] : []),
    ...(behaviour ? [behaviourLines(behaviour, palette)] : []),
    [palette.heading(summaryLine(plan)), ...notPlannedLines(plan), ...(plan.room ? sharedRoomLines(plan.room, palette) : [])],
    ...counted(plan.findings).map((finding) => findingLines(finding, palette)),
    ...shown.map((rollout) => rolloutLines(rollout, palette)),
  ];
  return `${separated(blocks).join('\n')}\n`;
}

/** The findings alone, in the order of the plan document, and a line of summary. */
export function renderCheckText(plan: PlanDocument, { colour = false, showSuppressed = false }: TextOptions = {}): string {
  const palette = paletteOf(colour);
  const shown = showSuppressed ? (findings: readonly Finding[]) => findings : counted;
  const findings = [
    ...shown(plan.findings).map((finding) => findingLines(finding, palette)),
    ...plan.rollouts.flatMap(({ resource, findings: own }) => shown(own).map((finding) => findingLines(finding, palette, resource))),
  ];
  return `${separated([...findings, [...notPlannedLines(plan), palette.heading(summaryLine(plan))]]).join('\n')}\n`;
}

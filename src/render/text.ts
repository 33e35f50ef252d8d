import type { Finding, Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { isAsBad } from '../core/severity';
import type { Simulation } from '../core/simulations/simulation';
import { PRODUCTS, knownProduct } from '../core/versions';
import { changeHeadline } from './change-words';
import { findingGroups, placedFindings, sayingOf } from './finding-groups';
import { fitText } from './fit-width';
import { outcomeOf, standstill } from './outcome-words';
import { paletteOf } from './palette';
import type { Palette } from './palette';
import { behaviourLines } from './text-behaviour';
import { changeLines, isOfChange, wayBackText } from './text-change';
import { documentedLines } from './text-documented';
import { findingCounts, findingLines, resourceText } from './text-findings';
import { notPlannedLines } from './text-not-planned';
import { findingBlocks, overviewLines } from './text-overview';
import { selectedPlan } from './selection';
import type { IsChosen } from './selection';
import { sharedRoomLines } from './text-shared-room';
import { simulationLines } from './text-simulation';
import { createdText, strategyText } from './text-strategy';
import { visible } from '../core/visible';
import { surroundingLines } from './text-surroundings';
import { countedOrNo, listed } from '../core/words';

/** Whose waves stand in a plan's text. */
export const DETAILS = ['none', 'findings', 'all'] as const;

/** `findings`: of rollouts with a finding of warning or above, or that never end. */
export type Details = (typeof DETAILS)[number];

/** How text is rendered. */
export interface TextOptions {
  /** Only for a terminal. @default false */
  readonly colour?: boolean;
  /** List suppressed findings as well. @default false: they are counted */
  readonly showSuppressed?: boolean;
  /** Characters in a line of the terminal, at least 20. @default - lines are as long as what they say */
  readonly width?: number;
  /** Whose waves are shown. @default - `all` up to 10 rollouts, else `findings` */
  readonly details?: Details;
  /** Findings below it are counted and not shown. @default info */
  readonly minSeverity?: Severity;
  /** Show these alone; the first line still sums up the whole plan. @default - all */
  readonly isChosen?: IsChosen;
}

/** Rollouts of which a plan shows everything unless it is told otherwise. */
const MOST_IN_FULL = 10;

/** Lines that fit on a screen; the last line of a longer text says again what the first said. */
const SCREEN = 40;

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

function stuckText(rollouts: readonly PlannedRollout[]): string {
  const count = rollouts.filter((rollout) => outcomeOf(rollout).isStuck).length;
  return count === 0 ? '' : `${count} ${count === 1 ? 'never ends' : 'never end'}, `;
}

/** The line that sums up a plan: of a change what it does, else the rollouts and what is found. */
export function planHeadline(plan: PlanDocument): string {
  return plan.change ? changeHeadline(plan.change, plan.rollouts) : summaryLine(plan);
}

function summaryLine(plan: PlanDocument): string {
  return `${countedOrNo(plan.summary.rollouts, 'rollout')} on ${versionsText(plan)}: ${stuckText(plan.rollouts)}${findingCounts(plan.summary)}`;
}

/** What stands above a rollout already. */
export interface Told {
  /** Sentences; those that are said below are added. */
  readonly said: Set<string>;
  /** Is it the only rollout, so that what stands above can only be of it? */
  readonly isAlone: boolean;
  readonly minSeverity: Severity;
  /** Is it new, so that there is nothing that it replaces? @default false */
  readonly isNew?: boolean;
}

/** What is said where there is nothing to simulate. */
function restText({ start }: PlannedRollout, { isNew = false }: Told): string {
  if (isNew) return 'its first pods start, and nothing is replaced';
  return start ? 'no pod is replaced' : 'no simulation: see the findings';
}

/** A finding whose sentence was said above is named by its code and place, or not at all where there is nothing to tell it from. */
function toldLines(finding: Finding, palette: Palette, { said, isAlone }: Told): string[] {
  const key = sayingOf(finding);
  const lines = findingLines(finding, palette);
  if (said.has(key)) return isAlone ? [] : lines.slice(0, 1);
  said.add(key);
  return lines;
}

/** Stands before rows that are not those of the room that there is. */
const WITH_ROOM = 'with room for all of its pods at once it would be:';

/** A rollout as a person reads it: its strategy, what surrounds it, its rows and its findings. */
export function rolloutLines(
  rollout: PlannedRollout,
  palette: Palette,
  told: Told = { said: new Set(), isAlone: true, minSeverity: 'info' },
): string[] {
  const { system, resource, unit, simulation, back, documented, creates = [], findings } = rollout;
  // Of one that is slower for want of room its message says how it goes; the rows are those that it has with room.
  const isSlower = simulation !== null && rollout.room?.verdict === 'slower';
  const happens = simulation ? simulationLines(simulation, palette, standstill(rollout)) : [restText(rollout, told)];
  const shown = counted(findings).filter(({ severity }) => isAsBad(severity, told.minSeverity));
  const blocks = [
    [
      strategyText(rollout),
      ...creates.map(createdText),
      ...surroundingLines(rollout),
      ...(isSlower ? [WITH_ROOM] : []),
      ...happens,
      ...(back ? [wayBackText(back)] : []),
    ],
    ...(documented ? [documentedLines(documented, palette)] : []),
    ...shown.map((finding) => toldLines(finding, palette, told)).filter((lines) => lines.length > 0),
  ];
  return [
    `${palette.heading(resourceText(resource))} ${palette.quiet(`(${[system, ...(unit === undefined ? [] : [visible(unit)])].join(', ')})`)}`,
    ...indented(separated(blocks)),
  ];
}

/** Does somebody have to decide about a rollout, or does it never end? */
function needsReading(rollout: PlannedRollout, minSeverity: Severity): boolean {
  const bar = minSeverity === 'info' ? 'warning' : minSeverity;
  return counted(rollout.findings).some(({ severity }) => isAsBad(severity, bar)) || outcomeOf(rollout).isStuck;
}

const WAVE_WORD = 'a wave: pods that are started and stopped before anything has to wait for new pods to become ready';
const CLUSTER_WAVE_WORD = 'a wave of clusters: those that get the change before the next ones have to wait for their reports';

/** What is called a wave, by the kind of simulation; undefined where the plan does not say the word, or its rows tell what they wait for. */
const WAVE_WORDS: Readonly<Record<Simulation['kind'], string | undefined>> = {
  deployment: WAVE_WORD,
  statefulset: undefined,
  daemonset: WAVE_WORD,
  revision: WAVE_WORD,
  leaderworkerset: WAVE_WORD,
  disaggregatedset: WAVE_WORD,
  argorollout: WAVE_WORD,
  rayservice: undefined,
  fleet: CLUSTER_WAVE_WORD,
  rollingsync: undefined,
};

function hasWaves(simulation: Simulation): boolean {
  if (simulation.kind === 'fleet') return simulation.install.waves.length + simulation.update.waves.length > 0;
  return 'waves' in simulation && simulation.waves.length > 0;
}

/** What is called a wave, where the plan says the word. */
function wordLines(rollouts: readonly PlannedRollout[], palette: Palette): string[] {
  const said = new Set(rollouts.map(({ simulation }) => (simulation && hasWaves(simulation) ? WAVE_WORDS[simulation.kind] : undefined)));
  return [WAVE_WORD, CLUSTER_WAVE_WORD].filter((word) => said.has(word)).map((line) => palette.quiet(line));
}

/** Rollouts whose rows are shown. */
function inDetail(rollouts: readonly PlannedRollout[], { details, minSeverity = 'info' }: TextOptions): readonly PlannedRollout[] {
  const level = details ?? (rollouts.length <= MOST_IN_FULL ? 'all' : 'findings');
  if (level === 'none') return [];
  return level === 'all' ? rollouts : rollouts.filter((rollout) => needsReading(rollout, minSeverity));
}

/**
 * The plan as a person reads it before an apply: one line that sums up, what needs a decision with the worst first, one line a rollout,
 * then the waves of those that are asked for. What is said of several rollouts is said once.
 */
export function renderPlanText(plan: PlanDocument, options: TextOptions = {}): string {
  const { colour = false, width, minSeverity = 'info', isChosen } = options;
  const palette = paletteOf(colour);
  const { change, behaviour, rollouts } = isChosen ? selectedPlan(plan, isChosen) : plan;
  const shown = change ? rollouts.filter(isOfChange) : rollouts;
  const detailed = inDetail(shown, options);
  const placed = placedFindings({ findings: plan.findings, rollouts: shown }).filter(({ finding }) =>
    isAsBad(finding.severity, minSeverity),
  );
  const decisions = findingGroups(placed.filter(({ finding }) => finding.severity !== 'info'));
  const aboutNone = findingGroups(placed.filter(({ finding, about }) => finding.severity === 'info' && about === undefined));
  const said = new Set(decisions.map(({ first }) => sayingOf(first.finding)));
  const hasOverview = !change && shown.length > 0 && (shown.length > 1 || detailed.length === 0);

  const headline = palette.heading(planHeadline(plan));
  const blocks = [
    ...(change ? [changeLines(change, rollouts, palette, width)] : []),
    ...(behaviour ? [behaviourLines(behaviour, palette)] : []),
    [
      palette.heading(summaryLine(plan)),
      ...notPlannedLines(plan),
      ...(isChosen ? [palette.quiet(`shown: ${rollouts.length} of ${countedOrNo(plan.rollouts.length, 'rollout')}`)] : []),
      ...(plan.room ? sharedRoomLines(plan.room, palette) : []),
    ],
    ...findingBlocks(decisions, palette),
    ...(hasOverview ? [[...overviewLines(shown, palette, width), ...wordLines(shown, palette)]] : []),
    ...findingBlocks(aboutNone, palette),
    ...(hasOverview ? [] : [wordLines(detailed, palette)]),
    ...detailed.map((rollout) => rolloutLines(rollout, palette, { said, isAlone: shown.length === 1, minSeverity })),
  ];
  return laidOut(blocks, headline, width);
}

/** Blocks as one text; of a long one the last line says again what the first said, since a terminal shows the end. */
function laidOut(blocks: readonly (readonly string[])[], headline: string, width: number | undefined): string {
  const lines = separated(blocks.filter((block) => block.length > 0));
  const all = lines.length > SCREEN ? [...lines, '', headline] : lines;
  return fitText(`${all.join('\n')}\n`, width);
}

/** One line that sums up, then the findings alone: the worst first, what is said of several things once with all of its places. */
export function renderCheckText(plan: PlanDocument, { colour = false, showSuppressed = false, width }: TextOptions = {}): string {
  const palette = paletteOf(colour);
  const headline = palette.heading(summaryLine(plan));
  const groups = findingGroups(placedFindings(plan, { withSuppressed: showSuppressed }), sayingOf);
  return laidOut([[headline, ...notPlannedLines(plan)], ...findingBlocks(groups, palette, Infinity)], headline, width);
}

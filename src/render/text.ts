import type { Finding, Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { isAtLeastSeverity } from '../core/severity';
import type { Simulation } from '../core/simulations/simulation';
import { PRODUCTS, getProduct } from '../core/versions';
import { formatChangeHeadline } from './format-change';
import { groupSimilarFindings, collectPlanFindings, messageKeyOf } from './finding-groups';
import { wrapTextToWidth } from './wrap-text';
import { describeRolloutOutcome, findDeadlockRow } from './outcome-text';
import { createPalette } from './palette';
import type { Palette } from './palette';
import { renderBehaviourLines } from './text-behaviour';
import { renderChangeLines, isRelevantToChange, formatRollback } from './text-change';
import { renderDocumentedLines } from './text-documented';
import { formatFindingCounts, renderFindingLines, formatResourceLabel } from './text-findings';
import { renderNotPlannedLines } from './text-not-planned';
import { renderFindingBlocks, renderOverviewLines } from './text-overview';
import { filterPlanByResource } from './filter-plan';
import type { ResourcePredicate } from './filter-plan';
import { renderSharedCapacityLines } from './text-shared-capacity';
import { renderSimulationLines } from './text-simulation';
import { formatCreatedObject, formatRolloutStrategy } from './text-strategy';
import { escapeForTerminal } from '../core/escape-output';
import { renderConstraintLines } from './text-constraints';
import { pluralizeOrNo, joinWords } from '../core/text-format';

/** Whose waves stand in a plan's text. */
export const DETAIL_LEVELS = ['none', 'findings', 'all'] as const;

/** `findings`: of rollouts with a finding of warning or above, or that never end. */
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/** How text is rendered. */
export interface TextOptions {
  /** Only for a terminal. @default false */
  readonly colour?: boolean;
  /** List suppressed findings as well. @default false: they are counted */
  readonly showSuppressed?: boolean;
  /** Characters in a line of the terminal, at least 20. @default - lines are as long as what they say */
  readonly width?: number;
  /** Whose waves are shown. @default - `all` up to 10 rollouts, else `findings` */
  readonly details?: DetailLevel;
  /** Findings below it are counted and not shown. @default info */
  readonly minSeverity?: Severity;
  /** Show these alone; the first line still sums up the whole plan. @default - all */
  readonly isSelected?: ResourcePredicate;
}

/** Rollouts of which a plan shows everything unless it is told otherwise. */
const MAX_DETAILED_ROLLOUTS = 10;

/** Lines that fit on a screen; the last line of a longer text says again what the first said. */
const SCREEN_LINES = 40;

function indentLines(lines: readonly string[], by = '  '): string[] {
  return lines.map((line) => (line === '' ? '' : by + line));
}

function joinBlocks(blocks: readonly (readonly string[])[]): string[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function excludeSuppressed(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ suppressed }) => !suppressed);
}

/** The versions that the rollouts at hand depend on. */
function formatVersions({ rollouts, versions }: PlanDocument): string {
  const hasRevisions = rollouts.some(({ simulation }) => simulation?.kind === 'revision');
  const used = new Set<string>(['kubernetes', ...rollouts.map(({ system }) => system), ...(hasRevisions ? ['knative'] : [])]);
  const products = PRODUCTS.filter((product) => used.has(product));
  return joinWords(products.map((product) => `${getProduct(product).name} ${versions[product]}`));
}

function formatStuckCount(rollouts: readonly PlannedRollout[]): string {
  const count = rollouts.filter((rollout) => describeRolloutOutcome(rollout).isStuck).length;
  return count === 0 ? '' : `${count} ${count === 1 ? 'never ends' : 'never end'}, `;
}

/** The line that sums up a plan: of a change what it does, else the rollouts and what is found. */
export function formatPlanHeadline(plan: PlanDocument): string {
  return plan.change ? formatChangeHeadline(plan.change, plan.rollouts) : formatSummaryLine(plan);
}

function formatSummaryLine(plan: PlanDocument): string {
  return `${pluralizeOrNo(plan.summary.rollouts, 'rollout')} on ${formatVersions(plan)}: ${formatStuckCount(plan.rollouts)}${formatFindingCounts(plan.summary)}`;
}

/** What stands above a rollout already. */
export interface RolloutTextContext {
  /** Sentences; those that are said below are added. */
  readonly printed: Set<string>;
  /** Is it the only rollout, so that what stands above can only be of it? */
  readonly isOnlyRollout: boolean;
  readonly minSeverity: Severity;
  /** Is it new, so that there is nothing that it replaces? @default false */
  readonly isNew?: boolean;
}

/** What is said where there is nothing to simulate. */
function formatNoSimulation({ initialState }: PlannedRollout, { isNew = false }: RolloutTextContext): string {
  if (isNew) return 'its first pods start, and nothing is replaced';
  return initialState ? 'no pod is replaced' : 'no simulation: see the findings';
}

/** A finding whose sentence was said above is named by its code and place, or not at all where there is nothing to tell it from. */
function renderFindingOnce(finding: Finding, palette: Palette, { printed, isOnlyRollout }: RolloutTextContext): string[] {
  const key = messageKeyOf(finding);
  const lines = renderFindingLines(finding, palette);
  if (printed.has(key)) return isOnlyRollout ? [] : lines.slice(0, 1);
  printed.add(key);
  return lines;
}

/** Stands before rows that are not those of the room that there is. */
const WITH_CAPACITY_HEADING = 'with room for all of its pods at once it would be:';

/** A rollout as a person reads it: its strategy, what surrounds it, its rows and its findings. */
export function renderRolloutLines(
  rollout: PlannedRollout,
  palette: Palette,
  context: RolloutTextContext = { printed: new Set(), isOnlyRollout: true, minSeverity: 'info' },
): string[] {
  const { system, resource, unit, simulation, rollback, documented, creates = [], findings } = rollout;
  // Of one that is slower for want of room its message says how it goes; the rows are those that it has with room.
  const isSlower = simulation !== null && rollout.capacity?.verdict === 'slower';
  const outcome = simulation
    ? renderSimulationLines(simulation, palette, findDeadlockRow(rollout))
    : [formatNoSimulation(rollout, context)];
  const shown = excludeSuppressed(findings).filter(({ severity }) => isAtLeastSeverity(severity, context.minSeverity));
  const blocks = [
    [
      formatRolloutStrategy(rollout),
      ...creates.map(formatCreatedObject),
      ...renderConstraintLines(rollout),
      ...(isSlower ? [WITH_CAPACITY_HEADING] : []),
      ...outcome,
      ...(rollback ? [formatRollback(rollback)] : []),
    ],
    ...(documented ? [renderDocumentedLines(documented, palette)] : []),
    ...shown.map((finding) => renderFindingOnce(finding, palette, context)).filter((lines) => lines.length > 0),
  ];
  return [
    `${palette.heading(formatResourceLabel(resource))} ${palette.quiet(`(${[system, ...(unit === undefined ? [] : [escapeForTerminal(unit)])].join(', ')})`)}`,
    ...indentLines(joinBlocks(blocks)),
  ];
}

/** Does somebody have to decide about a rollout, or does it never end? */
function shouldShowDetails(rollout: PlannedRollout, minSeverity: Severity): boolean {
  const bar = minSeverity === 'info' ? 'warning' : minSeverity;
  return (
    excludeSuppressed(rollout.findings).some(({ severity }) => isAtLeastSeverity(severity, bar)) || describeRolloutOutcome(rollout).isStuck
  );
}

const WAVE_DEFINITION = 'a wave: pods that are started and stopped before anything has to wait for new pods to become ready';
const CLUSTER_WAVE_DEFINITION = 'a wave of clusters: those that get the change before the next ones have to wait for their reports';

/** What is called a wave, by the kind of simulation; undefined where the plan does not say the word, or its rows tell what they wait for. */
const WAVE_DEFINITIONS: Readonly<Record<Simulation['kind'], string | undefined>> = {
  deployment: WAVE_DEFINITION,
  statefulset: undefined,
  daemonset: WAVE_DEFINITION,
  revision: WAVE_DEFINITION,
  leaderworkerset: WAVE_DEFINITION,
  disaggregatedset: WAVE_DEFINITION,
  argorollout: WAVE_DEFINITION,
  rayservice: undefined,
  fleet: CLUSTER_WAVE_DEFINITION,
  rollingsync: undefined,
};

function hasWaves(simulation: Simulation): boolean {
  if (simulation.kind === 'fleet') return simulation.install.waves.length + simulation.update.waves.length > 0;
  return 'waves' in simulation && simulation.waves.length > 0;
}

/** What is called a wave, where the plan says the word. */
function renderDefinitionLines(rollouts: readonly PlannedRollout[], palette: Palette): string[] {
  const printed = new Set(
    rollouts.map(({ simulation }) => (simulation && hasWaves(simulation) ? WAVE_DEFINITIONS[simulation.kind] : undefined)),
  );
  return [WAVE_DEFINITION, CLUSTER_WAVE_DEFINITION].filter((definition) => printed.has(definition)).map((line) => palette.quiet(line));
}

/** Rollouts whose rows are shown. */
function selectDetailedRollouts(
  rollouts: readonly PlannedRollout[],
  { details, minSeverity = 'info' }: TextOptions,
): readonly PlannedRollout[] {
  const level = details ?? (rollouts.length <= MAX_DETAILED_ROLLOUTS ? 'all' : 'findings');
  if (level === 'none') return [];
  return level === 'all' ? rollouts : rollouts.filter((rollout) => shouldShowDetails(rollout, minSeverity));
}

/**
 * The plan as a person reads it before an apply: one line that sums up, what needs a decision with the worst first, one line a rollout,
 * then the waves of those that are asked for. What is said of several rollouts is said once.
 */
export function renderPlanText(plan: PlanDocument, options: TextOptions = {}): string {
  const { colour = false, width, minSeverity = 'info', isSelected } = options;
  const palette = createPalette(colour);
  const { change, behaviour, rollouts } = isSelected ? filterPlanByResource(plan, isSelected) : plan;
  const shown = change ? rollouts.filter(isRelevantToChange) : rollouts;
  const detailed = selectDetailedRollouts(shown, options);
  const attributed = collectPlanFindings({ findings: plan.findings, rollouts: shown }).filter(({ finding }) =>
    isAtLeastSeverity(finding.severity, minSeverity),
  );
  const decisions = groupSimilarFindings(attributed.filter(({ finding }) => finding.severity !== 'info'));
  const generalFindings = groupSimilarFindings(
    attributed.filter(({ finding, about }) => finding.severity === 'info' && about === undefined),
  );
  const printed = new Set(decisions.map(({ first }) => messageKeyOf(first.finding)));
  const hasOverview = !change && shown.length > 0 && (shown.length > 1 || detailed.length === 0);

  const headline = palette.heading(formatPlanHeadline(plan));
  const blocks = [
    ...(change ? [renderChangeLines(change, rollouts, palette, width)] : []),
    ...(behaviour ? [renderBehaviourLines(behaviour, palette)] : []),
    [
      palette.heading(formatSummaryLine(plan)),
      ...renderNotPlannedLines(plan),
      ...(isSelected ? [palette.quiet(`shown: ${rollouts.length} of ${pluralizeOrNo(plan.rollouts.length, 'rollout')}`)] : []),
      ...(plan.capacity ? renderSharedCapacityLines(plan.capacity, palette) : []),
    ],
    ...renderFindingBlocks(decisions, palette),
    ...(hasOverview ? [[...renderOverviewLines(shown, palette, width), ...renderDefinitionLines(shown, palette)]] : []),
    ...renderFindingBlocks(generalFindings, palette),
    ...(hasOverview ? [] : [renderDefinitionLines(detailed, palette)]),
    ...detailed.map((rollout) => renderRolloutLines(rollout, palette, { printed, isOnlyRollout: shown.length === 1, minSeverity })),
  ];
  return renderBlocks(blocks, headline, width);
}

/** Blocks as one text; of a long one the last line says again what the first said, since a terminal shows the end. */
function renderBlocks(blocks: readonly (readonly string[])[], headline: string, width: number | undefined): string {
  const lines = joinBlocks(blocks.filter((block) => block.length > 0));
  const all = lines.length > SCREEN_LINES ? [...lines, '', headline] : lines;
  return wrapTextToWidth(`${all.join('\n')}\n`, width);
}

/** One line that sums up, then the findings alone: the worst first, what is said of several things once with all of its places. */
export function renderCheckText(plan: PlanDocument, { colour = false, showSuppressed = false, width }: TextOptions = {}): string {
  const palette = createPalette(colour);
  const headline = palette.heading(formatSummaryLine(plan));
  const groups = groupSimilarFindings(collectPlanFindings(plan, { withSuppressed: showSuppressed }), messageKeyOf);
  return renderBlocks([[headline, ...renderNotPlannedLines(plan)], ...renderFindingBlocks(groups, palette, Infinity)], headline, width);
}

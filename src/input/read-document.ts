import { DocumentError } from './yaml';
import type { Chunk, DocumentValue, DuplicateKey } from './yaml';
import { SourceText } from './source-map';
import type { Finding, Source } from '../core/findings/finding';
import type { DocumentProblem, FileProblem } from '../core/findings/input-problem';
import { isFields } from '../core/manifest/manifest';
import { getErrorMessage } from '../core/errors/error-message';
import { hideSecretText, hideText, mayContainSecret, explainNonObject } from './non-object-findings';
import type { BudgetTracker } from './read-budget';
import type { OmittedFindings } from '../core/findings/finding-limits';
import { unreadable } from '../core/rules/unreadable';
import { REDACTED_VALUE } from '../core/document/change';
import { buildFieldPath, parseFieldPath, ROOT_PATH } from '../core/manifest/field-path';
import { containsSecretHolder, endTrailAtSecretValue } from '../core/manifest/secret-holder';
import { createDuplicateKeyFinding, createOmittedDuplicateKeysFinding } from '../core/rules/duplicate-key';
import type { FileContext } from './layout';
import type { InputFile } from './discovered-file';
import { determineNonObjectSeverity } from './non-object-severity';
import { fileTextOf, isNotUtf8 } from './file-content';
import { mayContainObject } from './object-text';
import { TemplateText } from './template-text';
import { isHelmTemplate } from './file-role';
import { createTemplateFinding } from '../core/rules/template';

/** A document of a file and its position. */
export interface PlacedDocument extends DocumentValue {
  readonly chunk: Chunk;
  readonly text: SourceText;
}

/** A document that cannot be read. */
export interface UnreadableDocument {
  readonly finding: Finding;
  /** Whether kubectl may apply an object of it all the same. */
  readonly mayBeApplied: boolean;
  /** Whether it exceeds a limit that only this reader has, or the reader fails on it, so that any text may be in it. */
  readonly isOverLimit?: boolean;
}

const NOT_UTF8 = { kind: 'not-utf8' } as const;

export function createUnreadableFileFinding(file: string, problem: FileProblem): Finding {
  return unreadable.createFinding('file', { path: ROOT_PATH, data: { file, problem }, source: { file, line: 1 } });
}

/** Creates the finding about checks that took more than the time of the budget. */
export function createOmittedChecksFinding(limit: number): Finding {
  return unreadable.createFinding('checks', { path: ROOT_PATH, data: { limit } });
}

export function createUnreadableDocumentFinding(begin: Source, at: Source, problem: DocumentProblem): Finding {
  return unreadable.createFinding('document', { path: ROOT_PATH, data: { startLine: begin.line, problem }, source: at });
}

function toTimeProblem({ budget }: BudgetTracker): DocumentProblem {
  return { kind: 'over-budget', budget: 'seconds', limit: budget.seconds };
}

/** Creates the finding about a document of which only some objects are read within the time of the budget. */
export function createLateDocumentFinding(at: Source, spending: BudgetTracker): Finding {
  return createUnreadableDocumentFinding(at, at, toTimeProblem(spending));
}

function createUnreadableDocument(begin: Source, at: Source, problem: DocumentProblem): UnreadableDocument {
  return { finding: createUnreadableDocumentFinding(begin, at, problem), mayBeApplied: true };
}

/** Reads the value of a document. Its bytes that are not UTF-8 were decoded to U+FFFD. */
function readDocumentValue(chunk: Chunk, text: SourceText, hasInvalidBytes: boolean): DocumentValue {
  const invalidAt = hasInvalidBytes ? text.textOf(chunk).indexOf('\ufffd') : -1;
  if (invalidAt >= 0) throw new DocumentError(invalidAt, NOT_UTF8);
  return text.valueOf(chunk);
}

/** Returns the offset of the first line with content. A chunk may begin with blank lines and comments. */
export function findContentStart(chunk: Chunk, source: SourceText): number {
  const text = source.textOf(chunk);
  for (let line = 0; line < text.length;) {
    const next = text.indexOf('\n', line) + 1 || text.length;
    const content = text.slice(line, next).trimStart();
    const isMark = line === 0 && /^---\s/.test(content);
    if (content !== '' && !content.startsWith('#') && !isMark) return chunk.at + line;
    line = next;
  }
  return chunk.at;
}

/**
 * Problems that kubectl has too, except in rare texts, so that it applies nothing of the document. The others are limits of this reader, or are
 * accepted by Go. If every file must be planned, no finding about a text that may contain an object relies on this.
 */
const PROBLEMS_OF_KUBECTL: ReadonlySet<DocumentProblem['kind']> = new Set([
  'alias-without-anchor',
  'anchor-in-itself',
  'key-not-text',
  'merge-without-map',
  'syntax',
]);

/** Limits of this reader, whatever the text is. An author can exceed them on purpose. */
const LIMITS: ReadonlySet<DocumentProblem['kind']> = new Set(['aliases-too-large', 'over-budget', 'too-deep', 'too-many-aliases']);

/** The start of a document after a line break that does not separate documents, so that directives may come before it. */
const START_WITHIN_DOCUMENT = /[\r\u0085\u2028\u2029]---/;

/** Reports whether kubectl may apply an object of a document that this reader refuses. kubectl accepts a null key in a value that it discards. */
function mayBeApplied({ problem, valueBefore }: DocumentError, document: string): boolean {
  if (problem.kind === 'key-not-text' && problem.value === null) return true;
  if (problem.kind === 'syntax' && problem.fault === 'directive' && START_WITHIN_DOCUMENT.test(document)) return true;
  return !PROBLEMS_OF_KUBECTL.has(problem.kind) || isFields(valueBefore);
}

/** Hides the keys of maps that are written in place of a text of a Secret, and those without a path. */
function hideKeysOfSecrets(duplicateKeys: readonly DuplicateKey[], value: unknown): readonly DuplicateKey[] {
  if (duplicateKeys.length === 0 || !containsSecretHolder(value)) return duplicateKeys;
  return duplicateKeys.map((duplicate) => {
    const trail = parseFieldPath(duplicate.path);
    const shown = endTrailAtSecretValue(trail);
    if (trail.length > 0 && shown.length === trail.length) return duplicate;
    return { ...duplicate, path: buildFieldPath(...shown), key: REDACTED_VALUE };
  });
}

function readChunk(chunk: Chunk, text: SourceText, hasInvalidBytes: boolean): PlacedDocument | UnreadableDocument {
  try {
    const { value, duplicateKeys, restAt } = readDocumentValue(chunk, text, hasInvalidBytes);
    // Without a spread: V8 would give every such object a hidden class of its own.
    return { value, duplicateKeys: hideKeysOfSecrets(duplicateKeys, value), chunk, text, restAt };
  } catch (error) {
    const begin = text.sourceAt(findContentStart(chunk, text));
    if (!(error instanceof DocumentError))
      return { ...createUnreadableDocument(begin, begin, { kind: 'failed', said: getErrorMessage(error) }), isOverLimit: true };
    const document = text.textOf(chunk);
    return {
      finding: createUnreadableDocumentFinding(begin, text.sourceAt(chunk.at + error.at), hideSecretText(error.problem, chunk, text)),
      mayBeApplied: mayBeApplied(error, document),
      isOverLimit: LIMITS.has(error.problem.kind),
    };
  }
}

/**
 * Reads the documents of a file in order.
 *
 * @param keepsWords - whether words that are booleans only in YAML 1.1 are texts, as for kustomize
 */
export function* readFileDocuments(
  { file, content, place, origins }: InputFile,
  spending?: BudgetTracker,
  keepsWords = false,
): Generator<PlacedDocument | UnreadableDocument> {
  const hasInvalidBytes = isNotUtf8(content);
  if (hasInvalidBytes && content.includes(0)) {
    // kubectl reads UTF-16 with a byte order mark.
    yield { finding: createUnreadableFileFinding(file, NOT_UTF8), mayBeApplied: true };
    return;
  }
  const text = new SourceText(file, fileTextOf(content), place?.unit, spending, origins, place?.namespaces, keepsWords);
  let mayHaveSecret: boolean | undefined;
  for (const chunk of text.chunks()) {
    if (spending?.isLate()) {
      const at = text.sourceAt(chunk.at);
      yield createUnreadableDocument(at, at, toTimeProblem(spending));
      return;
    }
    if ('problem' in chunk) {
      const at = text.sourceAt(chunk.at);
      // The line may continue a Secret: a key in PEM that is not indented begins with hyphens.
      mayHaveSecret ??= mayContainSecret(text.text);
      yield createUnreadableDocument(at, at, mayHaveSecret ? hideText(chunk.problem) : chunk.problem);
    } else {
      yield readChunk(chunk, text, hasInvalidBytes);
    }
  }
}

/** Summarizes the problems of a file that are not listed one by one, at the position of the first of them. */
export function summarizeOmittedProblems({ listed, omitted, first, severity }: OmittedFindings): Finding {
  const { source } = first;
  return unreadable.createFinding('omitted', { path: ROOT_PATH, data: { file: source!.file, listed, omitted }, source: source!, severity });
}

export function summarizeOmittedDuplicateKeys({ listed, omitted, first, severity }: OmittedFindings): Finding {
  return createOmittedDuplicateKeysFinding({ file: first.source!.file, listed, omitted }, first.source!, severity);
}

/**
 * Creates the findings about keys that appear twice.
 *
 * @param isRefused - whether they are errors, because every file must be planned and tools read such a key differently
 */
export function createDuplicateKeyFindings(
  { duplicateKeys, text }: PlacedDocument,
  place: FileContext | undefined,
  isRefused: boolean,
): Finding[] {
  return duplicateKeys
    .filter(({ isMerged }) => isMerged !== true)
    .map(({ path, key, at, first }) => {
      const data = { key, first: text.sourceAt(first).line };
      const finding = createDuplicateKeyFinding(path, data, text.sourceAt(at), place?.isResource === true);
      return isRefused ? { ...finding, severity: 'error' } : finding;
    });
}

export function createNonObjectFinding(file: InputFile, { value, chunk, text }: PlacedDocument, trustsInput: boolean): Finding | undefined {
  const problem = explainNonObject(value);
  const severity = problem && determineNonObjectSeverity(file, value, trustsInput);
  if (!severity) return undefined;
  const at = text.sourceAt(findContentStart(chunk, text));
  return { ...createUnreadableDocumentFinding(at, at, hideSecretText(problem, chunk, text)), severity };
}

/** Words that every object contains, and the start of JSON. */
const OBJECT_WORD = /apiVersion|kind/;

const JSON_START = /^\s*[{[/]/;

/**
 * Reports whether JSON that cannot be read belongs to another program, such as a settings file with comments. If every file must be planned, this
 * holds only for a text that cannot contain an object.
 */
function isForeignJson({ file, content }: InputFile, text: string, trustsInput: boolean): boolean {
  const isForeign = file.endsWith('.json') && JSON_START.test(text) && !OBJECT_WORD.test(text);
  return isForeign && (trustsInput || !mayContainObject(content));
}

/** What is known of a file with unreadable documents. */
export interface UnreadableFileContext {
  readonly trustsInput: boolean;
  /** Whether it has an object. kubectl applies none after a document that it cannot read. */
  readonly hasObjects: boolean;
}

/**
 * Filters the findings about the unreadable documents of a file. A file that was found in a folder may be for another program:
 * settings with comments, or a template, whose documents do not reach kubectl as they are.
 */
export function filterUnreadableFindings(
  file: InputFile,
  failures: readonly UnreadableDocument[],
  summary: { readonly addTemplate: (chart: string, file: string) => void },
  { trustsInput, hasObjects }: UnreadableFileContext,
): Finding[] {
  const findings = failures.map(({ finding }) => finding);
  if (failures.length === 0 || file.given?.as !== 'folder') return findings;
  const text = fileTextOf(file.content);
  if (!hasObjects && isForeignJson(file, text, trustsInput))
    return failures.map(({ finding, mayBeApplied: isError }) => (isError ? finding : { ...finding, severity: 'info' }));
  const template = new TemplateText(text);
  const templated = new Set(
    failures.flatMap(({ finding, mayBeApplied: isError }) =>
      finding.source !== undefined && !isError && template.isCauseAt(finding.source.line) ? [finding] : [],
    ),
  );
  const [first] = templated;
  const others = findings.filter((finding) => !templated.has(finding));
  if (first?.source === undefined) return others;
  if (isHelmTemplate(file)) {
    summary.addTemplate(file.place!.chart!, file.file);
    return others;
  }
  return [createTemplateFinding({ file: file.file, documents: templated.size }, first.source, trustsInput ? 'info' : 'error'), ...others];
}

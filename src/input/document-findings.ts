import type { OmittedFindings } from './finding-limiter';
import type { Finding } from '../core/finding';
import { unreadable } from '../core/rules/unreadable';
import { ROOT_PATH } from '../core/field-path';
import { createDuplicateKeyFinding, createOmittedDuplicateKeysFinding } from '../core/rules/duplicate-key';
import { createUnreadableDocumentFinding, findContentStart } from './read-document';
import type { PlacedDocument, UnreadableDocument } from './read-document';
import type { FileContext } from './layout';
import type { InputFile } from './discovered-file';
import { explainNonObject, hideSecretText } from './non-object-findings';
import { determineNonObjectSeverity } from './non-object-severity';
import type { InputSummary } from './input-summary';
import { fileTextOf } from './file-content';
import { TemplateText } from './template-text';
import { isHelmTemplate } from './file-role';
import { createTemplateFinding } from '../core/rules/template';

/** Summarizes the problems of a file that are not listed one by one, at the position of the first of them. */
export function summarizeOmittedProblems({ listed, omitted, first, severity }: OmittedFindings): Finding {
  const { source } = first;
  return unreadable.createFinding('omitted', { path: ROOT_PATH, data: { file: source!.file, listed, omitted }, source: source!, severity });
}

export function summarizeOmittedDuplicateKeys({ listed, omitted, first, severity }: OmittedFindings): Finding {
  return createOmittedDuplicateKeysFinding({ file: first.source!.file, listed, omitted }, first.source!, severity);
}

export function createDuplicateKeyFindings({ duplicateKeys, text }: PlacedDocument, place: FileContext | undefined): Finding[] {
  return duplicateKeys.map(({ path, key, at, first }) =>
    createDuplicateKeyFinding(path, { key, first: text.sourceAt(first).line }, text.sourceAt(at), place?.isResource === true),
  );
}

export function createNonObjectFinding(file: InputFile, { value, chunk, text }: PlacedDocument): Finding | undefined {
  const problem = explainNonObject(value);
  const severity = problem && determineNonObjectSeverity(file, value);
  if (!severity) return undefined;
  const at = text.sourceAt(findContentStart(chunk, text));
  return { ...createUnreadableDocumentFinding(at, at, hideSecretText(problem, text.textOf(chunk))), severity };
}

/** Words that every object contains, and the start of JSON. */
const OBJECT_WORD = /apiVersion|kind/;

const JSON_START = /^\s*[{[/]/;

/** Reports whether JSON that cannot be read belongs to another program, such as a settings file with comments. */
function isForeignJson({ file }: InputFile, text: string): boolean {
  return file.endsWith('.json') && JSON_START.test(text) && !OBJECT_WORD.test(text);
}

/**
 * Filters the findings about the unreadable documents of a file. A file that was found in a folder may be for another program:
 * settings with comments, or a template, whose documents do not reach kubectl as they are.
 */
export function filterUnreadableFindings(
  file: InputFile,
  failures: readonly UnreadableDocument[],
  summary: InputSummary,
  trustsInput: boolean,
): Finding[] {
  const findings = failures.map(({ finding }) => finding);
  if (failures.length === 0 || file.given?.as !== 'folder') return findings;
  const text = fileTextOf(file.content);
  if (isForeignJson(file, text))
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
    summary.addTemplate(file.place!.chart!);
    return others;
  }
  return [createTemplateFinding({ file: file.file, documents: templated.size }, first.source, trustsInput ? 'info' : 'error'), ...others];
}

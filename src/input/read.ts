import { isFields } from '../core/manifest/manifest';
import type { ApplyMode } from '../core/document/change';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { Finding } from '../core/findings/finding';
import { SourceMap } from './source-map';
import { BudgetTracker } from './read-budget';
import type { RunBudget } from './read-budget';
import { createOmittedChecksFinding, createUnreadableFileFinding, readFileDocuments } from './read-document';
import { Deadline, DeadlineError } from '../core/budget/deadline';
import type { ReadState } from './read-state';
import type { DiscoveredFile, InputFile } from './discovered-file';
import { AsideCounter, UnrenderedFiles, addFileAside } from './files-aside';
import { InputSummary } from './input-summary';
import { InputTreeBuilder } from './input-tree';
import type { InputTree } from './input-tree';
import { detectRole, isUnrendered } from './file-role';
import {
  checkAddingKustomizations,
  checkAppliedData,
  checkArgoCdSettings,
  checkMergedNamespaces,
  checkRefusedKustomizations,
} from './unseen-objects';
import { isJsonnetFile } from './marker-files';
import { fileSizeOf, includesWord } from './file-content';
import { createFleetTemplatesFinding, createIgnoredFilesFinding, createIgnoredNamesFinding } from '../core/rules/kustomization';
import { createSkippedFinding } from '../core/rules/skipped';
import { ignoringToolOf, isFleetTemplate, isToolInView, listIgnoringTools } from './ignore-files';
import { createExcludedFilesFinding, createUnreadFolderFinding } from '../core/rules/not-read';
import { toSafeText } from '../core/text/value-text';
import { addFile } from './add-file';
import type { FileKind } from './add-file';

/** The objects of the input in input order, and the findings of reading it. */
export interface InputObjects {
  readonly objects: readonly Manifest[];
  /** Findings of reading, such as `input/unreadable`, with their sources. */
  readonly findings: readonly Finding[];
  readonly locations: SourceMap;
  /** The names of the files in the order in which they were read. */
  readonly files: readonly string[];
  /** The files of folders. @default - no folder was read */
  readonly tree?: InputTree;
}

/** Options for reading files. */
export interface ReadOptions {
  /** The kinds of files that are known by their names. @default - none */
  readonly kinds?: readonly FileKind[];
  /** The PATHs of the command line. Each should contain a document. @default - no PATH is checked */
  readonly paths?: readonly string[];
  /** The budget for reading. @default - `DEFAULT_BUDGET` */
  readonly budget?: RunBudget;
  /** Receives the positions of the objects. @default - a new map, which is returned */
  readonly locations?: SourceMap;
  /** Reports whether plans read an object, so that it matters if it is set aside. @default - every object matters */
  readonly isPlannedObject?: (object: Manifest) => boolean;
  /**
   * Whether the input may set its own files aside: by their names, by templates, or by a kustomization that lists them as patches.
   * If not, every file is planned as kubectl reads it, and an object that remains set aside is an error. @default true
   */
  readonly trustsInput?: boolean;
  /** How the objects reach the cluster, if the user says so. @default - the input may show it */
  readonly apply?: ApplyMode | undefined;
}

/** Reports whether a file is over a budget: of one file, or of all that was read so far. Adds a finding if it is. After the time, no further file is read. */
function rejectOverBudget({ file, content }: InputFile, state: ReadState): boolean {
  const { findings, spending } = state;
  const budget = spending.chargeFile(fileSizeOf(content));
  if (budget === undefined) return false;
  findings.push(createUnreadableFileFinding(file, { kind: 'over-budget', budget, limit: spending.budget[budget] }));
  state.isStopped = budget === 'seconds';
  return true;
}

/** What a run counts while it reads, in addition to objects and findings. */
interface ReadCounters {
  readonly summary: InputSummary;
  readonly unrendered: UnrenderedFiles;
  readonly ignored: AsideCounter;
  /** Files that a tool leaves out because of their names or places, by the tool. */
  readonly ignoredNames: AsideCounter;
  /** Files that Fleet renders with Helm because of their folder. */
  readonly fleetTemplates: AsideCounter;
  /** Files of hidden folders and `node_modules`. */
  readonly unread: AsideCounter;
  readonly excluded: AsideCounter;
  /** First file to whose objects a kustomization adds labels. @default - there is none */
  labeled?: InputFile;
}

/** Creates the findings about several files or objects, once all of them are read. */
function createSummaryFindings(counters: ReadCounters, tree: InputTree | undefined, options: ReadOptions, state: ReadState): Finding[] {
  const { trustsInput, objects, isStopped } = state;
  const { summary, unread, excluded, unrendered, ignored, ignoredNames, fleetTemplates } = counters;
  const isApplied = (tool: string) => isToolInView(tool, options.apply, objects);
  const severity = trustsInput ? 'info' : 'error';
  const excludedFiles = excluded.findings(createExcludedFilesFinding);
  return [
    ...checkArgoCdSettings(state),
    ...checkAppliedData(state),
    ...checkMergedNamespaces(state),
    ...(tree ? [...checkRefusedKustomizations(tree, state), ...checkAddingKustomizations(tree, counters.labeled, state)] : []),
    ...unread.findings(createUnreadFolderFinding),
    ...excludedFiles,
    ...unrendered.findings(trustsInput),
    ...ignored.findings((by, data) => createIgnoredFilesFinding(by, { tool: ignoringToolOf(by), ...data }, severity)),
    ...ignoredNames
      .findings((tool, data) => createIgnoredNamesFinding({ tool, ...data }, severity))
      .filter(({ data }) => data?.resource !== undefined && isApplied(toSafeText(data.tool))),
    ...fleetTemplates.findings((_, data) => createFleetTemplatesFinding(data, severity)).filter(() => isApplied('Fleet')),
    ...summary.findings(isStopped ? [] : (options.paths ?? []), excludedFiles.length > 0),
  ];
}

/** Creates findings that compare files or objects. If that takes more than the seconds of the budget, the only one says so. */
export function limitChecks(seconds: number, create: () => readonly Finding[]): readonly Finding[] {
  try {
    return new Deadline(seconds).limit(create);
  } catch (error) {
    if (error instanceof DeadlineError) return [createOmittedChecksFinding(seconds)];
    throw error;
  }
}

/** Reads a file by its role: as manifests, or as a file that is set aside. */
function addFileByRole(
  file: InputFile,
  options: ReadOptions,
  state: ReadState,
  { summary, unrendered, ignored, ignoredNames, fleetTemplates }: ReadCounters,
): void {
  if (file.ignoredBy) ignored.add(file, file.ignoredBy, state);
  for (const tool of listIgnoringTools(file)) ignoredNames.add(file, tool, state);
  // An action can write any object.
  if (isFleetTemplate(file)) {
    if (includesWord(file.content, '{{')) fleetTemplates.addAny(file, '');
    else fleetTemplates.add(file, '', state);
  }
  const role = state.trustsInput ? detectRole(file) : undefined;
  if (role === 'unrendered') {
    unrendered.add(file, state);
    summary.addDocuments(file.given, 1);
  } else if (role === undefined) {
    const before = state.objects.length;
    const { count, nonObjectCount } = addFile(file, options.kinds ?? [], state, summary);
    if (isUnrendered(file) && state.objects.length > before) unrendered.add(file, state);
    summary.addDocuments(file.given, count, nonObjectCount);
  } else {
    addFileAside(file, role, state, summary);
  }
}

/** Reports whether another path may look the same as that of a file: each byte that is not UTF-8 becomes the same character. */
function hasUnclearName({ file }: DiscoveredFile): boolean {
  return file.includes('\ufffd');
}

/** Adds what was found: the objects of a file, or why it is not read. */
function addFoundFile(file: DiscoveredFile, options: ReadOptions, state: ReadState, counters: ReadCounters): void {
  const { summary } = counters;
  if (!state.trustsInput && hasUnclearName(file)) {
    state.findings.push(createUnreadableFileFinding(file.file, { kind: 'name-not-utf8' }));
    summary.addDocuments(file.given, 1);
  } else if ('isSilent' in file) {
    if (!isJsonnetFile(file.file)) summary.addDocuments(file.given, 1);
  } else if ('failure' in file) {
    state.findings.push(file.failure);
    summary.addDocuments(file.given, 1);
  } else if ('skipped' in file) {
    state.findings.push(createSkippedFinding(file.file, file.skipped, state.trustsInput ? 'info' : 'error'));
  } else if (!('content' in file)) {
    state.findings.push(createUnreadableFileFinding(file.file, file.problem));
    state.isStopped = file.problem.kind === 'over-budget' && file.problem.budget === 'seconds';
    summary.addDocuments(file.given, 1);
  } else if (rejectOverBudget(file, state)) {
    summary.addDocuments(file.given, 1);
  } else {
    addFileByRole(file, options, state, counters);
  }
}

/** Reads files as kubectl reads them. A document or file that cannot be read is one finding, and the others are read. */
export function readFiles(files: Iterable<DiscoveredFile>, options: ReadOptions = {}): InputObjects {
  const { locations = new SourceMap(), isPlannedObject = () => true, trustsInput = true } = options;
  const state: ReadState = {
    objects: [],
    findings: [],
    locations,
    spending: new BudgetTracker(options.budget),
    isPlannedObject,
    trustsInput,
    isStopped: false,
  };
  const names: string[] = [];
  let tree: InputTreeBuilder | undefined;
  const counters: ReadCounters = {
    summary: new InputSummary(trustsInput),
    unrendered: new UnrenderedFiles(),
    ignored: new AsideCounter(),
    ignoredNames: new AsideCounter(),
    fleetTemplates: new AsideCounter(),
    unread: new AsideCounter(),
    excluded: new AsideCounter(),
  };
  const { summary, unread, excluded } = counters;
  for (const file of files) {
    if (state.isStopped) break;
    if (file.exclusion) {
      summary.addExclusion(file.given, file.exclusion);
      if (file.exclusion.isFromInput) excluded.add(file, file.exclusion.by, state);
      continue;
    }
    if (file.unreadFolder !== undefined) {
      if (!('content' in file) || !rejectOverBudget(file, state)) unread.add(file, file.unreadFolder, state);
      continue;
    }
    names.push(file.file);
    if (file.given?.as === 'folder') (tree ??= new InputTreeBuilder()).add(file);
    if ('place' in file) summary.addMarker(file.file, file.place, file.given);
    if ('content' in file && file.place?.labels) counters.labeled ??= file;
    addFoundFile(file, options, state, counters);
  }
  const built = tree?.build();
  return {
    objects: state.objects,
    findings: [
      ...state.findings,
      ...limitChecks(state.spending.budget.seconds, () => createSummaryFindings(counters, built, options, state)),
    ],
    locations,
    files: names,
    ...(built && { tree: built }),
  };
}

/** Reads the maps of one file, Kubernetes objects or not, and the findings of reading it. */
export function readMaps(
  file: InputFile,
  locations: SourceMap,
  spending?: BudgetTracker,
): { readonly maps: readonly Fields[]; readonly findings: readonly Finding[] } {
  const maps: Fields[] = [];
  const findings: Finding[] = [];
  for (const document of readFileDocuments(file, spending)) {
    if (!('value' in document)) {
      findings.push(document.finding);
      continue;
    }
    const { value, chunk, text } = document;
    if (!isFields(value)) continue;
    maps.push(value);
    locations.register(value, { text, chunk, trail: [] });
  }
  return { maps, findings };
}

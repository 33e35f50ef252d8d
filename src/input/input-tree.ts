import { posix } from 'node:path';
import { addToGroup } from '../core/collections/group-by';
import type { DiscoveredFile } from './discovered-file';
import { fileTextOf } from './file-content';
import { toPathBelow } from './folder-paths';
import { readFirstMap } from './first-map';
import { HELM_IGNORE_FILE, HelmIgnore } from './helm/helm-ignore';
import { IgnoreFiles, ignoringToolOf, isIgnoreFile } from './ignore-files';
import type { FileContext } from './layout';
import { CHART_FILE, FLEET_FILES, isArgoCdSource, isMarker, KUSTOMIZATION_FILES } from './marker-files';

/** A file with which a tool decides what it applies from a folder. */
export interface TreeMarker {
  /** Name of the file in findings. */
  readonly file: string;
  /** Name of the tool for messages. */
  readonly tool: string;
  /** What the tool reads from it: its text, without the fields that only describe a chart. */
  readonly meaning: string;
  /** Whether it is an object of its own, which a change compares. */
  readonly isObject: boolean;
  /** Reports whether it leaves out a file, by its path below the folder. @default - it decides something else */
  readonly ignores?: (file: string) => boolean;
}

/** A marker, and the name under which both sides know it. */
interface ReadMarker extends Omit<TreeMarker, 'file'> {
  readonly key: string;
}

/** The files of the folders of an input, by their paths below the PATH, which both sides of a change share. */
export interface InputTree {
  /** Files that are no markers. */
  readonly files: ReadonlySet<string>;
  /** Markers by their paths. A path of several PATHs has several. */
  readonly markers: ReadonlyMap<string, readonly TreeMarker[]>;
  /** The paths of all files, by their names in findings. */
  readonly paths: ReadonlyMap<string, string>;
}

/** Lists the kustomizations of an input, one of each folder and PATH. */
export function listKustomizations({ markers }: InputTree): readonly TreeMarker[] {
  return [...markers].flatMap(([key, found]) => (posix.basename(key) === KUSTOMIZATION_FILES[0] ? found : []));
}

/** Fields of a Chart.yaml that change nothing that Helm applies from templates without actions. */
const DESCRIBING_FIELDS: ReadonlySet<string> = new Set([
  'version',
  'appVersion',
  'description',
  'keywords',
  'home',
  'sources',
  'maintainers',
  'icon',
  'deprecated',
  'annotations',
  'dependencies',
]);

/** Returns what Helm reads from a Chart.yaml. Dependencies count that the files do not show. */
function readChartMeaning(text: string, place: FileContext | undefined): string {
  const fields = Object.entries(readFirstMap(text) ?? { text }).filter(([name]) => !DESCRIBING_FIELDS.has(name));
  const { missing = [], conditional = [] } = place?.dependencies ?? {};
  return JSON.stringify([fields.toSorted(([name], [other]) => (name < other ? -1 : 1)), missing, conditional]);
}

function createIgnores(name: string, text: string | undefined): (file: string) => boolean {
  if (name === HELM_IGNORE_FILE) {
    const helm = new HelmIgnore(text ?? '');
    return (file) => helm.ignores(file);
  }
  const files = new IgnoreFiles();
  files.add(name, text, (file) => file);
  return (file) => files.find(file) !== undefined;
}

/** Returns a marker, and the name under which both sides know it; undefined for another file. */
function readMarker(name: string, file: DiscoveredFile): ReadMarker | undefined {
  if (!isMarker(name) && !isIgnoreFile(name) && !isArgoCdSource(name)) return undefined;
  const content = 'content' in file ? file.content : 'text' in file ? file.text : undefined;
  const text = content === undefined ? undefined : fileTextOf(content);
  const meaning = text ?? '';
  if (KUSTOMIZATION_FILES.includes(name)) return { key: KUSTOMIZATION_FILES[0]!, tool: 'kustomize', isObject: true, meaning };
  if (FLEET_FILES.includes(name)) return { key: FLEET_FILES[0]!, tool: 'Fleet', isObject: true, meaning };
  if (name === CHART_FILE)
    return { key: name, tool: 'Helm', isObject: false, meaning: readChartMeaning(meaning, 'place' in file ? file.place : undefined) };
  if (isArgoCdSource(name)) return { key: name, tool: 'Argo CD', isObject: false, meaning };
  const tool = name === HELM_IGNORE_FILE ? 'Helm' : ignoringToolOf(name);
  return { key: name, tool, isObject: false, meaning, ignores: createIgnores(name, text) };
}

/** Returns the path of a file below its PATH. */
function toTreePath(file: DiscoveredFile): string {
  if ('inTree' in file && file.inTree) return file.inTree.below;
  return toPathBelow(file.given?.path ?? '', file.file);
}

/** Collects the files of folders. */
export class InputTreeBuilder {
  private readonly files = new Set<string>();
  private readonly markers = new Map<string, TreeMarker[]>();
  private readonly paths = new Map<string, string>();

  add(file: DiscoveredFile): void {
    const path = toTreePath(file);
    this.paths.set(file.file, path);
    const found = readMarker(posix.basename(path), file);
    if (!found) {
      this.files.add(path);
      return;
    }
    const { key, ...marker } = found;
    addToGroup(this.markers, posix.join(posix.dirname(path), key), { file: file.file, ...marker });
  }

  build(): InputTree {
    return { files: this.files, markers: this.markers, paths: this.paths };
  }
}

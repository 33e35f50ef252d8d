import { posix } from 'node:path';
import { addToGroup } from '../core/group-by';
import type { DiscoveredFile } from './discovered-file';
import { fileTextOf } from './file-content';
import { readFirstMap } from './first-map';
import { HELM_IGNORE_FILE } from './helm-ignore';
import { IGNORE_FILES, ignoringToolOf } from './ignore-files';
import { CHART_FILE, FLEET_FILES, isArgoCdSource, KUSTOMIZATION_FILES } from './marker-files';

/** A file with which a tool decides what it applies from a folder. */
export interface TreeMarker {
  /** Name of the file in findings. */
  readonly file: string;
  /** Name of the tool for messages. */
  readonly tool: string;
  /** What the tool reads from it: its text without comments, and without the fields that only describe a chart. */
  readonly meaning: string;
  /** Whether it is an object of its own, which a change compares. */
  readonly isObject: boolean;
}

/** The files of the folders of an input, by their paths below the PATH, which both sides of a change share. */
export interface InputTree {
  /** Files that are no markers. */
  readonly files: ReadonlySet<string>;
  /** Markers by their paths. A path of several PATHs has several. */
  readonly markers: ReadonlyMap<string, readonly TreeMarker[]>;
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
]);

function readChartMeaning(text: string): string {
  const fields = Object.entries(readFirstMap(text) ?? { text }).filter(([name]) => !DESCRIBING_FIELDS.has(name));
  return JSON.stringify(Object.fromEntries(fields.toSorted(([name], [other]) => (name < other ? -1 : 1))));
}

function readPatterns(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).join('\n');
}

/** Returns the name under which both sides know a marker, its tool, and what this reads; undefined for another file. */
function describeMarker(
  name: string,
): (Pick<TreeMarker, 'tool' | 'isObject'> & { key: string; read: (text: string) => string }) | undefined {
  const asText = (text: string) => text;
  if (KUSTOMIZATION_FILES.includes(name)) return { key: KUSTOMIZATION_FILES[0]!, tool: 'kustomize', isObject: true, read: asText };
  if (FLEET_FILES.includes(name)) return { key: FLEET_FILES[0]!, tool: 'Fleet', isObject: true, read: asText };
  if (name === CHART_FILE) return { key: name, tool: 'Helm', isObject: false, read: readChartMeaning };
  if (name === HELM_IGNORE_FILE) return { key: name, tool: 'Helm', isObject: false, read: readPatterns };
  if (IGNORE_FILES.includes(name)) return { key: name, tool: ignoringToolOf(name), isObject: false, read: readPatterns };
  return isArgoCdSource(name) ? { key: name, tool: 'Argo CD', isObject: false, read: asText } : undefined;
}

/** Returns the path of a file below its PATH. */
function toTreePath(file: DiscoveredFile): string {
  if ('inTree' in file && file.inTree) return file.inTree.below;
  const path = file.given?.path.replace(/\/+$/, '') ?? '';
  return file.file.startsWith(`${path}/`) ? file.file.slice(path.length + 1) : file.file;
}

/** Collects the files of folders. */
export class InputTreeBuilder {
  private readonly files = new Set<string>();
  private readonly markers = new Map<string, TreeMarker[]>();
  private hasFolder = false;

  add(file: DiscoveredFile): void {
    if (file.given?.as !== 'folder') return;
    this.hasFolder = true;
    const path = toTreePath(file);
    const marker = describeMarker(posix.basename(path));
    if (!marker) {
      this.files.add(path);
      return;
    }
    const { key, tool, isObject, read } = marker;
    const text = 'content' in file ? fileTextOf(file.content) : 'text' in file ? file.text : undefined;
    addToGroup(this.markers, posix.join(posix.dirname(path), key), { file: file.file, tool, isObject, meaning: read(text ?? '') });
  }

  /** Returns the tree; undefined if no folder was read. */
  build(): InputTree | undefined {
    return this.hasFolder ? { files: this.files, markers: this.markers } : undefined;
  }
}

import { join } from 'node:path';
import type { ApplyUnit } from '../../core/sources/apply-unit';
import type { Source } from '../../core/findings/finding';
import { CHART_FILE } from '../marker-files';
import { isInFolder } from '../read-limited';
import { OriginFiles } from '../rendered-origin';
import type { RootLookup } from '../rendered-origin';
import type { OriginFinder, RenderedObject } from '../origin-finder';
import { toSafeText } from '../../core/text/value-text';

/** Comment that `helm template` writes above each document: the name of the chart, and the path of the template in it. */
const SOURCE_COMMENT = /^# Source: [^/\n]+\/(.+)$/m;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Returns the index of the first line of a key at or after a line, in the lines that are indented by more than `outer`. */
function findKey(lines: readonly string[], key: string, from: number, outer: number): number | undefined {
  for (let index = from; index < lines.length; index++) {
    const line = lines[index]!;
    const isCode = line.trim() !== '' && !line.trimStart().startsWith('{{') && !line.trimStart().startsWith('#');
    if (isCode && indentOf(line) <= outer && !line.trimStart().startsWith('- ')) return undefined;
    if (line.trimStart().replace(/^- +/, '').startsWith(`${key}:`)) return index;
  }
  return undefined;
}

/** Returns the line of a template, from 1, that writes a field: that of the last of its keys that the template names, each in the one before. */
function findTemplateLine(template: string, kind: string, trail: readonly (string | number)[]): number {
  const lines = template.split('\n');
  const start = lines.findIndex((line) => line.trim() === `kind: ${kind}`);
  if (start < 0) return 1;
  let [line, outer] = [start, -1];
  for (const key of trail) {
    if (typeof key === 'number') continue;
    const found = findKey(lines, key, line + 1, outer);
    if (found === undefined) break;
    [line, outer] = [found, indentOf(lines[found]!)];
  }
  return line + 1;
}

/** Finds the template of a chart that writes an object. */
export class HelmOrigins implements OriginFinder {
  readonly folder: Source;
  private readonly files: OriginFiles;

  constructor(
    private readonly unit: ApplyUnit,
    rootOf: RootLookup,
  ) {
    this.files = new OriginFiles(unit, rootOf);
    this.folder = { file: this.files.nameOf(join(unit.id, CHART_FILE)), line: 1 };
  }

  find({ object, documentText }: RenderedObject, trail: readonly (string | number)[]): Source {
    const below = SOURCE_COMMENT.exec(documentText)?.[1];
    if (below === undefined) return this.folder;
    const path = join(this.unit.id, below);
    // Helm prints a file of `crds` with its own comments, which may name any file.
    if (!isInFolder(this.unit.id, path)) return this.folder;
    // A chart in an archive has no file of its own.
    const text = this.files.textOf(path);
    if (text === undefined) return this.folder;
    return { file: this.files.nameOf(path), line: findTemplateLine(text, toSafeText(object['kind']), trail) };
  }
}

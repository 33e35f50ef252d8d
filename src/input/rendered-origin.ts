import { realpathSync } from 'node:fs';
import { posix, relative, resolve, sep } from 'node:path';
import type { ApplyUnit } from '../core/sources/apply-unit';
import { BudgetTracker, DEFAULT_BUDGET } from './read-budget';
import { isInFolder, readMarkerFile } from './read-limited';
import { SourceText } from './source-map';
import type { Chunk } from './yaml';

/** One readable document of a file. */
export interface OriginDocument {
  readonly chunk: Chunk;
  readonly value: unknown;
}

/** File of the repository, and its documents. */
export interface OriginFile {
  readonly text: SourceText;
  readonly documents: readonly OriginDocument[];
}

/** Returns the documents of a text that can be read. */
function parseOriginDocuments(text: SourceText): OriginDocument[] {
  const documents: OriginDocument[] = [];
  for (const chunk of text.chunks()) {
    if ('problem' in chunk) continue;
    try {
      documents.push({ chunk, value: text.valueOf(chunk).value });
    } catch {
      // The program that rendered the folder reads it differently, or not at all.
    }
  }
  return documents;
}

/** Seconds for finding the origins of one folder. A position is not worth more of the run's budget. */
const MAX_SECONDS = 5;

/** Returns the folder without links that a file may not lead out of. */
export type RootLookup = (path: string) => string;

/** Reads the files around a rendered folder, each once, and names them as the folder is named. None leads out of its root. */
export class OriginFiles {
  private readonly files = new Map<string, OriginFile | undefined>();
  private readonly patches = new Map<string, readonly OriginDocument[]>();
  private tracker: BudgetTracker | undefined;

  /**
   * @param rootOf - a kustomization may name any file of the machine, and the program that renders it need not have read that file
   */
  constructor(
    private readonly unit: ApplyUnit,
    private readonly rootOf: RootLookup,
  ) {}

  private get spending(): BudgetTracker {
    // A run without these positions lacks nothing else.
    const onLate = (): void => undefined;
    return (this.tracker ??= new BudgetTracker({ ...DEFAULT_BUDGET, seconds: MAX_SECONDS }, Date.now, onLate));
  }

  /** Reports whether the time for finding origins is over. */
  isLate(): boolean {
    return this.spending.isLate();
  }

  /** Returns the documents of a patch that a kustomization contains as text. */
  parsePatch(text: string): readonly OriginDocument[] {
    const known = this.patches.get(text) ?? parseOriginDocuments(new SourceText('', text, undefined, this.spending));
    this.patches.set(text, known);
    return known;
  }

  /** Returns the name of a file as reached from the PATH. */
  nameOf(path: string): string {
    return posix.join(this.unit.name, relative(this.unit.id, path).split(sep).join('/'));
  }

  /** Returns the first of the files of a folder that exists below its root. */
  findFile(folder: string, names: readonly string[]): string | undefined {
    return names.map((name) => resolve(folder, name)).find((path) => this.contains(path));
  }

  /** Reports whether a file exists below its root. */
  private contains(path: string): boolean {
    try {
      return isInFolder(this.rootOf(path), realpathSync.native(path));
    } catch {
      return false;
    }
  }

  textOf(path: string): string | undefined {
    return readMarkerFile(path, this.rootOf(path));
  }

  /** Reads a file; undefined if it cannot be read. */
  read(path: string): OriginFile | undefined {
    if (this.files.has(path)) return this.files.get(path);
    const content = this.textOf(path);
    const text = content === undefined ? undefined : new SourceText(this.nameOf(path), content, undefined, this.spending);
    const file = text && { text, documents: parseOriginDocuments(text) };
    this.files.set(path, file);
    return file;
  }
}

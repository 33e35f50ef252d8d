import { posix } from 'node:path';
import { addToGroup } from '../../core/collections/group-by';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import type { ChartDependencies } from '../../core/rules/helm-template';
import type { UnrenderedReason } from '../../core/rules/not-read';
import { readFirstMap } from '../first-map';
import { HELM_IGNORE_FILE, HelmIgnore } from './helm-ignore';
import { CHART_FILE } from '../marker-files';
import { toSafeText } from '../../core/text/value-text';

/** Reports whether a path is that of a packed chart in the folder `charts` of another one. */
function isChartArchive(path: string): boolean {
  return path.endsWith('.tgz') && posix.basename(posix.dirname(path)) === 'charts';
}

/**
 * Reports whether a file matters if it is in a chart, whatever its extension is: Helm renders everything in `templates`, except for notes
 * and partials, and reads every file of `charts` as an archive or a chart.
 */
export function mayBelongToChart(path: string): boolean {
  if (posix.basename(posix.dirname(path)) === 'charts') return true;
  return `/${path}`.includes('/templates/') && !isChartText(path);
}

/** Reports whether a file in `templates` is one that Helm renders or parses without applying it: notes and partials. */
function isChartText(path: string): boolean {
  return `/${path}`.includes('/templates/') && (path.endsWith('NOTES.txt') || posix.basename(path).startsWith('_'));
}

interface Dependency {
  readonly name: string;
  readonly version?: string;
  readonly repository?: string;
  /** Whether the values of the release decide whether it is part of the chart. */
  readonly isConditional: boolean;
}

function readDependencies(value: unknown): Dependency[] {
  return getListAt(value, 'dependencies').flatMap((dependency): Dependency[] => {
    const textOf = (field: string) => {
      const text = getValueAt(dependency, field);
      return typeof text === 'string' && text !== '' ? text : undefined;
    };
    const [name, version, repository] = [textOf('name'), textOf('version'), textOf('repository')];
    if (name === undefined) return [];
    const isConditional = textOf('condition') !== undefined || getListAt(dependency, 'tags').length > 0;
    return [{ name, ...(version !== undefined && { version }), ...(repository !== undefined && { repository }), isConditional }];
  });
}

function describeDependency({ name, version, repository }: Dependency): string {
  return `${name}${version === undefined ? '' : ` ${version}`}${repository === undefined ? '' : ` of ${repository}`}`;
}

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** Chart in `charts` that Helm skips. Source: Helm v3.16 pkg/chart/loader/load.go. */
const SKIPPED_CHART = /(?:^|\/)charts\/[_.]/;

/**
 * The charts of a folder, and which of their files Helm renders.
 * Source: Helm v3.16 pkg/chart/loader, pkg/engine/engine.go, `renderResources` of pkg/action/action.go.
 */
export class HelmCharts {
  private readonly types = new Map<string, string>();
  private readonly ignores = new Map<string, HelmIgnore>();
  private readonly archives = new Map<string, string[]>();

  /**
   * @param folders - folders with a Chart.yaml
   * @param files - paths of all files
   * @param read - returns the text of a file, or undefined if it cannot be read
   */
  constructor(
    private readonly folders: ReadonlySet<string>,
    files: readonly string[],
    private readonly read: (file: string) => string | undefined,
  ) {
    if (folders.size === 0) return;
    for (const file of files)
      if (isChartArchive(file)) addToGroup(this.archives, posix.dirname(posix.dirname(file)).replace(/^\.$/, ''), file);
  }

  /** Returns the outermost chart that renders a chart. A chart in the folder `charts` of another one is rendered with it. */
  outermostOf(chart: string): string {
    let outermost = chart;
    for (let folder = chart; folder !== '';) {
      const parent = posix.dirname(folder);
      folder = parent === '.' ? '' : parent;
      if (this.folders.has(folder) && outermost.startsWith(below(folder, 'charts/'))) outermost = folder;
    }
    return outermost;
  }

  /**
   * Returns why Helm does not render a file of a chart; undefined if it does.
   *
   * @param chart - the innermost chart around it
   */
  findUnrenderedReason(file: string, chart: string): UnrenderedReason | undefined {
    const outermost = this.outermostOf(chart);
    const ownPath = chart === '' ? file : file.slice(chart.length + 1);
    if (ownPath.startsWith('crds/')) return 'crds';
    if (!ownPath.startsWith('templates/')) return 'outside';
    if (posix.basename(file).startsWith('_') || SKIPPED_CHART.test(chart.slice(outermost.length))) return 'underscore';
    if (this.isIgnored(file, chart)) return 'ignored';
    return this.typeOf(chart) === 'library' ? 'library' : undefined;
  }

  /** Returns what Helm applies with a chart in addition to its files, and what it may leave out; undefined if that is nothing. */
  findDependencies(chart: string): ChartDependencies | undefined {
    const textOf = (name: string) => readFirstMap(this.read(below(chart, name)) ?? '');
    const dependencies = [...readDependencies(textOf(CHART_FILE)), ...readDependencies(textOf('requirements.yaml'))];
    const isInInput = ({ name, repository }: Dependency) =>
      this.folders.has(below(chart, `charts/${name}`)) ||
      (repository?.startsWith('file://') === true && this.folders.has(posix.normalize(below(chart, repository.slice('file://'.length)))));
    const missing = [...dependencies.filter((each) => !isInInput(each)).map(describeDependency), ...(this.archives.get(chart) ?? [])];
    const conditional = dependencies.filter((each) => isInInput(each) && each.isConditional).map(({ name }) => name);
    return missing.length + conditional.length === 0 ? undefined : { missing, conditional };
  }

  /** Reports whether the .helmignore of the outermost chart matches a file of a chart. */
  private isIgnored(file: string, chart: string): boolean {
    const outermost = this.outermostOf(chart);
    return this.ignoreOf(outermost).ignores(outermost === '' ? file : file.slice(outermost.length + 1));
  }

  private typeOf(chart: string): string {
    const known = this.types.get(chart);
    if (known !== undefined) return known;
    const type = toSafeText(getValueAt(readFirstMap(this.read(below(chart, CHART_FILE)) ?? ''), 'type')).toLowerCase();
    this.types.set(chart, type);
    return type;
  }

  private ignoreOf(chart: string): HelmIgnore {
    const known = this.ignores.get(chart) ?? new HelmIgnore(this.read(below(chart, HELM_IGNORE_FILE)) ?? '');
    this.ignores.set(chart, known);
    return known;
  }
}

import { basename } from 'node:path';
import type { Finding } from '../core/findings/finding';
import { createAllExcludedFinding, createEmptyFinding, createNoObjectsFinding } from '../core/rules/empty';
import type { PathKind } from '../core/rules/empty';
import {
  createChartDependenciesFinding,
  createHelmTemplateFinding,
  createPlainChartFinding,
  createUnknownChartFinding,
} from '../core/rules/helm-template';
import type { ChartDependencies } from '../core/rules/helm-template';
import { createArgoCdSourceFinding, createKustomizationFinding } from '../core/rules/kustomization';
import { checkTestExpectation } from '../core/rules/test-expectation';
import type { FileExclusion, InputPath } from './discovered-file';
import type { FileContext } from './layout';
import { CHART_FILE, KUSTOMIZATION_FILES, isArgoCdSource } from './marker-files';

/** Counts of the documents that were read from a PATH. */
export interface PathSummary {
  readonly as: PathKind;
  readonly count: number;
  /** Number of documents that belong to other tools: values, playbooks. */
  readonly nonObjectCount: number;
}

/** Collects facts about each PATH and each chart, and creates their findings once all files are read. */
export class InputSummary {
  private readonly documents = new Map<string, PathSummary>();
  /** The number of kustomizations and charts of each PATH, which contain no manifest of their own. */
  private readonly markers = new Map<string, number>();
  /** The charts that are not rendered, and their Chart.yaml. */
  private readonly charts = new Map<string, string>();
  /** The templates with actions of each chart. */
  private readonly templates = new Map<string, Set<string>>();
  /** The charts whose files do not show everything that Helm applies, by their Chart.yaml. */
  private readonly dependencies = new Map<string, ChartDependencies & { readonly chart: string }>();
  private readonly unbuilt: Finding[] = [];
  private readonly expectations: string[] = [];
  /** What excludes the files of each PATH. */
  private readonly exclusions = new Map<string, FileExclusion>();

  /** @param trustsInput - whether the input may set its own files aside */
  constructor(private readonly trustsInput: boolean) {}

  addDocuments(given: InputPath | undefined, count: number, nonObjectCount = 0): void {
    if (!given) return;
    const known = this.documents.get(given.path) ?? { count: 0, nonObjectCount: 0 };
    this.documents.set(given.path, { as: given.as, count: known.count + count, nonObjectCount: known.nonObjectCount + nonObjectCount });
  }

  addExclusion(given: InputPath | undefined, exclusion: FileExclusion): void {
    if (given && !this.exclusions.get(given.path)?.isFromInput) this.exclusions.set(given.path, exclusion);
  }

  addTemplate(chart: string, file: string): void {
    this.templates.set(chart, (this.templates.get(chart) ?? new Set()).add(file));
  }

  addExpectation(file: string): void {
    this.expectations.push(file);
  }

  /**
   * Adds a file if it is a kustomization, belongs to a chart, or changes what Argo CD builds. A marker is only reported if it was found in a
   * folder, and a template also if it is given by name.
   */
  addMarker(file: string, place: FileContext | undefined, given: InputPath | undefined): void {
    if (place?.chart !== undefined) this.addChart(place.chart);
    if (given?.as !== 'folder') return;
    const name = basename(file);
    if (name === CHART_FILE || KUSTOMIZATION_FILES.includes(name)) this.markers.set(given.path, (this.markers.get(given.path) ?? 0) + 1);
    if (isArgoCdSource(file)) this.unbuilt.push(createArgoCdSourceFinding(file, this.trustsInput ? 'info' : 'error'));
    if (place?.outermost) this.addChart(place.outermost.chart, place.outermost.isOwn ? file : undefined);
    if (place?.dependencies) this.dependencies.set(file, place.dependencies);
    if (place?.unbuilt === undefined || (this.trustsInput && place.onlyRenames)) return;
    const severity = !this.trustsInput && place.altersObjects === true ? 'error' : 'info';
    this.unbuilt.push(createKustomizationFinding(place.unbuilt, file, severity));
  }

  /** @param file - its Chart.yaml. @default - it is above the PATH */
  private addChart(chart: string, file?: string): void {
    this.charts.set(chart, file ?? this.charts.get(chart) ?? `${chart}/${CHART_FILE}`);
  }

  /** Creates the findings about the charts: one error for each if everything must be planned, since what Helm makes of it is not known. */
  private chartFindings(): Finding[] {
    if (!this.trustsInput) return [...this.charts].map(([chart, file]) => createUnknownChartFinding(chart, file));
    const plain = [...this.charts].filter(([chart, file]) => !this.templates.has(chart) && !this.dependencies.has(file));
    return [
      ...[...this.templates].map(([chart, { size: templates }]) =>
        createHelmTemplateFinding({ chart, templates }, this.charts.get(chart)!),
      ),
      ...[...this.dependencies].map(([file, data]) => createChartDependenciesFinding(data, file)),
      ...plain.map(([chart, file]) => createPlainChartFinding(chart, file)),
    ];
  }

  /**
   * Creates the findings. A path from which no document was read is a folder without manifests.
   *
   * @param excludesObjects - whether an excluded file contains an object that plans read
   */
  findings(paths: readonly string[], excludesObjects: boolean): Finding[] {
    const emptyPaths = paths.filter((path) => (this.documents.get(path)?.count ?? 0) === 0);
    return [
      ...this.chartFindings(),
      ...this.unbuilt,
      ...(this.expectations.length > 0 ? checkTestExpectation(this.expectations) : []),
      ...[...new Set(emptyPaths)].map((path) => {
        const exclusion = this.exclusions.get(path);
        return exclusion
          ? createAllExcludedFinding(path, exclusion.by)
          : createEmptyFinding(path, this.documents.get(path)?.as ?? 'folder');
      }),
      ...[...this.documents].flatMap(([path, summary]) => this.createWithoutObjectsFinding(path, summary, excludesObjects)),
    ];
  }

  /** Creates the finding for a folder whose files contain no object, or whose manifests a configuration excludes. */
  private createWithoutObjectsFinding(path: string, { as, count, nonObjectCount }: PathSummary, excludesObjects: boolean): Finding[] {
    if (as !== 'folder' || count === 0) return [];
    const exclusion = this.exclusions.get(path);
    if (excludesObjects && exclusion?.isFromInput && count <= nonObjectCount + (this.markers.get(path) ?? 0))
      return [createAllExcludedFinding(path, exclusion.by)];
    return count === nonObjectCount ? [createNoObjectsFinding(path, count)] : [];
  }
}

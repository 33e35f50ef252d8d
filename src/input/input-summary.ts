import type { Finding } from '../core/finding';
import { createAllExcludedFinding, createEmptyFinding, createNoObjectsFinding } from '../core/rules/empty';
import type { PathKind } from '../core/rules/empty';
import {
  createChartConditionFinding,
  createChartDependenciesFinding,
  createChartFaultFinding,
  createHelmTemplateFinding,
  createWrongVersionFinding,
} from '../core/rules/helm-template';
import type { ChartCondition } from '../core/rules/helm-template';
import { createArgoCdSourceFinding, createKustomizationFinding } from '../core/rules/kustomization';
import { checkTestExpectation } from '../core/rules/test-expectation';
import type { FileExclusion, InputPath } from './discovered-file';
import { matchesKubeVersion } from './kube-version';
import type { FileContext } from './layout';
import { isArgoCdSource } from './marker-files';

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
  /** The templates of each chart. */
  private readonly templates = new Map<string, Set<string>>();
  private readonly unbuilt: Finding[] = [];
  private readonly expectations: string[] = [];
  /** What excludes the files of each PATH. */
  private readonly exclusions = new Map<string, FileExclusion>();

  private readonly conditions: (ChartCondition & { readonly chart: string })[] = [];

  /**
   * @param trustsInput - whether the input may set its own files aside
   * @param kubernetes - version of the plan; undefined if it is not known
   */
  constructor(
    private readonly trustsInput: boolean,
    private readonly kubernetes?: string,
  ) {}

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

  /** Adds a file if it is a kustomization, or a chart with dependencies, or changes what Argo CD builds. It is only reported if it was found in a folder. */
  addMarker(file: string, place: FileContext | undefined, given: InputPath | undefined): void {
    if (given?.as !== 'folder') return;
    if (isArgoCdSource(file)) this.unbuilt.push(createArgoCdSourceFinding(file, this.trustsInput ? 'info' : 'error'));
    if (place?.dependencies) this.unbuilt.push(createChartDependenciesFinding(place.dependencies, this.trustsInput ? 'info' : 'error'));
    if (place?.fault) this.unbuilt.push(createChartFaultFinding(place.fault, this.trustsInput ? 'warning' : 'error'));
    for (const condition of place?.conditions ?? []) this.conditions.push(condition);
    if (place?.unbuilt === undefined || (this.trustsInput && place.onlyRenames)) return;
    const severity = !this.trustsInput && place.altersObjects === true ? 'error' : 'info';
    this.unbuilt.push(createKustomizationFinding(place.unbuilt, file, severity));
  }

  /** Creates the findings about what may make Helm refuse a chart. One with templates that need values has a finding already. */
  private conditionFindings(): Finding[] {
    return this.conditions.flatMap(({ kubeVersion, ...condition }) => {
      const { chart } = condition;
      const isAccepted = kubeVersion === undefined ? undefined : matchesKubeVersion(kubeVersion, this.kubernetes);
      if (isAccepted === true) return [];
      if (isAccepted === false)
        return [
          createWrongVersionFinding(
            { chart, kubeVersion: kubeVersion!, version: this.kubernetes! },
            this.trustsInput ? 'warning' : 'error',
          ),
        ];
      const data = { ...condition, ...(kubeVersion !== undefined && { kubeVersion }) };
      return this.templates.has(chart) ? [] : [createChartConditionFinding(data, this.trustsInput ? 'info' : 'error')];
    });
  }

  /** Creates the findings. A path from which no document was read is a folder without manifests. */
  findings(paths: readonly string[]): Finding[] {
    const emptyPaths = paths.filter((path) => (this.documents.get(path)?.count ?? 0) === 0);
    return [
      ...[...this.templates].map(([chart, { size: templates }]) =>
        createHelmTemplateFinding({ chart, templates }, this.trustsInput ? 'info' : 'error'),
      ),
      ...this.unbuilt,
      ...this.conditionFindings(),
      ...(this.expectations.length > 0 ? checkTestExpectation(this.expectations) : []),
      ...[...new Set(emptyPaths)].map((path) => {
        const exclusion = this.exclusions.get(path);
        return exclusion
          ? createAllExcludedFinding(path, exclusion.by)
          : createEmptyFinding(path, this.documents.get(path)?.as ?? 'folder');
      }),
      ...[...this.documents].flatMap(([path, { as, count, nonObjectCount }]) =>
        as === 'folder' && count > 0 && count === nonObjectCount ? [createNoObjectsFinding(path, count)] : [],
      ),
    ];
  }
}

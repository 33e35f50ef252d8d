import { isFields } from '../core/manifest';
import type { ChartFault } from '../core/rules/helm-template';
import { readPlainMap } from './first-map';
import { listUnknownFields } from './known-fields';
import type { KnownFields } from './known-fields';
import { CHART_FILE } from './marker-files';
import { toSafeText } from '../core/value-text';

/** Reports whether Helm reads a value as text. It converts numbers and booleans. */
function isText(value: unknown): boolean {
  return typeof value !== 'object';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isTextMap(value: unknown): boolean {
  return isFields(value) && Object.values(value).every(isText);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isMapList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFields);
}

/** The last name of a path, as Go reads it: any text without a slash, except the folder and its parent. */
function isChartName(value: unknown): boolean {
  return isText(value) && !/^\.{0,2}$|\//.test(toSafeText(value));
}

/** Versions that Helm 3 accepts. Source: Masterminds/semver v3.4, `NewVersion`. */
const VERSION = /^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){0,2}(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

const DEPENDENCY: KnownFields = {
  name: isText,
  version: isText,
  repository: isText,
  condition: isText,
  tags: isTextList,
  enabled: isBoolean,
  'import-values': true,
  alias: (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
};

/** Reports whether Helm accepts the dependencies of a chart: each has a name, and no name or alias is there twice. Source: Helm v3.20 pkg/chart/metadata.go, `Validate`. */
function isDependencyList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const names = value.map((each) => (isFields(each) ? each.alias || each.name : undefined));
  const areNamed = value.every(
    (each) => isFields(each) && typeof each.name === 'string' && listUnknownFields(each, DEPENDENCY).length === 0,
  );
  return areNamed && new Set(names).size === names.length;
}

/** Fields of a Chart.yaml, with the values that Helm accepts. It decodes names in any case, so another case is another field. Source: Helm v3.20 pkg/chart/metadata.go. */
const CHART: KnownFields = {
  apiVersion: isText,
  name: isChartName,
  version: (value) => isText(value) && VERSION.test(toSafeText(value)),
  kubeVersion: isText,
  description: isText,
  type: (value) => value === 'application' || value === 'library',
  keywords: isTextList,
  home: isText,
  sources: isTextList,
  dependencies: isDependencyList,
  maintainers: isMapList,
  icon: isText,
  appVersion: isText,
  deprecated: isBoolean,
  annotations: isTextMap,
  condition: isText,
  tags: isText,
};

/** Fields that may be an empty list. Helm refuses one in any other field. */
const LIST_FIELDS: ReadonlySet<string> = new Set(['keywords', 'sources', 'dependencies', 'maintainers']);

const REQUIRED_FIELDS: readonly string[] = ['name', 'version'];

/** Returns the first field of a Chart.yaml with which Helm may refuse the chart: an empty text if the file cannot be read, undefined if there is none. */
function findInvalidField(text: string): string | undefined {
  const chart = readPlainMap(text);
  if (!isFields(chart)) return '';
  const missing = REQUIRED_FIELDS.find((name) => chart[name] === undefined || chart[name] === null || chart[name] === '');
  const list = Object.keys(chart).find((name) => Array.isArray(chart[name]) && !LIST_FIELDS.has(name));
  return missing ?? list ?? listUnknownFields(chart, CHART)[0];
}

/** Files that Helm reads as a map if a chart has them. Source: Helm v3.20 pkg/chart/loader/load.go, `LoadFiles`. */
const MAP_FILES: readonly string[] = ['values.yaml', 'Chart.lock', 'requirements.yaml', 'requirements.lock'];

/**
 * Returns why Helm may refuse to load a chart; undefined if it loads it.
 *
 * @param read - returns the text of a file of the chart, or undefined if it is missing
 */
export function findChartFault(read: (file: string) => string | undefined): ChartFault | undefined {
  const field = findInvalidField(read(CHART_FILE) ?? '');
  if (field !== undefined) return { file: CHART_FILE, ...(field !== '' && { field }) };
  const file = MAP_FILES.find((name) => {
    const text = read(name);
    return text !== undefined && readPlainMap(text) === undefined;
  });
  return file === undefined ? undefined : { file };
}

import { isFields, getListAt, getValueAt } from '../core/manifest';
import { DocumentText } from './document';
import { readAddedLabels } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';

/** What a kustomization says of the files around it. */
export interface Kustomization {
  /** The files of its patches, as it names them. */
  readonly patches: readonly string[];
  /** Does it take in what stands elsewhere: another folder, or an address? */
  readonly hasExternalEntries: boolean;
  /** What it takes in, as it names it: files, folders, addresses. */
  readonly entries: readonly string[];
  /** What it reads as whole objects. */
  readonly resources: readonly string[];
  /** Does it change, beside names and labels, what it takes in, so that its files alone do not say what comes of them? */
  readonly changesObjects: boolean;
  /** Is it no whole, but a part of whatever takes it in? */
  readonly isComponent: boolean;
  /** Does it change objects and hold none, so that another program has to hand them to it, as Fleet does with what a chart renders? */
  readonly hasOnlyPatches: boolean;
  /** What labels it puts on what it takes in. @default - none */
  readonly labels?: AddedLabels;
}

const EMPTY_KUSTOMIZATION: Kustomization = {
  patches: [],
  hasExternalEntries: false,
  entries: [],
  resources: [],
  changesObjects: false,
  isComponent: false,
  hasOnlyPatches: false,
};

/** Fields by which pods become others than the files say. Labels are added as kustomize does; what images and generated ConfigMaps are decides about no rollout here. */
const CHANGING_FIELDS: readonly string[] = [
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'replicas',
  'replacements',
  'vars',
  'generators',
  'transformers',
  'helmCharts',
  'helmChartInflationGenerator',
];

/** Fields by which a kustomization makes objects of its own. */
const GENERATING_FIELDS: readonly string[] = [
  'generators',
  'helmCharts',
  'helmChartInflationGenerator',
  'configMapGenerator',
  'secretGenerator',
];

const MANIFEST_FILE = /\.(?:yaml|yml|json)$/;

function filterStrings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

function listPatchFiles(kustomization: unknown): string[] {
  const named = [...getListAt(kustomization, 'patches'), ...getListAt(kustomization, 'patchesJson6902')];
  return filterStrings([...named.map((patch) => getValueAt(patch, 'path')), ...getListAt(kustomization, 'patchesStrategicMerge')]);
}

function isExternalEntry(entry: string): boolean {
  return entry.startsWith('../') || entry.includes('://') || !MANIFEST_FILE.test(entry);
}

/** Reads a kustomization; one that cannot be read says nothing. */
export function readKustomization(text: string): Kustomization {
  try {
    const documents = new DocumentText(text);
    for (const chunk of documents.chunks()) {
      const value = 'problem' in chunk ? undefined : documents.valueOf(chunk).value;
      if (!isFields(value)) continue;
      const hasAnyOf = (fields: readonly string[]) => fields.some((field) => getListAt(value, field).length > 0);
      const labels = readAddedLabels(value);
      const entries = ['resources', 'bases', 'components'].flatMap((field) => filterStrings(getListAt(value, field)));
      return {
        patches: listPatchFiles(value),
        hasExternalEntries: entries.some(isExternalEntry),
        entries,
        resources: filterStrings(getListAt(value, 'resources')),
        changesObjects: hasAnyOf(CHANGING_FIELDS) || labels === 'too-many',
        isComponent: value.kind === 'Component',
        hasOnlyPatches: hasAnyOf(CHANGING_FIELDS) && entries.length === 0 && !hasAnyOf(GENERATING_FIELDS),
        ...(labels !== undefined && labels !== 'too-many' && { labels }),
      };
    }
  } catch {
    // What cannot be read is a finding where the file itself is read.
  }
  return EMPTY_KUSTOMIZATION;
}

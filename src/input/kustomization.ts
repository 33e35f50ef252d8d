import { isFields, listAt, valueAt } from '../core/manifest';
import { DocumentText } from './document';
import { addedLabels } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';

/** What a kustomization says of the files around it. */
export interface Kustomization {
  /** The files of its patches, as it names them. */
  readonly patches: readonly string[];
  /** Does it take in what stands elsewhere: another folder, or an address? */
  readonly takesElsewhere: boolean;
  /** What it takes in, as it names it: files, folders, addresses. */
  readonly takes: readonly string[];
  /** What it reads as whole objects. */
  readonly resources: readonly string[];
  /** Does it change, beside names and labels, what it takes in, so that its files alone do not say what comes of them? */
  readonly changes: boolean;
  /** Is it no whole, but a part of whatever takes it in? */
  readonly isComponent: boolean;
  /** Does it change objects and hold none, so that another program has to hand them to it, as Fleet does with what a chart renders? */
  readonly patchesAlone: boolean;
  /** What labels it puts on what it takes in. @default - none */
  readonly labels?: AddedLabels;
}

const NOTHING: Kustomization = {
  patches: [],
  takesElsewhere: false,
  takes: [],
  resources: [],
  changes: false,
  isComponent: false,
  patchesAlone: false,
};

/** Fields by which pods become others than the files say. Labels are added as kustomize does; what images and generated ConfigMaps are decides about no rollout here. */
const CHANGES: readonly string[] = [
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
const MAKES: readonly string[] = ['generators', 'helmCharts', 'helmChartInflationGenerator', 'configMapGenerator', 'secretGenerator'];

const MANIFEST_FILE = /\.(?:yaml|yml|json)$/;

function strings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

function patchFiles(kustomization: unknown): string[] {
  const named = [...listAt(kustomization, 'patches'), ...listAt(kustomization, 'patchesJson6902')];
  return strings([...named.map((patch) => valueAt(patch, 'path')), ...listAt(kustomization, 'patchesStrategicMerge')]);
}

function isElsewhere(entry: string): boolean {
  return entry.startsWith('../') || entry.includes('://') || !MANIFEST_FILE.test(entry);
}

/** Reads a kustomization; one that cannot be read says nothing. */
export function readKustomization(text: string): Kustomization {
  try {
    const documents = new DocumentText(text);
    for (const chunk of documents.chunks()) {
      const value = 'problem' in chunk ? undefined : documents.valueOf(chunk).value;
      if (!isFields(value)) continue;
      const names = (fields: readonly string[]) => fields.some((field) => listAt(value, field).length > 0);
      const labels = addedLabels(value);
      const taken = ['resources', 'bases', 'components'].flatMap((field) => strings(listAt(value, field)));
      return {
        patches: patchFiles(value),
        takesElsewhere: taken.some(isElsewhere),
        takes: taken,
        resources: strings(listAt(value, 'resources')),
        changes: names(CHANGES) || labels === 'too-many',
        isComponent: value.kind === 'Component',
        patchesAlone: names(CHANGES) && taken.length === 0 && !names(MAKES),
        ...(labels !== undefined && labels !== 'too-many' && { labels }),
      };
    }
  } catch {
    // What cannot be read is a finding where the file itself is read.
  }
  return NOTHING;
}

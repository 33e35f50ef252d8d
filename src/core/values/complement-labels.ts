import { joinWords } from '../text/text-format';

/** One label, and the values that a selector looks for. */
export interface LabelValues {
  readonly key: string;
  readonly values: readonly string[];
}

/** Merges labels with the same key into one label with all values. */
export function mergeLabelValues(labels: readonly LabelValues[]): readonly LabelValues[] {
  const values = new Map<string, Set<string>>();
  for (const { key, values: ownValues } of labels) {
    const known = values.get(key) ?? new Set();
    for (const value of ownValues) known.add(value);
    values.set(key, known);
  }
  return [...values].map(([key, merged]) => ({ key, values: [...merged] }));
}

/** Builds requirements that select everything with none of the values, with or without the labels. */
export function buildNotInRequirements(labels: readonly LabelValues[]) {
  return labels.map(({ key, values }) => ({ key, operator: 'NotIn', values }));
}

/** Formats labels as a condition: `env NotIn [dev, test] and tier NotIn [db]`. */
export function formatNotIn(labels: readonly LabelValues[]): string {
  return joinWords(labels.map(({ key, values }) => `${key} NotIn [${values.join(', ')}]`));
}

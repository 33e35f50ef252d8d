import { joinWords } from './text-format';

/** One label, and the values that something looks for. */
export interface LabelValues {
  readonly key: string;
  readonly values: readonly string[];
}

/** Each label once, with all its values. */
export function mergeLabelValues(labels: readonly LabelValues[]): readonly LabelValues[] {
  const values = new Map<string, Set<string>>();
  for (const { key, values: more } of labels) values.set(key, new Set([...(values.get(key) ?? []), ...more]));
  return [...values].map(([key, merged]) => ({ key, values: [...merged] }));
}

/** What selects all that has none of the values, whether it has the labels or not. */
export function buildNotInRequirements(labels: readonly LabelValues[]) {
  return labels.map(({ key, values }) => ({ key, operator: 'NotIn', values }));
}

/** `env NotIn [dev, test] and tier NotIn [db]`. */
export function formatNotIn(labels: readonly LabelValues[]): string {
  return joinWords(labels.map(({ key, values }) => `${key} NotIn [${values.join(', ')}]`));
}

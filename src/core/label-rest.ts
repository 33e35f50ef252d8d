import { listed } from './words';

/** One label, and the values that something looks for. */
export interface LabelValues {
  readonly key: string;
  readonly values: readonly string[];
}

/** Each label once, with all its values. */
export function eachLabelOnce(labels: readonly LabelValues[]): readonly LabelValues[] {
  const values = new Map<string, Set<string>>();
  for (const { key, values: more } of labels) values.set(key, new Set([...(values.get(key) ?? []), ...more]));
  return [...values].map(([key, known]) => ({ key, values: [...known] }));
}

/** What selects all that has none of the values, whether it has the labels or not. */
export function notIn(labels: readonly LabelValues[]) {
  return labels.map(({ key, values }) => ({ key, operator: 'NotIn', values }));
}

/** `env NotIn [dev, test] and tier NotIn [db]`. */
export function notInText(labels: readonly LabelValues[]): string {
  return listed(labels.map(({ key, values }) => `${key} NotIn [${values.join(', ')}]`));
}

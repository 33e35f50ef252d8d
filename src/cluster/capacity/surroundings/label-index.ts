import { addToGroup } from '../../../core/group-by';
import { matchLabelsOf } from '../../../core/label-selector';
import { getListAt, getValueAt, isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { buildLabelIndex } from '../../label-index';
import type { PodSelector, PodShape } from './pod-shape';

function formatLabel(key: string, value: unknown): string {
  return JSON.stringify([key, value]);
}

/** Lists the labels that a selector requires, each with all values that it accepts. */
function listRequiredLabels(selector: unknown): (readonly string[])[] {
  const byExpressions = getListAt(selector, 'matchExpressions').flatMap((expression) => {
    const key = getValueAt(expression, 'key');
    const isRequired = typeof key === 'string' && getValueAt(expression, 'operator') === 'In';
    return isRequired ? [[...new Set(getListAt(expression, 'values').map((value) => formatLabel(key, value)))]] : [];
  });
  return [...Object.entries(matchLabelsOf(selector)).map(([key, value]) => [formatLabel(key, value)]), ...byExpressions];
}

/** Returns the labels with the smallest number. Returns undefined without any. */
function findRarest(required: readonly (readonly string[])[], countOf: (label: string) => number): readonly string[] | undefined {
  let [rarest] = required;
  let fewest = Infinity;
  for (const labels of required) {
    const count = labels.reduce((sum, label) => sum + countOf(label), 0);
    if (count < fewest) [rarest, fewest] = [labels, count];
  }
  return rarest;
}

/** Items by the namespace and the labels of their pods. */
export class ShapeIndex<Item> {
  private readonly byNamespace = new Map<string, Item[]>();
  private readonly indexes = new Map<string | undefined, (selector: unknown) => readonly Item[]>();

  constructor(
    private readonly items: readonly Item[],
    private readonly shapeOf: (item: Item) => PodShape,
  ) {
    for (const item of items) addToGroup(this.byNamespace, shapeOf(item).namespace, item);
  }

  inNamespace(namespace: string): readonly Item[] {
    return this.byNamespace.get(namespace) ?? [];
  }

  /** Lists the items that a pod of a namespace may select. The caller matches each one. */
  findSelectable({ selector, isInOwnNamespace }: PodSelector, namespace: string): readonly Item[] {
    const key = isInOwnNamespace ? namespace : undefined;
    const items = isInOwnNamespace ? this.inNamespace(namespace) : this.items;
    const index = this.indexes.get(key) ?? buildLabelIndex(items, (item) => this.shapeOf(item).labels);
    this.indexes.set(key, index);
    return isFields(selector) ? index(selector) : [];
  }
}

/** Selectors by the label that the fewest of them require, so that a pod looks only at those that require one of its labels. */
export class SelectorIndex<Item extends PodSelector> {
  private readonly byLabel = new Map<string, Item[]>();
  private readonly withoutLabel: Item[] = [];

  constructor(items: readonly Item[]) {
    const required = items.map(({ selector }) => listRequiredLabels(selector));
    const uses = new Map<string, number>();
    for (const label of required.flat(2)) uses.set(label, (uses.get(label) ?? 0) + 1);
    for (const [position, item] of items.entries()) {
      const labels = findRarest(required[position]!, (label) => uses.get(label)!);
      if (labels) for (const label of labels) addToGroup(this.byLabel, label, item);
      else this.withoutLabel.push(item);
    }
  }

  /** Lists the selectors that may select a pod with these labels. The caller matches each one. */
  find(labels: Fields): readonly Item[] {
    return [...Object.entries(labels).flatMap(([key, value]) => this.byLabel.get(formatLabel(key, value)) ?? []), ...this.withoutLabel];
  }
}

import { addToGroup } from '../../../core/collections/group-by';
import { isFields } from '../../../core/manifest/manifest';
import { matchLabelsOf } from '../../../core/values/label-selector';
import { buildLabelIndex } from '../../context/label-index';
import type { PodSelector, PodShape } from '../nodes/pod-shape';

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

/** A term, and its position among the terms of an index. */
interface PlacedTerm<Item> {
  readonly item: Item;
  readonly position: number;
}

/** Terms by the namespace and one label of the pods that they may select, because most terms select pods of one workload only. */
export class TermIndex<Item extends PodSelector & { readonly namespace: string }> {
  private readonly byLabel = new Map<string, PlacedTerm<Item>[]>();

  constructor(items: readonly Item[]) {
    for (const [position, item] of items.entries()) {
      const [label] = Object.entries(matchLabelsOf(item.selector));
      addToGroup(this.byLabel, formatTermKey(item.isInOwnNamespace ? item.namespace : undefined, label), { item, position });
    }
  }

  /** Lists the terms that may select a pod, in their order. The caller matches each one. */
  find({ namespace, labels }: Pick<PodShape, 'namespace' | 'labels'>): readonly Item[] {
    const needed = [undefined, ...Object.entries(labels)];
    return [namespace, undefined]
      .flatMap((place) => needed.flatMap((label) => this.byLabel.get(formatTermKey(place, label)) ?? []))
      .toSorted((one, other) => one.position - other.position)
      .map(({ item }) => item);
  }
}

function formatTermKey(namespace: string | undefined, label: readonly [key: string, value: unknown] | undefined): string {
  return JSON.stringify([namespace, label]);
}

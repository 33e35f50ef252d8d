import { addToGroup } from '../../../core/collections/group-by';
import { isFields } from '../../../core/manifest/manifest';
import { buildLabelIndex } from '../../label-index';
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

/** Terms by the namespace of the pods that they may select, because most terms select pods of their own namespace only. */
export class TermIndex<Item extends PodSelector & { readonly namespace: string }> {
  private readonly byNamespace = new Map<string | undefined, Item[]>();

  constructor(items: readonly Item[]) {
    for (const item of items) addToGroup(this.byNamespace, item.isInOwnNamespace ? item.namespace : undefined, item);
  }

  /** Lists the terms that may select a pod of a namespace. The caller matches each one. */
  find(namespace: string): readonly Item[] {
    const [own, others] = [this.byNamespace.get(namespace), this.byNamespace.get(undefined)];
    if (own && others) return own.concat(others);
    return own ?? others ?? [];
  }
}

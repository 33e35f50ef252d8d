import { labelsOf } from '../../cluster/services/endpoints';
import { isOpenLabel, mayBeSelected } from '../../cluster/services/open-labels';
import { addToGroup } from '../../core/collections/group-by';
import type { Fields } from '../../core/manifest/manifest';
import type { ObjectPods } from './object-pods';

function formatLabelKey(namespace: string, [key, value]: readonly [string, unknown]): string {
  return JSON.stringify([namespace, key, value]);
}

/** Pods of a unit, so that a Service only looks at those with one of its labels. */
export class ServicePodIndex {
  private readonly byLabel = new Map<string, Set<ObjectPods>>();
  private readonly byNamespace = new Map<string, ObjectPods[]>();
  /** The pods of each namespace whose number is not known. */
  private readonly uncounted = new Map<string, ObjectPods[]>();
  private readonly order = new Map<ObjectPods, number>();

  constructor(all: readonly ObjectPods[]) {
    for (const pods of all) {
      this.order.set(pods, this.order.size);
      const namespace = pods.namespace ?? '';
      addToGroup(this.byNamespace, namespace, pods);
      if (pods.isUncounted) addToGroup(this.uncounted, namespace, pods);
      const batches = [...pods.before, ...pods.waves.flatMap((wave) => wave.pods), ...pods.after, ...pods.members];
      const templates = new Set(batches.map(({ template }) => template));
      for (const template of templates) {
        for (const label of Object.entries(labelsOf(template))) {
          const key = formatLabelKey(namespace, label);
          const known = this.byLabel.get(key) ?? new Set();
          this.byLabel.set(key, known.add(pods));
        }
      }
    }
  }

  /** Lists the pods that one of the selectors selects or may select, in the order of their objects. */
  findCandidates(namespace: string, selectors: readonly Fields[]): { readonly selected: ObjectPods[]; readonly possible: ObjectPods[] } {
    const found = new Set<ObjectPods>();
    for (const selector of selectors) {
      const sets = Object.entries(selector).map((label) => this.byLabel.get(formatLabelKey(namespace, label)));
      const smallest = sets.reduce((one, other) => ((other?.size ?? 0) < (one?.size ?? 0) ? other : one), sets[0]);
      for (const pods of smallest ?? []) found.add(pods);
    }
    const hasOpenLabel = selectors.some((selector) => Object.keys(selector).some(isOpenLabel));
    const others = (hasOpenLabel ? this.byNamespace : this.uncounted).get(namespace) ?? [];
    const possible = others.filter((pods) => selectors.some((selector) => maySelect(pods, selector)));
    return { selected: [...found].toSorted((a, b) => this.order.get(a)! - this.order.get(b)!), possible };
  }
}

function maySelect(pods: ObjectPods, selector: Fields): boolean {
  const isCertain = ({ template }: { readonly template: Fields }) =>
    Object.entries(selector).every(([key, value]) => labelsOf(template)[key] === value);
  const batches: readonly { readonly template: Fields }[] = [...pods.before, ...pods.after, ...(pods.isUncounted ? pods.members : [])];
  if (pods.isUncounted) return batches.some(isCertain) || batches.some(({ template }) => mayBeSelected(template, selector, pods.isOpen));
  return batches.some(({ template }) => mayBeSelected(template, selector, pods.isOpen));
}

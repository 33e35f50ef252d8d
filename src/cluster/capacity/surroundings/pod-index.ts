import { groupBy } from '../../../core/collections/group-by';
import { getListAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { buildPortMarks } from '../nodes/scheduling';
import { TermIndex, ShapeIndex } from './label-index';
import { listAffinityTerms } from '../nodes/pod-shape';
import type { AffinityTerm, PodSelector, PodShape } from '../nodes/pod-shape';
import type { RunningPod } from './running-pods';

/** Running pods that no selector distinguishes. */
export interface SelectablePods {
  readonly shape: RunningPod;
  readonly pods: readonly RunningPod[];
}

/** A required anti-affinity term of running pods that no selector distinguishes. */
export interface ExclusiveTerm extends PodSelector {
  readonly namespace: string;
  readonly term: AffinityTerm;
  readonly pods: readonly RunningPod[];
}

function groupByKind(pods: readonly RunningPod[], keyOf: (pod: RunningPod) => unknown): SelectablePods[] {
  const byKey = groupBy(pods, (pod) => JSON.stringify([pod.namespace, pod.labels, keyOf(pod)]));
  return [...byKey.values()].map((kind) => ({ shape: kind[0]!, pods: kind }));
}

function listAntiAffinity({ spec }: RunningPod): readonly unknown[] {
  return getListAt(spec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
}

/** Pods on nodes, by what the scheduler can select them by. */
export interface SelectableIndex {
  /** Lists the pods of a namespace. */
  inNamespace(namespace: string): readonly SelectablePods[];
  /** Lists the pods that a pod in a namespace may select. The caller matches each one. */
  selectableBy(selector: PodSelector, namespace: string): readonly SelectablePods[];
  /** Lists the anti-affinity terms that may keep off a pod. The caller matches each one. */
  exclusiveTowards(shape: PodShape): readonly ExclusiveTerm[];
  /** Returns the index without some pods. */
  without(gone: ReadonlySet<RunningPod>): SelectableIndex;
}

/** The pods of an index except some, which are left out when they are looked up. */
class IndexWithout implements SelectableIndex {
  constructor(
    private readonly index: SelectableIndex,
    private readonly gone: ReadonlySet<RunningPod>,
  ) {}

  private remaining<T extends { readonly pods: readonly RunningPod[] }>(all: readonly T[]): T[] {
    const isGone = (pod: RunningPod): boolean => this.gone.has(pod);
    const kept: T[] = [];
    for (const each of all) {
      if (!each.pods.some(isGone)) kept.push(each);
      else if (!each.pods.every(isGone)) kept.push({ ...each, pods: each.pods.filter((pod) => !isGone(pod)) });
    }
    return kept;
  }

  inNamespace(namespace: string): readonly SelectablePods[] {
    return this.remaining(this.index.inNamespace(namespace));
  }

  selectableBy(selector: PodSelector, namespace: string): readonly SelectablePods[] {
    return this.remaining(this.index.selectableBy(selector, namespace));
  }

  exclusiveTowards(shape: PodShape): readonly ExclusiveTerm[] {
    return this.remaining(this.index.exclusiveTowards(shape));
  }

  without(gone: ReadonlySet<RunningPod>): SelectableIndex {
    return gone.size === 0 ? this : new IndexWithout(this, gone);
  }
}

/** The pods on the nodes of a plan, by what the scheduler can select them by. */
export class PodIndex implements SelectableIndex {
  private readonly kinds: ShapeIndex<SelectablePods>;
  private readonly exclusive: TermIndex<ExclusiveTerm>;
  private readonly byPriority = new Map<number, number>();
  /** Host ports of the pods. */
  private readonly portMarks: ReadonlySet<unknown>;
  /** Pods that are being deleted. */
  readonly terminating: readonly RunningPod[];

  constructor(readonly pods: readonly RunningPod[]) {
    this.kinds = new ShapeIndex(
      groupByKind(pods, () => undefined),
      ({ shape }) => shape,
    );
    const exclusive = groupByKind(
      pods.filter((pod) => listAntiAffinity(pod).length > 0),
      listAntiAffinity,
    ).flatMap(({ shape, pods: kind }) =>
      listAffinityTerms(shape, 'podAntiAffinity').map((term) => ({ ...term, term, namespace: shape.namespace, pods: kind })),
    );
    this.exclusive = new TermIndex(exclusive);
    this.portMarks = new Set(pods.flatMap(({ spec }) => buildPortMarks(spec).leaves));
    for (const { priority } of pods) this.byPriority.set(priority, (this.byPriority.get(priority) ?? 0) + 1);
    this.terminating = pods.filter(({ isTerminating }) => isTerminating);
  }

  inNamespace(namespace: string): readonly SelectablePods[] {
    return this.kinds.inNamespace(namespace);
  }

  selectableBy(selector: PodSelector, namespace: string): readonly SelectablePods[] {
    return this.kinds.findSelectable(selector, namespace);
  }

  exclusiveTowards(shape: PodShape): readonly ExclusiveTerm[] {
    return this.exclusive.find(shape);
  }

  without(gone: ReadonlySet<RunningPod>): SelectableIndex {
    return gone.size === 0 ? this : new IndexWithout(this, gone);
  }

  /** Reports whether some pod uses a host port of a pod. */
  hasPortOf(podSpec: Fields): boolean {
    return buildPortMarks(podSpec).avoids.some((mark) => this.portMarks.has(mark));
  }

  /** Reports whether the anti-affinity of some pod may keep off a pod. */
  isKeptOff(shape: PodShape): boolean {
    return this.exclusiveTowards(shape).some(({ term }) => term.matches(shape) || term.mayMatch(shape));
  }

  /** Reports whether the anti-affinity or a host port of some pod may keep off a pod. */
  mayExclude(shape: PodShape): boolean {
    return this.hasPortOf(shape.spec) || this.isKeptOff(shape);
  }

  /** Reports whether other pods than the given ones have a priority below a number. */
  hasPriorityBelow(priority: number, except: readonly RunningPod[]): boolean {
    const excepted = new Map<number, number>();
    for (const pod of except) excepted.set(pod.priority, (excepted.get(pod.priority) ?? 0) + 1);
    return [...this.byPriority].some(([own, pods]) => own < priority && pods > (excepted.get(own) ?? 0));
  }
}

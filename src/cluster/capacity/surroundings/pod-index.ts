import { addToGroup, groupBy } from '../../../core/group-by';
import { getListAt } from '../../../core/manifest';
import { buildPortMarks } from '../nodes/scheduling';
import { listAffinityTerms } from './pod-shape';
import type { AffinityTerm, PodShape } from './pod-shape';
import type { RunningPod } from './running-pods';

/** Running pods that no selector distinguishes. */
export interface SelectablePods {
  readonly shape: RunningPod;
  readonly pods: readonly RunningPod[];
}

/** Running pods with required anti-affinity that no selector distinguishes, with their terms. */
export interface ExclusiveKind extends SelectablePods {
  readonly terms: readonly AffinityTerm[];
}

function groupByKind(pods: readonly RunningPod[], keyOf: (pod: RunningPod) => unknown): SelectablePods[] {
  const byKey = groupBy(pods, (pod) => JSON.stringify([pod.namespace, pod.labels, keyOf(pod)]));
  return [...byKey.values()].map((kind) => ({ shape: kind[0]!, pods: kind }));
}

function listAntiAffinity({ spec }: RunningPod): readonly unknown[] {
  return getListAt(spec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
}

/** The pods on the nodes of a plan, by what the scheduler can select them by. */
export class PodIndex {
  private readonly byNamespace = new Map<string, SelectablePods[]>();
  private readonly kinds: readonly SelectablePods[];
  private readonly exclusiveByNamespace = new Map<string, ExclusiveKind[]>();
  /** Kinds with terms that may select pods of any namespace. */
  private readonly exclusiveEverywhere: ExclusiveKind[] = [];
  private readonly byPriority = new Map<number, number>();
  /** Host ports of the pods. */
  private readonly portMarks: ReadonlySet<unknown>;

  constructor(readonly pods: readonly RunningPod[]) {
    this.kinds = groupByKind(pods, () => undefined);
    for (const kind of this.kinds) addToGroup(this.byNamespace, kind.shape.namespace, kind);
    const exclusive = pods.filter((pod) => listAntiAffinity(pod).length > 0);
    for (const kind of groupByKind(exclusive, listAntiAffinity)) {
      const terms = listAffinityTerms(kind.shape, 'podAntiAffinity');
      if (terms.every(({ isInOwnNamespace }) => isInOwnNamespace))
        addToGroup(this.exclusiveByNamespace, kind.shape.namespace, { ...kind, terms });
      else this.exclusiveEverywhere.push({ ...kind, terms });
    }
    this.portMarks = new Set(pods.flatMap(({ spec }) => buildPortMarks(spec).leaves));
    for (const { priority } of pods) this.byPriority.set(priority, (this.byPriority.get(priority) ?? 0) + 1);
  }

  /** Lists the pods of a namespace. */
  inNamespace(namespace: string): readonly SelectablePods[] {
    return this.byNamespace.get(namespace) ?? [];
  }

  /** Lists the pods that a term of a pod in a namespace may select. */
  selectableBy({ isInOwnNamespace }: AffinityTerm, namespace: string): readonly SelectablePods[] {
    return isInOwnNamespace ? this.inNamespace(namespace) : this.kinds;
  }

  /** Lists the pods whose anti-affinity may keep off pods of a namespace. */
  exclusiveTowards(namespace: string): readonly ExclusiveKind[] {
    return [...(this.exclusiveByNamespace.get(namespace) ?? []), ...this.exclusiveEverywhere];
  }

  /** Reports whether the anti-affinity or a host port of some pod may keep off a pod. */
  mayExclude(shape: PodShape): boolean {
    if (buildPortMarks(shape.spec).avoids.some((mark) => this.portMarks.has(mark))) return true;
    return this.exclusiveTowards(shape.namespace).some(({ terms }) => terms.some((term) => term.matches(shape) || term.mayMatch(shape)));
  }

  /** Reports whether other pods than the given ones have a priority below a number. */
  hasPriorityBelow(priority: number, except: readonly RunningPod[]): boolean {
    const excepted = new Map<number, number>();
    for (const pod of except) excepted.set(pod.priority, (excepted.get(pod.priority) ?? 0) + 1);
    return [...this.byPriority].some(([own, pods]) => own < priority && pods > (excepted.get(own) ?? 0));
  }
}

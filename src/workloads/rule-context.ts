import type { Autoscaler } from '../cluster/autoscaler';
import type { CapacityKnowledge, PodRollout, Workload } from '../cluster/workload';
import type { FieldPath } from '../core/field-path';
import type { Manifest } from '../core/manifest';
import type { EffectiveStrategy } from './effective-strategy';

/** Something of the input, and where it stands. */
export interface ValueAtPath {
  readonly value: unknown;
  readonly path: FieldPath;
}

/** A container of a pod. */
export interface ContainerAtPath extends ValueAtPath {
  /** Does its controller give it a readiness probe where it has none? @default false */
  readonly getsProbe?: boolean;
}

/** The number of pods that somebody writes while an autoscaler may write another. */
export interface DeclaredReplicas {
  readonly path: FieldPath;
  readonly replicas: number;
  /** An apply of the object itself, or KServe at every reconcile. */
  readonly writer: 'apply' | 'kserve';
}

/** When a rollout without progress counts as failed. */
export interface ProgressDeadline {
  readonly path: FieldPath;
  /** Seconds. */
  readonly deadline: number;
  /** Seconds. */
  readonly minReadySeconds: number;
  /** Can the user set it? */
  readonly isSettable: boolean;
}

/** The rollout of a set of pods as the rules of its kind look at it, whoever wrote it: what is not known is left out, and not judged. */
export interface RuleContext<S extends EffectiveStrategy = EffectiveStrategy> {
  readonly effective: S;
  readonly workload: Workload;
  /** Undefined where nothing rolls out. */
  readonly rollout?: PodRollout;
  readonly capacity: CapacityKnowledge;
  readonly kubernetesVersion: string;
  /** The containers of a pod as its user writes them, in their order; none where no template is known. */
  readonly containers: readonly ContainerAtPath[];
  /** The name of a Service that sends requests to the pods. */
  readonly service?: string;
  /** What holds annotations of the pods. */
  readonly metadata: readonly ValueAtPath[];
  /** Seconds that a pod takes to become ready; 0 where nobody says. */
  readonly startupSeconds: number;
  readonly deadline?: ProgressDeadline;
  readonly autoscaler?: Autoscaler;
  readonly declaredReplicas?: DeclaredReplicas;
  /** The object, where the strategy stands in it as written by its user. */
  readonly strategyObject?: Manifest;
  readonly isPaused?: boolean;
}

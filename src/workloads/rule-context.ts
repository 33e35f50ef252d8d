import type { Applier } from '../appliers/applier';
import type { Autoscaler } from '../cluster/autoscaling/autoscaler';
import type { LocatedTemplate } from '../cluster/rollout/located-template';
import type { CapacityKnowledge, Workload } from '../cluster/rollout/workload';
import type { PodRollout } from '../cluster/rollout/pod-rollout';
import type { FieldPath } from '../core/manifest/field-path';
import type { Manifest } from '../core/manifest/manifest';
import type { EffectiveStrategy } from './effective-strategy';

/** The number of pods that an apply or a controller writes while an autoscaler may write another. */
export interface DeclaredReplicas {
  readonly path: FieldPath;
  readonly replicas: number;
  /** The tool that applies the object, and whether it keeps the live number, if the object has an autoscaler. @default - kubectl */
  readonly applied?: { readonly applier: Applier; readonly keepsReplicas: boolean } | undefined;
  /** The writer: an apply of the object itself, or KServe at every reconcile. */
  readonly writer: 'apply' | 'kserve';
}

/** The deadline after which a rollout without progress counts as failed. */
export interface ProgressDeadline {
  readonly path: FieldPath;
  /** Seconds. */
  readonly deadline: number;
  /** Seconds. */
  readonly minReadySeconds: number;
  /** Whether the user can set the deadline. */
  readonly isSettable: boolean;
}

/** The rollout of a set of pods, as the rules of its kind read it. Unknown values are not set, and are not checked. */
export interface RuleContext<S extends EffectiveStrategy = EffectiveStrategy> {
  readonly effective: S;
  readonly workload: Workload;
  /** The rollout. Undefined if nothing rolls out. */
  readonly rollout?: PodRollout;
  readonly capacity: CapacityKnowledge;
  readonly kubernetesVersion: string;
  /** Returns the pod template in the form of the rules about pods. Returns none if it is not known. */
  readonly podTemplates: () => readonly LocatedTemplate[];
  /** Seconds that a pod needs to become ready. 0 if unknown. */
  readonly startupSeconds: number;
  readonly deadline?: ProgressDeadline;
  readonly autoscaler?: Autoscaler;
  readonly declaredReplicas?: DeclaredReplicas;
  /** The object, if its user has written a strategy in it. */
  readonly strategyObject?: Manifest;
  readonly isPaused?: boolean;
}

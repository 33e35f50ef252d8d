import type { FieldPath } from '../../core/manifest/field-path';
import { appendToPath, toFieldPath } from '../../core/manifest/field-path';
import { getListAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

/** A value of the input and its path. */
export interface ValueAtPath {
  readonly value: unknown;
  readonly path: FieldPath;
}

/** A container of a pod. */
export interface ContainerAtPath extends ValueAtPath {
  /** Whether its controller adds a readiness probe if it has none. @default false */
  readonly getsProbe?: boolean;
}

/** The pods of a template as their user writes them. */
export interface WrittenPods {
  /** The containers in the order in which the user writes them. */
  readonly containers: readonly ContainerAtPath[];
  /** The metadata that contain the annotations of the pods. */
  readonly metadata: readonly ValueAtPath[];
  /** The object that contains the template. @default - the object of the rollout */
  readonly sourceObject?: Manifest;
  /** The name of a Service that sends requests to the pods. */
  readonly service?: string;
}

/** A pod template of a rollout, in one form for every kind and system. Rules about pods read it. */
export interface LocatedTemplate extends WrittenPods {
  /** The template from which the controller creates pods: labels and annotations in `metadata`, containers in `spec`. */
  readonly template: Fields;
  /** Field path of the pod spec: `spec.template.spec`. */
  readonly podPath: FieldPath;
  /** Whether the controller, and not the template, decides how requests end when a pod is deleted. @default false */
  readonly controlsTermination?: boolean;
  /** Whether the rollout waits until new pods are ready. It does not if the type is Recreate or OnDelete, or for an only pod that is replaced in place. */
  readonly awaitsReadiness: boolean;
}

/** Lists the containers of a pod spec with their paths. */
export function listContainersAt(podSpec: unknown, podPath: FieldPath, getsProbe?: true): ContainerAtPath[] {
  const listPath = toFieldPath`${podPath}.containers`;
  return getListAt(podSpec, 'containers').map((value, index) => ({
    value,
    path: appendToPath(listPath, index),
    ...(getsProbe && { getsProbe }),
  }));
}

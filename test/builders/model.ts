import { deployment, podTemplate } from './workload';

export const GPU = 'nvidia.com/gpu';

/** Fields of a model server. */
export interface ModelOptions {
  /** @default 'model' */
  readonly name?: string;
  /** @default - none */
  readonly namespace?: string;
  /** @default 3 */
  readonly replicas?: number;
  /** GPUs of each pod. @default 1 */
  readonly gpus?: number;
  /** Requests of each pod, instead of GPUs. @default - the GPUs */
  readonly requests?: object;
  /** @default - one extra pod, and none unavailable */
  readonly rollingUpdate?: object;
  /** Further fields of the pod spec. @default - none */
  readonly pod?: object;
}

/** Builds a Deployment with a rolling update, whose pods have one container with these requests. */
export function model({
  name = 'model',
  namespace,
  replicas = 3,
  gpus = 1,
  requests = { [GPU]: gpus },
  rollingUpdate = { maxSurge: 1, maxUnavailable: 0 },
  pod = {},
}: ModelOptions) {
  const template = podTemplate({ resources: { requests } }, pod);
  return deployment({ replicas, strategy: { rollingUpdate }, template }, { name, ...(namespace !== undefined && { namespace }) });
}

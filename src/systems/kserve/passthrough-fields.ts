/**
 * Names of fields that are passed through unchanged. A rollout reads none of them except what the plan finds in the manifest.
 *
 * Source: the CRD inferenceservices.serving.kserve.io of KServe 0.17 and 0.20, which inlines core/v1 PodSpec and Container.
 */

/** Fields of a pod. */
export const POD_FIELDS = [
  'activeDeadlineSeconds',
  'affinity',
  'automountServiceAccountToken',
  'dnsConfig',
  'dnsPolicy',
  'enableServiceLinks',
  'ephemeralContainers',
  'hostAliases',
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'hostUsers',
  'hostname',
  'hostnameOverride',
  'imagePullSecrets',
  'initContainers',
  'nodeName',
  'nodeSelector',
  'os',
  'overhead',
  'preemptionPolicy',
  'priority',
  'priorityClassName',
  'readinessGates',
  'resourceClaims',
  'resources',
  'restartPolicy',
  'runtimeClassName',
  'schedulerName',
  'schedulingGates',
  'securityContext',
  'serviceAccount',
  'serviceAccountName',
  'setHostnameAsFQDN',
  'shareProcessNamespace',
  'subdomain',
  'terminationGracePeriodSeconds',
  'tolerations',
  'topologySpreadConstraints',
  'volumes',
] as const;

/** Fields of a container, except those that a rollout reads. */
export const CONTAINER_FIELDS = [
  'args',
  'command',
  'envFrom',
  'imagePullPolicy',
  'lifecycle',
  'livenessProbe',
  'ports',
  'readinessProbe',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'securityContext',
  'startupProbe',
  'stdin',
  'stdinOnce',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'tty',
  'volumeDevices',
  'volumeMounts',
  'workingDir',
] as const;

/** Fields of every component that KServe defines, except those that a rollout reads. */
export const COMPONENT_FIELDS = ['batcher', 'logger', 'storageContainerName', 'storageUris'] as const;

/** The older fields for a model, one per framework, instead of `model`. */
export const FRAMEWORKS = [
  'huggingface',
  'lightgbm',
  'onnx',
  'paddle',
  'pmml',
  'pytorch',
  'sklearn',
  'tensorflow',
  'triton',
  'xgboost',
] as const;

/** Fields of a model, except those of a container and those that a rollout reads. */
export const MODEL_FIELDS = ['confidential', 'runtimeVersion', 'storage'] as const;

/** Fields of a pod, with any values. */
export type PodFields = { readonly [Name in (typeof POD_FIELDS)[number]]?: unknown };

/** Fields of a container, with any values. */
export type ContainerFields = { readonly [Name in (typeof CONTAINER_FIELDS)[number]]?: unknown };

/** Fields of a component, with any values. */
export interface ComponentFields {
  /** The batching of requests, as in KServe. @default - none */
  readonly batcher?: unknown;
  /** The logging of requests and responses, as in KServe. @default - none */
  readonly logger?: unknown;
  /** The ClusterStorageContainer that downloads the model. @default - the one that supports the URI */
  readonly storageContainerName?: unknown;
  /** Several locations of models, each with a mount path. KServe 0.17 or later. @default - none */
  readonly storageUris?: unknown;
}

/** The older fields for a model, one per framework, with any values. */
export interface FrameworkFields {
  /**
   * The older form of `model` with the format huggingface.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly huggingface?: unknown;
  /**
   * The older form of `model` with the format lightgbm.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly lightgbm?: unknown;
  /**
   * The older form of `model` with the format onnx.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly onnx?: unknown;
  /**
   * The older form of `model` with the format paddle.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly paddle?: unknown;
  /**
   * The older form of `model` with the format pmml.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly pmml?: unknown;
  /**
   * The older form of `model` with the format pytorch.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly pytorch?: unknown;
  /**
   * The older form of `model` with the format sklearn.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly sklearn?: unknown;
  /**
   * The older form of `model` with the format tensorflow.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly tensorflow?: unknown;
  /**
   * The older form of `model` with the format triton.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly triton?: unknown;
  /**
   * The older form of `model` with the format xgboost.
   *
   * @default - none
   * @deprecated Write `model` with its `modelFormat`.
   */
  readonly xgboost?: unknown;
}

/** Fields of a model, with any values. */
export type ModelFields = { readonly [Name in (typeof MODEL_FIELDS)[number]]?: unknown };

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
export type ComponentFields = { readonly [Name in (typeof COMPONENT_FIELDS)[number]]?: unknown };

/** Models by framework, with any values. */
export type FrameworkFields = { readonly [Name in (typeof FRAMEWORKS)[number]]?: unknown };

/** Fields of a model, with any values. */
export type ModelFields = { readonly [Name in (typeof MODEL_FIELDS)[number]]?: unknown };

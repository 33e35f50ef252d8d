/**
 * Fields that pass through as they are, by name: no rollout reads more of them than the plan finds in the manifest.
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

/** Fields of a container besides those that a rollout touches. */
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

/** What every component has of KServe itself, besides what a rollout touches. */
export const COMPONENT_FIELDS = ['batcher', 'logger', 'storageContainerName', 'storageUris'] as const;

/** The older way to name a model: by the framework, in place of `model`. */
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

/** What a model has besides a container and what a rollout touches. */
export const MODEL_FIELDS = ['confidential', 'runtimeVersion', 'storage'] as const;

/** Fields of a pod, whatever stands in them. */
export type PodFields = { readonly [Name in (typeof POD_FIELDS)[number]]?: unknown };

/** Fields of a container, whatever stands in them. */
export type ContainerFields = { readonly [Name in (typeof CONTAINER_FIELDS)[number]]?: unknown };

/** Fields of a component, whatever stands in them. */
export type ComponentFields = { readonly [Name in (typeof COMPONENT_FIELDS)[number]]?: unknown };

/** Models by framework, whatever stands in them. */
export type FrameworkFields = { readonly [Name in (typeof FRAMEWORKS)[number]]?: unknown };

/** Fields of a model, whatever stands in them. */
export type ModelFields = { readonly [Name in (typeof MODEL_FIELDS)[number]]?: unknown };

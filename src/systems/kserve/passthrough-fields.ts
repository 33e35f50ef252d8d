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
] as const satisfies readonly (keyof PodFields)[];

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
] as const satisfies readonly (keyof ContainerFields)[];

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
export const MODEL_FIELDS = ['confidential', 'runtimeVersion', 'storage'] as const satisfies readonly (keyof ModelFields)[];

/** Fields of a pod, with any values. */
export interface PodFields {
  /** Seconds after which the pod is ended. @default - no limit */
  readonly activeDeadlineSeconds?: unknown;
  /** Rules that attract the pods to nodes and to other pods, or keep them apart. @default - none */
  readonly affinity?: unknown;
  /** Whether the token of the service account is mounted. @default - that of the service account */
  readonly automountServiceAccountToken?: unknown;
  /** Name servers, search domains and options in addition to the DNS policy. @default - none */
  readonly dnsConfig?: unknown;
  /** The DNS policy: ClusterFirst, ClusterFirstWithHostNet, Default or None. @default ClusterFirst */
  readonly dnsPolicy?: unknown;
  /** Whether Services become environment variables. @default true */
  readonly enableServiceLinks?: unknown;
  /** Containers for debugging. The API server refuses them in a template. @default - none */
  readonly ephemeralContainers?: unknown;
  /** Entries for the hosts file. @default - none */
  readonly hostAliases?: unknown;
  /** Whether the pod uses the node's IPC namespace. @default false */
  readonly hostIPC?: unknown;
  /** Whether the pod uses the node's network. @default false */
  readonly hostNetwork?: unknown;
  /** Whether the pod uses the node's process ID namespace. @default false */
  readonly hostPID?: unknown;
  /** Whether the pod uses the node's user namespace. @default true */
  readonly hostUsers?: unknown;
  /** The host name of the pod. @default - the name of the pod */
  readonly hostname?: unknown;
  /** The host name of the pod, which may be a full domain name. Kubernetes 1.34 or later. @default - none */
  readonly hostnameOverride?: unknown;
  /** Secrets with which the images are pulled. @default - those of the service account */
  readonly imagePullSecrets?: unknown;
  /** Containers that run before the others. @default - none */
  readonly initContainers?: unknown;
  /** The node of the pod, without the scheduler. @default - the scheduler decides */
  readonly nodeName?: unknown;
  /** Labels that a node of the pods must have. @default - any node */
  readonly nodeSelector?: unknown;
  /** The operating system of the node. @default - none */
  readonly os?: unknown;
  /** Resources that the runtime class needs in addition to the containers. @default - that of the runtime class */
  readonly overhead?: unknown;
  /** Whether the pod may preempt pods with a lower priority. @default - that of the priority class */
  readonly preemptionPolicy?: unknown;
  /** The priority of the pod, which the priority class sets. @default - that of the priority class */
  readonly priority?: unknown;
  /** The PriorityClass of the pod. @default - the global default */
  readonly priorityClassName?: unknown;
  /** Conditions that a pod must have in addition to be ready. @default - none */
  readonly readinessGates?: unknown;
  /** Claims of devices that the containers use. @default - none */
  readonly resourceClaims?: unknown;
  /** Requests and limits of the whole pod. Kubernetes 1.34 or later. @default - those of the containers */
  readonly resources?: unknown;
  /** When containers are restarted. Only Always is valid in a Deployment. @default Always */
  readonly restartPolicy?: unknown;
  /** The RuntimeClass of the pod. @default - the default runtime */
  readonly runtimeClassName?: unknown;
  /** The scheduler of the pod. @default default-scheduler */
  readonly schedulerName?: unknown;
  /** Gates that keep the pod from being scheduled. @default - none */
  readonly schedulingGates?: unknown;
  /** The security settings of the pod. @default - none */
  readonly securityContext?: unknown;
  /** The older form of `serviceAccountName`. @default default */
  readonly serviceAccount?: unknown;
  /** The service account of the pod. @default default */
  readonly serviceAccountName?: unknown;
  /** Whether the host name is the full domain name. @default false */
  readonly setHostnameAsFQDN?: unknown;
  /** Whether the containers share one process ID namespace. @default false */
  readonly shareProcessNamespace?: unknown;
  /** The subdomain of the pod. @default - none */
  readonly subdomain?: unknown;
  /** Seconds from SIGTERM to SIGKILL, including the preStop hook. A `drain` sets it. @default 30 */
  readonly terminationGracePeriodSeconds?: unknown;
  /** Taints of nodes that the pods tolerate. @default - none */
  readonly tolerations?: unknown;
  /** How pods are spread over zones or nodes. @default - the defaults of the scheduler */
  readonly topologySpreadConstraints?: unknown;
  /** Volumes that containers can mount. @default - none */
  readonly volumes?: unknown;
}

/** Fields of a container, with any values. */
export interface ContainerFields {
  /** Arguments of the command. @default - those of the image or the runtime */
  readonly args?: unknown;
  /** The command, instead of that of the image. @default - that of the image or the runtime */
  readonly command?: unknown;
  /** ConfigMaps and Secrets whose keys become environment variables. @default - none */
  readonly envFrom?: unknown;
  /** When the image is pulled: Always, IfNotPresent or Never. @default - Always for the tag latest, otherwise IfNotPresent */
  readonly imagePullPolicy?: unknown;
  /** Hooks after the start and before the end. A `drain` writes a preStop hook. @default - none */
  readonly lifecycle?: unknown;
  /** The probe whose failure restarts the container. @default - none */
  readonly livenessProbe?: unknown;
  /** Ports of the container. Requests go to the first one. @default 8080 */
  readonly ports?: unknown;
  /** The probe that decides when the container gets requests. @default - a TCP probe of the first port */
  readonly readinessProbe?: unknown;
  /** Whether a change of a resource restarts the container. @default - no restart */
  readonly resizePolicy?: unknown;
  /** When the container is restarted. Always makes an init container a sidecar. @default - that of the pod */
  readonly restartPolicy?: unknown;
  /** Exit codes that decide whether the container is restarted. @default - none */
  readonly restartPolicyRules?: unknown;
  /** The security settings of the container. @default - those of the pod */
  readonly securityContext?: unknown;
  /** The probe that delays the other probes until it succeeds. @default - none */
  readonly startupProbe?: unknown;
  /** Whether the container has an open standard input. @default false */
  readonly stdin?: unknown;
  /** Whether standard input is closed after the first client. @default false */
  readonly stdinOnce?: unknown;
  /** The file whose content explains the end of the container. @default /dev/termination-log */
  readonly terminationMessagePath?: unknown;
  /** What explains the end of the container: File or FallbackToLogsOnError. @default File */
  readonly terminationMessagePolicy?: unknown;
  /** Whether the container has a terminal. @default false */
  readonly tty?: unknown;
  /** Block devices of the container. @default - none */
  readonly volumeDevices?: unknown;
  /** Volumes and where they are mounted. @default - none */
  readonly volumeMounts?: unknown;
  /** The working directory. @default - that of the image */
  readonly workingDir?: unknown;
}

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
export interface ModelFields {
  /** The attestation of a confidential model, as in KServe. @default - none */
  readonly confidential?: unknown;
  /** The version of the runtime, which becomes the tag of its image. @default - that of the runtime */
  readonly runtimeVersion?: unknown;
  /** The storage of the model, with its key and path, instead of `storageUri`. @default - none */
  readonly storage?: unknown;
}

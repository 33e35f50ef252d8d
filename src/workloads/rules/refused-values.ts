import { formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { defineMessage } from '../../core/findings/finding';
import type { RuleMessage } from '../../core/findings/finding';

/** A message about a field. */
export interface MissingData {
  readonly field: string;
}

/** A message about a field and its value. */
export interface FieldData extends MissingData {
  readonly value: DisplayValue;
}

/** Defines a message about one value, with the reason why it is refused and the advice. */
function defineValueMessage(reason: string, help: string, value: DisplayValue): RuleMessage<FieldData> {
  return defineMessage<FieldData>({
    text: ({ field, value: rejectedValue }) => `${field} is ${formatDisplayValue(rejectedValue)}, which the API server refuses: ${reason}.`,
    help: () => help,
    sample: { field: 'field', value },
  });
}

const DELETE_ONE_HELP = 'Delete one of the two.';

/** Messages of `kubernetes/invalid-workload` about one value: why the API server refuses it, and what to write. */
export const REFUSED_VALUE_MESSAGES = {
  negativeAmount: defineValueMessage('an amount cannot be negative', 'Write 0 or more.', '-1'),
  notWhole: defineValueMessage('a device cannot be divided', 'Write a whole number.', '500m'),
  notPositive: defineValueMessage('it must be above 0', 'Write an amount above 0.', '0'),
  resourceName: defineValueMessage(
    'it is neither cpu, memory, ephemeral-storage, hugepages-<size>, nor a resource with a domain such as nvidia.com/gpu',
    'Write the resource as its device plugin names it.',
    'gpu',
  ),
  podResourceName: defineValueMessage(
    'at pod level only cpu, memory and hugepages-<size> are allowed',
    'Write the resource into its containers.',
    'nvidia.com/gpu',
  ),
  hugePagesOnly: defineMessage<MissingData>({
    text: ({ field }) => `${field} has huge pages but neither cpu nor memory, which the API server refuses.`,
    help: () => 'Write a request or limit for cpu or memory in addition to huge pages.',
    sample: { field: 'resources' },
  }),
  hugePageSize: defineValueMessage(
    'it is not a multiple of the page size',
    'Write a multiple of the size in the name of the resource.',
    '3Mi',
  ),
  divisor: defineValueMessage(
    'a divisor is 1 or 1m for cpu, and 1 or 1 with a suffix such as Mi for bytes',
    'Write 1, 1m for cpu, or 1Mi for bytes.',
    '2',
  ),
  mountPathTaken: defineValueMessage('another mount or device of the container has the same path', 'Give each its own path.', '/data'),
  duplicateMount: defineValueMessage(
    'the container uses it both as a mount and as a device, or twice as a device',
    DELETE_ONE_HELP,
    'data',
  ),
  notBlock: defineValueMessage(
    'a device must be a persistentVolumeClaim or an ephemeral volume',
    'Mount it under volumeMounts.',
    'scratch',
  ),
  backsteps: defineValueMessage('a path with .. in it could leave the volume', 'Write the path without "..".', '../etc'),
  absolute: defineValueMessage('the path must be relative', 'Write it without the leading slash.', '/etc'),
  relative: defineValueMessage('the path must be absolute', 'Begin it with a slash.', 'export'),
  bidirectional: defineValueMessage(
    'only a privileged container may use Bidirectional',
    'Write HostToContainer, or make the container privileged.',
    'Bidirectional',
  ),
  recursiveNotReadOnly: defineValueMessage(
    'it requires readOnly: true and mountPropagation: None',
    'Write readOnly: true, or delete recursiveReadOnly.',
    'Enabled',
  ),
  valueAndSource: defineValueMessage('a variable has either a value or a valueFrom', DELETE_ONE_HELP, 'fast'),
  fieldPath: defineValueMessage(
    'a pod cannot reference this field',
    "Write metadata.name, metadata.namespace, metadata.uid, metadata.labels['<key>'], metadata.annotations['<key>'], and in variables spec.nodeName, " +
      'spec.serviceAccountName, status.hostIP or status.podIP.',
    'metadata.nam',
  ),
  successThreshold: defineValueMessage('for liveness and startup probes it must be 1', 'Write 1, or delete it.', 2),
  notForReadiness: defineValueMessage('a readiness probe never terminates a container', 'Delete it.', 30),
  notForInit: defineValueMessage(
    'only an init container with restartPolicy: Always may have it',
    'Delete it, or write restartPolicy: Always for a sidecar.',
    { described: 'a map' },
  ),
  rulesWithAlways: defineValueMessage('an init container with restartPolicy: Always is always restarted', 'Delete one of the two.', {
    described: 'a list',
  }),
  sleepTooLong: defineValueMessage(
    'a hook must end within terminationGracePeriodSeconds',
    'Write fewer seconds, or raise terminationGracePeriodSeconds.',
    90,
  ),
  sleepTooShort: defineValueMessage('it must be at least 1, or 0 from Kubernetes 1.33 on', 'Write 1 or more, or delete the hook.', 0),
  stopSignal: defineValueMessage(
    'it requires spec.os.name and a signal of that operating system',
    'Write os.name: linux and a signal such as SIGTERM.',
    'SIGHUB',
  ),
  notContainerPort: defineValueMessage(
    'with hostNetwork it must equal containerPort',
    'Write the value of containerPort, or delete it.',
    80,
  ),
  notForContainer: defineValueMessage('only an init container may have it in this version', 'Delete it.', 'Always'),
  restartPolicy: defineValueMessage(
    'pods of a workload are always restarted',
    'Write Always, or delete it. For pods that run to completion, use a Job.',
    'Never',
  ),
  notForWorkload: defineValueMessage('pods of a workload must keep running', 'Delete it. For pods that run to completion, use a Job.', 600),
  ephemeralContainers: defineValueMessage('only a running pod can have ephemeral containers', 'Delete them, and use kubectl debug.', {
    described: 'a list',
  }),
  tolerationOperator: defineValueMessage('without a key it must be Exists', 'Write operator: Exists, or a key.', 'Equal'),
  tolerationEffect: defineValueMessage(
    'tolerationSeconds is allowed only with effect NoExecute',
    'Write effect: NoExecute, or delete tolerationSeconds.',
    'NoSchedule',
  ),
  tolerationValue: defineValueMessage('operator Exists allows no value', 'Delete the value, or write operator: Equal.', 'true'),
  valuesWithExists: defineValueMessage('Exists and DoesNotExist allow no values', 'Delete the values, or write In or NotIn.', {
    described: 'a list',
  }),
  oneValue: defineValueMessage('it must have exactly one value', 'Write one value.', { described: 'a list' }),
  duplicateKey: defineValueMessage(
    'the key is listed twice: in the selector, or in matchLabelKeys and mismatchLabelKeys',
    'Write each key once.',
    'app',
  ),
  keysWithoutSelector: defineValueMessage('it requires a labelSelector', 'Write a labelSelector, or delete it.', {
    described: 'a list',
  }),
  minDomains: defineValueMessage('it is allowed only with whenUnsatisfiable: DoNotSchedule', 'Write DoNotSchedule, or delete it.', 2),
  localhostProfile: defineValueMessage(
    'only the type Localhost has a localhostProfile',
    'Write type: Localhost, or delete it.',
    'web.json',
  ),
  padded: defineValueMessage('it has leading or trailing spaces', 'Write it without spaces.', ' web'),
  escalation: defineValueMessage(
    'allowPrivilegeEscalation: false contradicts privileged: true and the capability CAP_SYS_ADMIN',
    'Delete allowPrivilegeEscalation, or the privileges.',
    false,
  ),
  hostUsersNeeded: defineValueMessage('Unmasked requires hostUsers: false', 'Write hostUsers: false, or Default.', 'Unmasked'),
  sharedWithHost: defineValueMessage('hostPID already shares the processes of the node', 'Delete one of the two.', true),
  hostNamespaceSysctl: defineValueMessage(
    'it belongs to a namespace that the pod shares with the node',
    'Delete it, or hostNetwork and hostIPC.',
    'net.core.somaxconn',
  ),
  notOnWindows: defineValueMessage('a Windows pod does not support it', 'Delete it, or delete os.name: windows.', true),
  notOnLinux: defineValueMessage('a Linux pod does not support it', 'Delete it, or delete os.name: linux.', { described: 'a map' }),
  hostProcess: defineValueMessage(
    'either all containers of a pod are host processes, with hostNetwork: true, or none is',
    'Write the same hostProcess for all containers, and hostNetwork: true.',
    true,
  ),
  notEmptyDir: defineValueMessage('the file must be in an emptyDir', 'Write the name of an emptyDir volume.', 'config'),
  duplicatePath: defineValueMessage('another source of the volume writes the same path', 'Give each its own path.', 'token'),
  singleNode: defineValueMessage('ReadWriteOncePod must be the only access mode', 'Write only ReadWriteOncePod, or delete it.', {
    described: 'a list',
  }),
  dataSource: defineValueMessage(
    'without an apiGroup it must be a PersistentVolumeClaim, and it must equal dataSourceRef',
    'Write only dataSourceRef.',
    'Pod',
  ),
  reserved: defineValueMessage('domains of Kubernetes are reserved', 'Use a domain of your own.', 'x.kubernetes.io/a'),
  metadataField: defineValueMessage('a claim template may have only labels and annotations', 'Delete it.', 'web'),
  deletionCost: defineValueMessage('it is not a 32-bit integer', 'Write a number such as "100".', 'high'),
  multipleControllers: defineValueMessage('only one owner can be the controller', 'Write controller: true once.', {
    described: 'a list',
  }),
};

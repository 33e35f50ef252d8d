import { defineMessage, defineRule } from '../../core/finding';
import type { RuleMessage } from '../../core/finding';
import { formatDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { pluralize, joinWords } from '../../core/text-format';
import { TEXT_FORMATS } from '../pod/validation/formats';
import type { FormatName } from '../pod/validation/formats';

interface MissingData {
  readonly field: string;
}

interface FieldData extends MissingData {
  readonly value: DisplayValue;
}

interface FormatData extends FieldData {
  readonly format: FormatName;
}

interface LengthData extends MissingData {
  readonly length: number;
  readonly limit: number;
  readonly unit: 'character' | 'byte' | 'item';
}

interface ChoiceData extends FieldData {
  readonly choices: readonly string[];
}

interface RangeData extends FieldData {
  readonly minimum: number;
  /** @default - no upper bound */
  readonly maximum?: number;
}

interface ConflictingFieldsData extends MissingData {
  /** What is there. */
  readonly present: readonly string[];
}

interface OneOfData extends MissingData {
  readonly choices: readonly string[];
}

interface SelectorData {
  /** Labels of the pod template, for the selector to name; none where it has none. */
  readonly labels: Readonly<Record<string, string>>;
}

interface SelectorMismatchData {
  readonly selector: DisplayValue;
  readonly labels: DisplayValue;
}

interface ResourceLimitData extends FieldData {
  readonly resource: string;
  /** What it is compared with. */
  readonly limit: DisplayValue;
}

interface ExclusiveFieldData extends MissingData {
  /** The other field, and what it is. */
  readonly other: string;
  readonly otherValue: DisplayValue;
}

interface UndeclaredNameData extends FieldData {
  /** The names that there are. */
  readonly declared: readonly string[];
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(labels)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
}

/** A message about one value: why it is refused, and what to write. */
function defineValueMessage(reason: string, help: string, value: DisplayValue): RuleMessage<FieldData> {
  return defineMessage<FieldData>({
    text: ({ field, value: seenValue }) => `${field} is ${formatDisplayValue(seenValue)}, which the API server refuses: ${reason}.`,
    help: () => help,
    sample: { field: 'field', value },
  });
}

function formatRange({ minimum: least, maximum: most }: RangeData): string {
  return most === undefined ? `${least} or more` : `from ${least} to ${most}`;
}

const DELETE_ONE_HELP = 'Delete one of the two.';

/** What the API server refuses in a workload of apps/v1, its strategy apart, which is `kubernetes/invalid-strategy`. */
export const invalidWorkload = defineRule({
  code: 'kubernetes/invalid-workload',
  since: '0.1.0',
  severity: 'error',
  fires: 'A Deployment, StatefulSet or DaemonSet holds what the API server refuses, outside of its update strategy.',
  why:
    'The API server validates the whole object before it stores any of it: the selector against the labels of the template, names, containers, ' +
    'resources, probes, ports, volumes and mounts, affinity, tolerations, spread constraints and security contexts. One refused field is enough: ' +
    'nothing of the object changes, and the rollout never starts. Read from the validation of Kubernetes 1.34 and held against it by a recording of ' +
    'thousands of changed objects; where a version drops a field because its feature gate is off, the field is not judged. ' +
    'Not modelled: the annotations `container.seccomp.security.alpha.kubernetes.io/…` and `container.apparmor.security.beta.kubernetes.io/…`, ' +
    'the annotation `scheduler.alpha.kubernetes.io/tolerations`, `managedFields`, the options of volume types that Kubernetes has removed beyond what ' +
    'they require, whether a privileged container is allowed (a flag of the API server), and what admission plugins and webhooks refuse.',
  fix: 'Write what the message names.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    missing: defineMessage<MissingData>({
      text: ({ field }) => `${field} is missing or empty, and the API server refuses the object without it.`,
      help: ({ field }) => `Write ${field}.`,
      sample: { field: 'image' },
    }),
    selectorMissing: defineMessage<SelectorData>({
      text: () => 'spec.selector is missing, and the API server refuses the object without it: apps/v1 makes none up.',
      help: ({ labels }) =>
        Object.keys(labels).length === 0
          ? 'Write labels into spec.template.metadata.labels, and the same under spec.selector.matchLabels.'
          : `Write spec.selector.matchLabels: ${formatLabels(labels)}, or those of these labels that never change.`,
      sample: { labels: { app: 'web' } },
      variants: [{ labels: {} }],
    }),
    selectorEmpty: defineMessage<SelectorData>({
      text: () => 'spec.selector selects by nothing, and the API server refuses that: it would take every pod of the namespace.',
      help: ({ labels }) =>
        Object.keys(labels).length === 0
          ? 'Write labels into spec.template.metadata.labels, and the same under spec.selector.matchLabels.'
          : `Write spec.selector.matchLabels: ${formatLabels(labels)}, or those of these labels that never change.`,
      sample: { labels: { app: 'web' } },
      variants: [{ labels: {} }],
    }),
    notSelected: defineMessage<SelectorMismatchData>({
      text: ({ selector, labels }) =>
        `The labels of the pod template, ${formatDisplayValue(labels)}, do not match spec.selector, ${formatDisplayValue(selector)}: the API server refuses the object.`,
      help: () =>
        'Write every label that the selector asks for into spec.template.metadata.labels. The selector of a live object can not change.',
      sample: { selector: 'app=web', labels: 'app=shop' },
    }),
    format: defineMessage<FormatData>({
      text: ({ field, value, format }) =>
        `${field} is ${formatDisplayValue(value)}, which is not ${TEXT_FORMATS[format].description}: the API server refuses it.`,
      help: ({ format }) => `Write something like ${TEXT_FORMATS[format].example}.`,
      sample: { field: 'name', value: 'Web_1', format: 'dns-label' },
      variants: (Object.keys(TEXT_FORMATS) as FormatName[]).map((format) => ({ field: 'field', value: '!', format })),
    }),
    tooLong: defineMessage<LengthData>({
      text: ({ field, length, limit, unit }) => `${field} has ${pluralize(length, unit)}, and the API server takes at most ${limit}.`,
      help: ({ limit, unit }) => `Write at most ${pluralize(limit, unit)}.`,
      sample: { field: 'name', length: 70, limit: 63, unit: 'character' },
    }),
    choice: defineMessage<ChoiceData>({
      text: ({ field, value }) => `${field} is ${formatDisplayValue(value)}, which the API server does not know there, and refuses.`,
      help: ({ choices }) => `Write ${joinWords(choices, 'or')}.`,
      sample: { field: 'imagePullPolicy', value: 'ifNotPresent', choices: ['Always', 'IfNotPresent', 'Never'] },
    }),
    range: defineMessage<RangeData>({
      text: (data) => `${data.field} is ${formatDisplayValue(data.value)}, and the API server takes ${formatRange(data)}.`,
      help: (data) => `Write a whole number ${data.maximum === undefined ? `of ${formatRange(data)}` : formatRange(data)}.`,
      sample: { field: 'containerPort', value: 70_000, minimum: 1, maximum: 65_535 },
      variants: [{ field: 'periodSeconds', value: -1, minimum: 0 }],
    }),
    duplicate: defineMessage<FieldData>({
      text: ({ field, value }) => `${field} is ${formatDisplayValue(value)} a second time, and the API server takes it once.`,
      help: () => 'Give each its own, or delete one of them.',
      sample: { field: 'name', value: 'web' },
    }),
    several: defineMessage<ConflictingFieldsData>({
      text: ({ field, present }) => `${field} has ${joinWords(present)}, and the API server takes one of them.`,
      help: ({ present }) => `Keep one of ${joinWords(present)}.`,
      sample: { field: 'readinessProbe', present: ['exec', 'httpGet'] },
    }),
    none: defineMessage<OneOfData>({
      text: ({ field, choices }) => `${field} has none of ${joinWords(choices)}, and the API server refuses it so.`,
      help: ({ choices }) => `Write one of ${joinWords(choices)}.`,
      sample: { field: 'readinessProbe', choices: ['exec', 'httpGet', 'tcpSocket', 'grpc'] },
    }),
    mutuallyExclusive: defineMessage<ExclusiveFieldData>({
      text: ({ field, other, otherValue }) =>
        `${field} is set while ${other} is ${formatDisplayValue(otherValue)}, and the API server refuses the two together.`,
      help: ({ field, other }) => `Delete ${field}, or change ${other}.`,
      sample: { field: 'hostNetwork', other: 'hostUsers', otherValue: false },
    }),
    notDeclared: defineMessage<UndeclaredNameData>({
      text: ({ field, value, declared: known }) =>
        `${field} is ${formatDisplayValue(value)}, and the pod has nothing of that name${known.length === 0 ? '' : `, only ${joinWords(known)}`}: the API server refuses it.`,
      help: ({ declared: known }) =>
        known.length === 0 ? 'Declare it in the pod.' : `Write ${joinWords(known, 'or')}, or declare it in the pod.`,
      sample: { field: 'name', value: 'data', declared: ['config', 'scratch'] },
      variants: [{ field: 'name', value: 'data', declared: [] }],
    }),
    aboveLimit: defineMessage<ResourceLimitData>({
      text: ({ resource, value, limit }) =>
        `It requests ${formatDisplayValue(value)} of ${resource}, above its limit of ${formatDisplayValue(limit)}: the API server refuses it.`,
      help: ({ resource }) => `Lower the request of ${resource}, or raise its limit.`,
      sample: { field: 'requests', value: '2', resource: 'cpu', limit: '1' },
    }),
    notLimit: defineMessage<ResourceLimitData>({
      text: ({ resource, value, limit }) =>
        `It requests ${formatDisplayValue(value)} of ${resource} with a limit of ${formatDisplayValue(limit)}: the API server wants the two alike, since nobody can have more of it later.`,
      help: ({ resource }) => `Write the same amount of ${resource} in requests and limits, or in limits alone.`,
      sample: { field: 'requests', value: 1, resource: 'nvidia.com/gpu', limit: 2 },
    }),
    noLimit: defineMessage<MissingData & { readonly resource: string }>({
      text: ({ resource }) => `It requests ${resource} without a limit, and the API server wants one, of the same amount.`,
      help: ({ resource }) => `Write ${resource} into limits; the request follows from it.`,
      sample: { field: 'limits', resource: 'nvidia.com/gpu' },
    }),
    belowContainers: defineMessage<ResourceLimitData>({
      text: ({ field, value, resource, limit }) =>
        `${field} of the pod is ${formatDisplayValue(value)}, and its containers have ${formatDisplayValue(limit)} of ${resource}: the API server refuses that.`,
      help: () => 'Raise the figure of the pod, or lower those of its containers.',
      sample: { field: 'requests[cpu]', value: '1', resource: 'cpu', limit: '2' },
    }),
    negativeAmount: defineValueMessage('an amount can not be negative', 'Write 0 or more.', '-1'),
    notWhole: defineValueMessage('devices come as a whole', 'Write a whole number.', '500m'),
    notPositive: defineValueMessage('it has to be above 0', 'Write an amount above 0.', '0'),
    resourceName: defineValueMessage(
      'it is neither cpu, memory, ephemeral-storage, hugepages-<size>, nor a resource with a domain such as nvidia.com/gpu',
      'Write the resource as its device plugin names it.',
      'gpu',
    ),
    podResourceName: defineValueMessage(
      'a pod itself has cpu, memory and hugepages-<size> alone',
      'Write the resource into its containers.',
      'nvidia.com/gpu',
    ),
    hugePagesOnly: defineMessage<MissingData>({
      text: ({ field }) => `${field} has huge pages and neither cpu nor memory, and the API server refuses that.`,
      help: () => 'Write a request or limit of cpu or memory beside them.',
      sample: { field: 'resources' },
    }),
    hugePageSize: defineValueMessage(
      'it is not a multiple of the size of a page',
      'Write a multiple of the size in the name of the resource.',
      '3Mi',
    ),
    divisor: defineValueMessage(
      'a divisor is 1 or 1m for cpu, and 1 or 1 with a suffix such as Mi for bytes',
      'Write 1, 1m for cpu, or 1Mi for bytes.',
      '2',
    ),
    mountPathTaken: defineValueMessage('another mount or device of the container has that path', 'Give each its own path.', '/data'),
    duplicateMount: defineValueMessage(
      'the container has it both as a mount and as a device, or as a device twice',
      DELETE_ONE_HELP,
      'data',
    ),
    notBlock: defineValueMessage(
      'a device has to be a persistentVolumeClaim or an ephemeral volume',
      'Mount it under volumeMounts.',
      'scratch',
    ),
    backsteps: defineValueMessage('a path with .. in it could leave the volume', 'Write the path without "..".', '../etc'),
    absolute: defineValueMessage('the path has to be relative', 'Write it without the leading slash.', '/etc'),
    relative: defineValueMessage('the path has to be absolute', 'Begin it with a slash.', 'export'),
    bidirectional: defineValueMessage(
      'only a privileged container may mount Bidirectional',
      'Write HostToContainer, or run the container privileged.',
      'Bidirectional',
    ),
    recursiveNotReadOnly: defineValueMessage(
      'it needs readOnly: true, and a mountPropagation of None',
      'Write readOnly: true, or delete recursiveReadOnly.',
      'Enabled',
    ),
    valueAndSource: defineValueMessage('a variable has a value or a valueFrom', DELETE_ONE_HELP, 'fast'),
    fieldPath: defineValueMessage(
      'the field can not be read so',
      "Write metadata.name, metadata.namespace, metadata.uid, metadata.labels['<key>'], metadata.annotations['<key>'], and in variables spec.nodeName, " +
        'spec.serviceAccountName, status.hostIP or status.podIP.',
      'metadata.nam',
    ),
    successThreshold: defineValueMessage('of liveness and startup probes it has to be 1', 'Write 1, or delete it.', 2),
    notForReadiness: defineValueMessage('a readiness probe ends no container', 'Delete it.', 30),
    notForInit: defineValueMessage(
      'an init container has it with restartPolicy: Always alone',
      'Delete it, or write restartPolicy: Always for a sidecar.',
      { described: 'a map' },
    ),
    rulesWithAlways: defineValueMessage('an init container with restartPolicy: Always starts again in any case', 'Delete one of the two.', {
      described: 'a list',
    }),
    sleepTooLong: defineValueMessage(
      'a hook has to end within terminationGracePeriodSeconds',
      'Sleep for less, or raise terminationGracePeriodSeconds.',
      90,
    ),
    stopSignal: defineValueMessage(
      'it needs spec.os.name, and a signal that this system has',
      'Write os.name: linux and a signal such as SIGTERM.',
      'SIGHUB',
    ),
    notContainerPort: defineValueMessage(
      'with hostNetwork it has to be the containerPort',
      'Write the number of containerPort, or delete it.',
      80,
    ),
    notForContainer: defineValueMessage('only an init container may have it in this version', 'Delete it.', 'Always'),
    restartPolicy: defineValueMessage(
      'pods of a workload are always restarted',
      'Write Always, or delete it; for pods that end, use a Job.',
      'Never',
    ),
    notForWorkload: defineValueMessage('pods of a workload are to run on', 'Delete it; for pods that end, use a Job.', 600),
    ephemeralContainers: defineValueMessage('only a running pod gets ephemeral containers', 'Delete them; use kubectl debug.', {
      described: 'a list',
    }),
    tolerationOperator: defineValueMessage('without a key it has to be Exists', 'Write operator: Exists, or a key.', 'Equal'),
    tolerationEffect: defineValueMessage(
      'tolerationSeconds count for NoExecute alone',
      'Write effect: NoExecute, or delete tolerationSeconds.',
      'NoSchedule',
    ),
    tolerationValue: defineValueMessage('with operator Exists there is no value', 'Delete the value, or write operator: Equal.', 'true'),
    valuesWithExists: defineValueMessage('with Exists and DoesNotExist there are no values', 'Delete the values, or write In or NotIn.', {
      described: 'a list',
    }),
    oneValue: defineValueMessage('it takes exactly one value', 'Write one value.', { described: 'a list' }),
    duplicateKey: defineValueMessage(
      'the key stands twice: in the selector, or in matchLabelKeys and mismatchLabelKeys',
      'Name each key once.',
      'app',
    ),
    keysWithoutSelector: defineValueMessage('there is no labelSelector that they add to', 'Write a labelSelector, or delete them.', {
      described: 'a list',
    }),
    minDomains: defineValueMessage('it counts with whenUnsatisfiable: DoNotSchedule alone', 'Write DoNotSchedule, or delete it.', 2),
    localhostProfile: defineValueMessage(
      'only the type Localhost has a localhostProfile',
      'Write type: Localhost, or delete it.',
      'web.json',
    ),
    padded: defineValueMessage('there are spaces around it', 'Write it without spaces.', ' web'),
    escalation: defineValueMessage(
      'allowPrivilegeEscalation: false contradicts privileged: true and the capability CAP_SYS_ADMIN',
      'Delete allowPrivilegeEscalation, or the privileges.',
      false,
    ),
    hostUsersNeeded: defineValueMessage('Unmasked needs hostUsers: false', 'Write hostUsers: false, or Default.', 'Unmasked'),
    sharedWithHost: defineValueMessage('hostPID shares the processes of the node already', 'Delete one of the two.', true),
    hostNamespaceSysctl: defineValueMessage(
      'it belongs to the node, whose namespace the pod shares',
      'Delete it, or hostNetwork and hostIPC.',
      'net.core.somaxconn',
    ),
    notOnWindows: defineValueMessage('a Windows pod has no such thing', 'Delete it, or os.name: windows.', true),
    notOnLinux: defineValueMessage('a Linux pod has no such thing', 'Delete it, or os.name: linux.', { described: 'a map' }),
    hostProcess: defineValueMessage(
      'all containers of a pod are host processes, with hostNetwork: true, or none is',
      'Write hostProcess alike for all, and hostNetwork: true.',
      true,
    ),
    notEmptyDir: defineValueMessage('the file has to be in an emptyDir', 'Name a volume of type emptyDir.', 'config'),
    duplicatePath: defineValueMessage('another source of the volume writes that path', 'Give each its own path.', 'token'),
    singleNode: defineValueMessage('ReadWriteOncePod stands alone', 'Write ReadWriteOncePod alone, or leave it out.', {
      described: 'a list',
    }),
    dataSource: defineValueMessage(
      'it has to be a PersistentVolumeClaim without an apiGroup, and equal dataSourceRef',
      'Write dataSourceRef alone.',
      'Pod',
    ),
    reserved: defineValueMessage('domains of Kubernetes are reserved', 'Use a domain of your own.', 'x.kubernetes.io/a'),
    metadataField: defineValueMessage('a claim template has labels and annotations alone', 'Delete it.', 'web'),
    deletionCost: defineValueMessage('it is not a whole number of 32 bits', 'Write a number such as "100".', 'high'),
    multipleControllers: defineValueMessage('one owner alone can be the controller', 'Write controller: true once.', {
      described: 'a list',
    }),
  },
});

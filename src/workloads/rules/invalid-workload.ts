import { message, rule } from '../../core/finding';
import type { Message } from '../../core/finding';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted, listed } from '../../core/words';
import { FORMATS } from '../pod/validation/formats';
import type { FormatName } from '../pod/validation/formats';

interface MissingData {
  readonly field: string;
}

interface FieldData extends MissingData {
  readonly value: Seen;
}

interface FormatData extends FieldData {
  readonly format: FormatName;
}

interface LongData extends MissingData {
  readonly length: number;
  readonly limit: number;
  readonly unit: 'character' | 'byte' | 'item';
}

interface ChoiceData extends FieldData {
  readonly choices: readonly string[];
}

interface RangeData extends FieldData {
  readonly least: number;
  /** @default - no upper bound */
  readonly most?: number;
}

interface PresentData extends MissingData {
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

interface UnmatchedData {
  readonly selector: Seen;
  readonly labels: Seen;
}

interface ComparedData extends FieldData {
  readonly resource: string;
  /** What it is compared with. */
  readonly limit: Seen;
}

interface BesideData extends MissingData {
  /** The other field, and what it is. */
  readonly other: string;
  readonly otherValue: Seen;
}

interface UnknownNameData extends FieldData {
  /** The names that there are. */
  readonly known: readonly string[];
}

function inline(labels: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(labels)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
}

/** A message about one value: why it is refused, and what to write. */
function refuses(because: string, help: string, value: Seen): Message<FieldData> {
  return message<FieldData>({
    text: ({ field, value: seenValue }) => `${field} is ${show(seenValue)}, which the API server refuses: ${because}.`,
    help: () => help,
    sample: { field: 'field', value },
  });
}

function rangeText({ least, most }: RangeData): string {
  return most === undefined ? `${least} or more` : `from ${least} to ${most}`;
}

const DELETE_OR_CHANGE = 'Delete one of the two.';

/** What the API server refuses in a workload of apps/v1, its strategy apart, which is `kubernetes/invalid-strategy`. */
export const invalidWorkload = rule({
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
  fixed: `apiVersion: apps/v1
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
    missing: message<MissingData>({
      text: ({ field }) => `${field} is missing or empty, and the API server refuses the object without it.`,
      help: ({ field }) => `Write ${field}.`,
      sample: { field: 'image' },
    }),
    selectorMissing: message<SelectorData>({
      text: () => 'spec.selector is missing, and the API server refuses the object without it: apps/v1 makes none up.',
      help: ({ labels }) =>
        Object.keys(labels).length === 0
          ? 'Write labels into spec.template.metadata.labels, and the same under spec.selector.matchLabels.'
          : `Write spec.selector.matchLabels: ${inline(labels)}, or those of these labels that never change.`,
      sample: { labels: { app: 'web' } },
      variants: [{ labels: {} }],
    }),
    selectorEmpty: message<SelectorData>({
      text: () => 'spec.selector selects by nothing, and the API server refuses that: it would take every pod of the namespace.',
      help: ({ labels }) =>
        Object.keys(labels).length === 0
          ? 'Write labels into spec.template.metadata.labels, and the same under spec.selector.matchLabels.'
          : `Write spec.selector.matchLabels: ${inline(labels)}, or those of these labels that never change.`,
      sample: { labels: { app: 'web' } },
      variants: [{ labels: {} }],
    }),
    notSelected: message<UnmatchedData>({
      text: ({ selector, labels }) =>
        `The labels of the pod template, ${show(labels)}, do not match spec.selector, ${show(selector)}: the API server refuses the object.`,
      help: () =>
        'Write every label that the selector asks for into spec.template.metadata.labels. The selector of a live object can not change.',
      sample: { selector: 'app=web', labels: 'app=shop' },
    }),
    format: message<FormatData>({
      text: ({ field, value, format }) => `${field} is ${show(value)}, which is not ${FORMATS[format].wanted}: the API server refuses it.`,
      help: ({ format }) => `Write something like ${FORMATS[format].example}.`,
      sample: { field: 'name', value: 'Web_1', format: 'dns-label' },
      variants: (Object.keys(FORMATS) as FormatName[]).map((format) => ({ field: 'field', value: '!', format })),
    }),
    tooLong: message<LongData>({
      text: ({ field, length, limit, unit }) => `${field} has ${counted(length, unit)}, and the API server takes at most ${limit}.`,
      help: ({ limit, unit }) => `Write at most ${counted(limit, unit)}.`,
      sample: { field: 'name', length: 70, limit: 63, unit: 'character' },
    }),
    choice: message<ChoiceData>({
      text: ({ field, value }) => `${field} is ${show(value)}, which the API server does not know there, and refuses.`,
      help: ({ choices }) => `Write ${listed(choices, 'or')}.`,
      sample: { field: 'imagePullPolicy', value: 'ifNotPresent', choices: ['Always', 'IfNotPresent', 'Never'] },
    }),
    range: message<RangeData>({
      text: (data) => `${data.field} is ${show(data.value)}, and the API server takes ${rangeText(data)}.`,
      help: (data) => `Write a whole number ${data.most === undefined ? `of ${rangeText(data)}` : rangeText(data)}.`,
      sample: { field: 'containerPort', value: 70_000, least: 1, most: 65_535 },
      variants: [{ field: 'periodSeconds', value: -1, least: 0 }],
    }),
    duplicate: message<FieldData>({
      text: ({ field, value }) => `${field} is ${show(value)} a second time, and the API server takes it once.`,
      help: () => 'Give each its own, or delete one of them.',
      sample: { field: 'name', value: 'web' },
    }),
    several: message<PresentData>({
      text: ({ field, present }) => `${field} has ${listed(present)}, and the API server takes one of them.`,
      help: ({ present }) => `Keep one of ${listed(present)}.`,
      sample: { field: 'readinessProbe', present: ['exec', 'httpGet'] },
    }),
    none: message<OneOfData>({
      text: ({ field, choices }) => `${field} has none of ${listed(choices)}, and the API server refuses it so.`,
      help: ({ choices }) => `Write one of ${listed(choices)}.`,
      sample: { field: 'readinessProbe', choices: ['exec', 'httpGet', 'tcpSocket', 'grpc'] },
    }),
    beside: message<BesideData>({
      text: ({ field, other, otherValue }) =>
        `${field} is set while ${other} is ${show(otherValue)}, and the API server refuses the two together.`,
      help: ({ field, other }) => `Delete ${field}, or change ${other}.`,
      sample: { field: 'hostNetwork', other: 'hostUsers', otherValue: false },
    }),
    notDeclared: message<UnknownNameData>({
      text: ({ field, value, known }) =>
        `${field} is ${show(value)}, and the pod has nothing of that name${known.length === 0 ? '' : `, only ${listed(known)}`}: the API server refuses it.`,
      help: ({ known }) => (known.length === 0 ? 'Declare it in the pod.' : `Write ${listed(known, 'or')}, or declare it in the pod.`),
      sample: { field: 'name', value: 'data', known: ['config', 'scratch'] },
      variants: [{ field: 'name', value: 'data', known: [] }],
    }),
    aboveLimit: message<ComparedData>({
      text: ({ resource, value, limit }) =>
        `It requests ${show(value)} of ${resource}, above its limit of ${show(limit)}: the API server refuses it.`,
      help: ({ resource }) => `Lower the request of ${resource}, or raise its limit.`,
      sample: { field: 'requests', value: '2', resource: 'cpu', limit: '1' },
    }),
    notLimit: message<ComparedData>({
      text: ({ resource, value, limit }) =>
        `It requests ${show(value)} of ${resource} with a limit of ${show(limit)}: the API server wants the two alike, since nobody can have more of it later.`,
      help: ({ resource }) => `Write the same amount of ${resource} in requests and limits, or in limits alone.`,
      sample: { field: 'requests', value: 1, resource: 'nvidia.com/gpu', limit: 2 },
    }),
    noLimit: message<MissingData & { readonly resource: string }>({
      text: ({ resource }) => `It requests ${resource} without a limit, and the API server wants one, of the same amount.`,
      help: ({ resource }) => `Write ${resource} into limits; the request follows from it.`,
      sample: { field: 'limits', resource: 'nvidia.com/gpu' },
    }),
    belowContainers: message<ComparedData>({
      text: ({ field, value, resource, limit }) =>
        `${field} of the pod is ${show(value)}, and its containers have ${show(limit)} of ${resource}: the API server refuses that.`,
      help: () => 'Raise the figure of the pod, or lower those of its containers.',
      sample: { field: 'requests[cpu]', value: '1', resource: 'cpu', limit: '2' },
    }),
    negativeAmount: refuses('an amount can not be negative', 'Write 0 or more.', '-1'),
    notWhole: refuses('devices come as a whole', 'Write a whole number.', '500m'),
    notPositive: refuses('it has to be above 0', 'Write an amount above 0.', '0'),
    resourceName: refuses(
      'it is neither cpu, memory, ephemeral-storage, hugepages-<size>, nor a resource with a domain such as nvidia.com/gpu',
      'Write the resource as its device plugin names it.',
      'gpu',
    ),
    podResourceName: refuses(
      'a pod itself has cpu, memory and hugepages-<size> alone',
      'Write the resource into its containers.',
      'nvidia.com/gpu',
    ),
    hugePagesAlone: message<MissingData>({
      text: ({ field }) => `${field} has huge pages and neither cpu nor memory, and the API server refuses that.`,
      help: () => 'Write a request or limit of cpu or memory beside them.',
      sample: { field: 'resources' },
    }),
    hugePageSize: refuses('it is not a multiple of the size of a page', 'Write a multiple of the size in the name of the resource.', '3Mi'),
    divisor: refuses(
      'a divisor is 1 or 1m for cpu, and 1 or 1 with a suffix such as Mi for bytes',
      'Write 1, 1m for cpu, or 1Mi for bytes.',
      '2',
    ),
    mountPathTaken: refuses('another mount or device of the container has that path', 'Give each its own path.', '/data'),
    mountedTwice: refuses('the container has it both as a mount and as a device, or as a device twice', DELETE_OR_CHANGE, 'data'),
    notBlock: refuses('a device has to be a persistentVolumeClaim or an ephemeral volume', 'Mount it under volumeMounts.', 'scratch'),
    backsteps: refuses('a path with .. in it could leave the volume', 'Write the path without "..".', '../etc'),
    absolute: refuses('the path has to be relative', 'Write it without the leading slash.', '/etc'),
    relative: refuses('the path has to be absolute', 'Begin it with a slash.', 'export'),
    bidirectional: refuses(
      'only a privileged container may mount Bidirectional',
      'Write HostToContainer, or run the container privileged.',
      'Bidirectional',
    ),
    recursiveNotReadOnly: refuses(
      'it needs readOnly: true, and a mountPropagation of None',
      'Write readOnly: true, or delete recursiveReadOnly.',
      'Enabled',
    ),
    valueAndSource: refuses('a variable has a value or a valueFrom', DELETE_OR_CHANGE, 'fast'),
    fieldPath: refuses(
      'the field can not be read so',
      "Write metadata.name, metadata.namespace, metadata.uid, metadata.labels['<key>'], metadata.annotations['<key>'], and in variables spec.nodeName, " +
        'spec.serviceAccountName, status.hostIP or status.podIP.',
      'metadata.nam',
    ),
    successThreshold: refuses('of liveness and startup probes it has to be 1', 'Write 1, or delete it.', 2),
    notForReadiness: refuses('a readiness probe ends no container', 'Delete it.', 30),
    notForInit: refuses(
      'an init container has it with restartPolicy: Always alone',
      'Delete it, or write restartPolicy: Always for a sidecar.',
      { described: 'a map' },
    ),
    rulesWithAlways: refuses('an init container with restartPolicy: Always starts again in any case', 'Delete one of the two.', {
      described: 'a list',
    }),
    sleepTooLong: refuses(
      'a hook has to end within terminationGracePeriodSeconds',
      'Sleep for less, or raise terminationGracePeriodSeconds.',
      90,
    ),
    stopSignal: refuses(
      'it needs spec.os.name, and a signal that this system has',
      'Write os.name: linux and a signal such as SIGTERM.',
      'SIGHUB',
    ),
    notContainerPort: refuses('with hostNetwork it has to be the containerPort', 'Write the number of containerPort, or delete it.', 80),
    notForContainer: refuses('only an init container may have it in this version', 'Delete it.', 'Always'),
    restartPolicy: refuses('pods of a workload are always restarted', 'Write Always, or delete it; for pods that end, use a Job.', 'Never'),
    notForWorkload: refuses('pods of a workload are to run on', 'Delete it; for pods that end, use a Job.', 600),
    ephemeralContainers: refuses('only a running pod gets ephemeral containers', 'Delete them; use kubectl debug.', {
      described: 'a list',
    }),
    tolerationOperator: refuses('without a key it has to be Exists', 'Write operator: Exists, or a key.', 'Equal'),
    tolerationEffect: refuses(
      'tolerationSeconds count for NoExecute alone',
      'Write effect: NoExecute, or delete tolerationSeconds.',
      'NoSchedule',
    ),
    tolerationValue: refuses('with operator Exists there is no value', 'Delete the value, or write operator: Equal.', 'true'),
    valuesWithExists: refuses('with Exists and DoesNotExist there are no values', 'Delete the values, or write In or NotIn.', {
      described: 'a list',
    }),
    oneValue: refuses('it takes exactly one value', 'Write one value.', { described: 'a list' }),
    keyBeside: refuses('the key stands twice: in the selector, or in matchLabelKeys and mismatchLabelKeys', 'Name each key once.', 'app'),
    keysWithoutSelector: refuses('there is no labelSelector that they add to', 'Write a labelSelector, or delete them.', {
      described: 'a list',
    }),
    minDomains: refuses('it counts with whenUnsatisfiable: DoNotSchedule alone', 'Write DoNotSchedule, or delete it.', 2),
    localhostProfile: refuses('only the type Localhost has a localhostProfile', 'Write type: Localhost, or delete it.', 'web.json'),
    padded: refuses('there are spaces around it', 'Write it without spaces.', ' web'),
    escalation: refuses(
      'allowPrivilegeEscalation: false contradicts privileged: true and the capability CAP_SYS_ADMIN',
      'Delete allowPrivilegeEscalation, or the privileges.',
      false,
    ),
    hostUsersNeeded: refuses('Unmasked needs hostUsers: false', 'Write hostUsers: false, or Default.', 'Unmasked'),
    sharedWithHost: refuses('hostPID shares the processes of the node already', 'Delete one of the two.', true),
    hostNamespaceSysctl: refuses(
      'it belongs to the node, whose namespace the pod shares',
      'Delete it, or hostNetwork and hostIPC.',
      'net.core.somaxconn',
    ),
    notOnWindows: refuses('a Windows pod has no such thing', 'Delete it, or os.name: windows.', true),
    notOnLinux: refuses('a Linux pod has no such thing', 'Delete it, or os.name: linux.', { described: 'a map' }),
    hostProcess: refuses(
      'all containers of a pod are host processes, with hostNetwork: true, or none is',
      'Write hostProcess alike for all, and hostNetwork: true.',
      true,
    ),
    notEmptyDir: refuses('the file has to be in an emptyDir', 'Name a volume of type emptyDir.', 'config'),
    duplicatePath: refuses('another source of the volume writes that path', 'Give each its own path.', 'token'),
    singleNode: refuses('ReadWriteOncePod stands alone', 'Write ReadWriteOncePod alone, or leave it out.', { described: 'a list' }),
    dataSource: refuses(
      'it has to be a PersistentVolumeClaim without an apiGroup, and equal dataSourceRef',
      'Write dataSourceRef alone.',
      'Pod',
    ),
    reserved: refuses('domains of Kubernetes are reserved', 'Use a domain of your own.', 'x.kubernetes.io/a'),
    metadataField: refuses('a claim template has labels and annotations alone', 'Delete it.', 'web'),
    deletionCost: refuses('it is not a whole number of 32 bits', 'Write a number such as "100".', 'high'),
    twoControllers: refuses('one owner alone can be the controller', 'Write controller: true once.', { described: 'a list' }),
  },
});

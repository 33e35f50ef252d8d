import { defineMessage, defineRule } from '../../core/findings/finding';

import { formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { pluralize, joinWords } from '../../core/text/text-format';
import { TEXT_FORMATS } from '../pod/validation/formats';
import type { FormatName } from '../pod/validation/formats';
import { REFUSED_VALUE_MESSAGES } from './refused-values';
import type { FieldData, MissingData } from './refused-values';

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
  /** The fields that are set. */
  readonly present: readonly string[];
}

interface OneOfData extends MissingData {
  readonly choices: readonly string[];
}

interface SelectorData {
  /** The labels of the pod template, which the selector can match. */
  readonly labels: Readonly<Record<string, string>>;
}

interface SelectorMismatchData {
  readonly selector: DisplayValue;
  readonly labels: DisplayValue;
}

interface ResourceLimitData extends FieldData {
  readonly resource: string;
  /** The amount that the value is compared with. */
  readonly limit: DisplayValue;
}

interface ExclusiveFieldData extends MissingData {
  /** The other field, and its value. */
  readonly other: string;
  readonly otherValue: DisplayValue;
}

interface UndeclaredNameData extends FieldData {
  /** The names that the pod declares. */
  readonly declared: readonly string[];
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(labels)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
}

function formatRange({ minimum, maximum }: RangeData): string {
  return maximum === undefined ? `${minimum} or more` : `from ${minimum} to ${maximum}`;
}

/** Reports what the API server refuses in a workload of apps/v1, except its strategy, which `kubernetes/invalid-strategy` covers. */
export const invalidWorkload = defineRule({
  code: 'kubernetes/invalid-workload',
  since: '0.1.0',
  severity: 'error',
  fires: 'The API server refuses a field of a Deployment, StatefulSet or DaemonSet outside its update strategy.',
  why:
    'The API server validates the full object before it stores any of it: the selector against the labels of the template, names, containers, ' +
    'resources, probes, ports, volumes and mounts, affinity, tolerations, spread constraints and security contexts. If one field is refused, ' +
    'the object does not change and the rollout never starts. The checks follow the validation of Kubernetes 1.34 and are tested against a recording of ' +
    'thousands of mutated objects. If a version drops a field because its feature gate is off, the field is not validated. ' +
    'Not modelled: the annotations `container.seccomp.security.alpha.kubernetes.io/…` and `container.apparmor.security.beta.kubernetes.io/…`, ' +
    'the annotation `scheduler.alpha.kubernetes.io/tolerations`, `managedFields`, the optional fields of volume types that ' +
    'Kubernetes has removed, whether a privileged container is allowed (a flag of the API server), and what admission plugins and webhooks refuse.',
  fix: 'Write a value that the message allows.',
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
      text: ({ field }) => `${field} is missing or empty: the API server refuses the object without it.`,
      help: ({ field }) => `Write ${field}.`,
      sample: { field: 'image' },
    }),
    selectorMissing: defineMessage<SelectorData>({
      text: () => 'spec.selector is missing: the API server refuses the object without it, since apps/v1 has no default selector.',
      help: ({ labels }) =>
        Object.keys(labels).length === 0
          ? 'Write labels into spec.template.metadata.labels and the same labels into spec.selector.matchLabels.'
          : `Write spec.selector.matchLabels: ${formatLabels(labels)}, or only the labels that never change.`,
      sample: { labels: { app: 'web' } },
      variants: [{ labels: {} }],
    }),
    selectorEmpty: defineMessage<SelectorData>({
      text: () => 'spec.selector is empty, which the API server refuses: it would select every pod of the namespace.',
      help: ({ labels }) =>
        Object.keys(labels).length === 0
          ? 'Write labels into spec.template.metadata.labels and the same labels into spec.selector.matchLabels.'
          : `Write spec.selector.matchLabels: ${formatLabels(labels)}, or only the labels that never change.`,
      sample: { labels: { app: 'web' } },
      variants: [{ labels: {} }],
    }),
    notSelected: defineMessage<SelectorMismatchData>({
      text: ({ selector, labels }) =>
        `The labels of the pod template, ${formatDisplayValue(labels)}, do not match spec.selector, ${formatDisplayValue(selector)}: the API server refuses the object.`,
      help: () =>
        'Write every label that the selector requires into spec.template.metadata.labels. The selector of a live object cannot change.',
      sample: { selector: 'app=web', labels: 'app=shop' },
    }),
    format: defineMessage<FormatData>({
      text: ({ field, value, format }) =>
        `${field} is ${formatDisplayValue(value)}, which is not ${TEXT_FORMATS[format].description}: the API server refuses it.`,
      help: ({ format }) => `Write a value such as ${TEXT_FORMATS[format].example}.`,
      sample: { field: 'name', value: 'Web_1', format: 'dns-label' },
      variants: (Object.keys(TEXT_FORMATS) as FormatName[]).map((format) => ({ field: 'field', value: '!', format })),
    }),
    tooLong: defineMessage<LengthData>({
      text: ({ field, length, limit, unit }) => `${field} has ${pluralize(length, unit)}, but the API server allows at most ${limit}.`,
      help: ({ limit, unit }) => `Write at most ${pluralize(limit, unit)}.`,
      sample: { field: 'name', length: 70, limit: 63, unit: 'character' },
    }),
    choice: defineMessage<ChoiceData>({
      text: ({ field, value }) =>
        `${field} is ${formatDisplayValue(value)}, which the API server refuses: it is not a known value of the field.`,
      help: ({ choices }) => `Write ${joinWords(choices, 'or')}.`,
      sample: { field: 'imagePullPolicy', value: 'ifNotPresent', choices: ['Always', 'IfNotPresent', 'Never'] },
    }),
    range: defineMessage<RangeData>({
      text: (data) => `${data.field} is ${formatDisplayValue(data.value)}, but the API server allows ${formatRange(data)}.`,
      help: (data) => `Write a whole number ${data.maximum === undefined ? `of ${formatRange(data)}` : formatRange(data)}.`,
      sample: { field: 'containerPort', value: 70_000, minimum: 1, maximum: 65_535 },
      variants: [{ field: 'periodSeconds', value: -1, minimum: 0 }],
    }),
    duplicate: defineMessage<FieldData>({
      text: ({ field, value }) => `${field} is ${formatDisplayValue(value)} a second time, but the API server allows it only once.`,
      help: () => 'Give each a value of its own, or delete one of them.',
      sample: { field: 'name', value: 'web' },
    }),
    several: defineMessage<ConflictingFieldsData>({
      text: ({ field, present }) => `${field} has ${joinWords(present)}, but the API server allows only one of them.`,
      help: ({ present }) => `Keep one of ${joinWords(present)}.`,
      sample: { field: 'readinessProbe', present: ['exec', 'httpGet'] },
    }),
    none: defineMessage<OneOfData>({
      text: ({ field, choices }) => `${field} has none of ${joinWords(choices)}, which the API server refuses.`,
      help: ({ choices }) => `Write one of ${joinWords(choices)}.`,
      sample: { field: 'readinessProbe', choices: ['exec', 'httpGet', 'tcpSocket', 'grpc'] },
    }),
    mutuallyExclusive: defineMessage<ExclusiveFieldData>({
      text: ({ field, other, otherValue }) =>
        `${field} is set while ${other} is ${formatDisplayValue(otherValue)}, which the API server refuses in combination.`,
      help: ({ field, other }) => `Delete ${field}, or change ${other}.`,
      sample: { field: 'hostNetwork', other: 'hostUsers', otherValue: false },
    }),
    notDeclared: defineMessage<UndeclaredNameData>({
      text: ({ field, value, declared: known }) =>
        `${field} is ${formatDisplayValue(value)}, but the pod declares nothing with that name${known.length === 0 ? '' : `, only ${joinWords(known)}`}: the API server refuses it.`,
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
        `It requests ${formatDisplayValue(value)} of ${resource} with a limit of ${formatDisplayValue(limit)}: the API server requires equal amounts, since this resource can't be overcommitted.`,
      help: ({ resource }) => `Write the same amount of ${resource} in requests and limits, or only in limits.`,
      sample: { field: 'requests', value: 1, resource: 'nvidia.com/gpu', limit: 2 },
    }),
    noLimit: defineMessage<MissingData & { readonly resource: string }>({
      text: ({ resource }) => `It requests ${resource} without a limit, but the API server requires a limit of the same amount.`,
      help: ({ resource }) => `Write ${resource} into limits. The request defaults to the limit.`,
      sample: { field: 'limits', resource: 'nvidia.com/gpu' },
    }),
    belowContainers: defineMessage<ResourceLimitData>({
      text: ({ field, value, resource, limit }) =>
        `${field} of the pod is ${formatDisplayValue(value)}, but its containers have ${formatDisplayValue(limit)} of ${resource}: the API server refuses it.`,
      help: () => 'Raise the amount of the pod, or lower the amounts of its containers.',
      sample: { field: 'requests[cpu]', value: '1', resource: 'cpu', limit: '2' },
    }),
    ...REFUSED_VALUE_MESSAGES,
  },
});

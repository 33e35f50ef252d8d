import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { ROOT_PATH, appendMapKey, appendToPath, toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { MAX_INT32, isInt32 } from '../../../core/values/int-or-percent';
import { annotationOf, getFieldsAt, isFields, nameOf, getValueAt } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';
import { SUBGROUP_EXCLUSIVE_TOPOLOGY } from '../placement';
import { LWS_DEFAULTS } from '../strategy';
import type { LwsBehaviour } from '../versions';
import { formatLwsLimits, formatLwsExample } from './examples';

interface ChoiceData {
  readonly field: string;
  readonly value: DisplayValue;
  readonly choices: readonly string[];
}

interface SizeData {
  readonly size: number;
}

interface SubGroupData extends SizeData {
  readonly subGroupSize: number;
}

/** Reports values other than limits that the CRD or the webhook refuses. */
export const invalidSet = defineRule({
  code: 'lws/invalid-set',
  since: '0.1.0',
  severity: 'error',
  fires: 'The CRD or the webhook of LeaderWorkerSet refuses a value other than the limits of the rollout.',
  why:
    'If one field is refused, nothing of the object is stored. The name becomes the name of a headless Service, so it must begin with a letter. ' +
    'A group has at least its leader, and the number of pods in all groups must fit in 32 bits.',
  fix: 'Write a value that the message allows.',
  example: formatLwsExample(2, formatLwsLimits('maxUnavailable: 1'), 0),
  fixedExample: formatLwsExample(2, formatLwsLimits('maxUnavailable: 1')),
  messages: {
    choice: defineMessage<ChoiceData>({
      text: ({ field, value, choices }) =>
        `${field} is ${formatDisplayValue(value)}, which the API server refuses: it must be ${joinWords(
          choices.map((one) => `"${one}"`),
          'or',
        )}.`,
      help: ({ choices }) => `Write ${joinWords(choices, 'or')}.`,
      sample: { field: 'type', value: 'Recreate', choices: ['RollingUpdate'] },
    }),
    name: defineMessage<{ readonly name: string }>({
      text: ({ name }) =>
        `The name "${name}" is refused: the controller creates a Service with this name, which must begin with a letter and have only lower-case letters, digits and dashes.`,
      help: () => 'Write a name such as llama-3.',
      sample: { name: '3-llama' },
    }),
    size: defineMessage<SizeData>({
      text: ({ size }) => `size is ${size}, which the webhook refuses: a group has at least its leader.`,
      help: () => 'Write a size of at least 1.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 1)),
      sample: { size: 0 },
    }),
    product: defineMessage<SizeData & { readonly replicas: number }>({
      text: ({ replicas, size }) => `${replicas} groups of ${size} pods are more than 2147483647 pods, which the webhook refuses.`,
      help: () => 'Write fewer replicas or a smaller size.',
      sample: { replicas: 1_000_000, size: 4096 },
    }),
    subGroup: defineMessage<SubGroupData>({
      text: ({ subGroupSize, size }) =>
        `subGroupSize is ${subGroupSize}, which the webhook refuses for groups of ${size}: the size, or the size without the leader, must be a multiple of it.`,
      help: () => 'Write a subGroupSize that divides size or size - 1. With LeaderExcluded it must divide size - 1.',
      sample: { subGroupSize: 3, size: 8 },
    }),
    subGroupAnnotation: defineMessage<{ readonly annotation: string }>({
      text: ({ annotation }) => `The annotation ${annotation} is set without a subGroupPolicy, which the webhook refuses.`,
      help: ({ annotation }) => `Write leaderWorkerTemplate.subGroupPolicy, or remove the annotation ${annotation}.`,
      sample: { annotation: SUBGROUP_EXCLUSIVE_TOPOLOGY },
    }),
  },
});

/** The pattern of the names that a LeaderWorkerSet may have. */
export const LWS_NAME_PATTERN = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const ENUM_FIELDS: readonly (readonly [parts: readonly string[], choices: readonly string[]])[] = [
  [['rolloutStrategy', 'type'], ['RollingUpdate']],
  [['startupPolicy'], ['LeaderCreated', 'LeaderReady']],
  [
    ['networkConfig', 'subdomainPolicy'],
    ['Shared', 'UniquePerReplica'],
  ],
  [
    ['leaderWorkerTemplate', 'subGroupPolicy', 'subGroupPolicyType'],
    ['LeaderWorker', 'LeaderExcluded'],
  ],
];

/** Reports enum values in a spec that the CRD of a version refuses. */
export function validateSetChoices(spec: Fields, path: FieldPath, { restartPolicies }: LwsBehaviour): Finding[] {
  const fields = [...ENUM_FIELDS, [['leaderWorkerTemplate', 'restartPolicy'], restartPolicies] as const];
  return fields.flatMap(([parts, choices]) => {
    const value = getValueAt(spec, ...parts);
    if (typeof value !== 'string' || choices.includes(value)) return [];
    const data = { field: parts.at(-1)!, value: toDisplayValue(value), choices };
    return [invalidSet.createFinding('choice', { path: appendToPath(path, ...parts), data })];
  });
}

function isGroupDivisible(size: number, subGroupSize: number, isExcluded: boolean): boolean {
  if (subGroupSize < 1 || size < subGroupSize) return false;
  return (size - 1) % subGroupSize === 0 || (!isExcluded && size % subGroupSize === 0);
}

function validateSubGroups(policy: unknown, size: number, specPath: FieldPath): Finding[] {
  if (!isFields(policy)) return [];
  const { subGroupSize, subGroupPolicyType } = policy;
  if (!isInt32(subGroupSize) || isGroupDivisible(size, subGroupSize, subGroupPolicyType === 'LeaderExcluded')) return [];
  const path = toFieldPath`${specPath}.leaderWorkerTemplate.subGroupPolicy.subGroupSize`;
  return [invalidSet.createFinding('subGroup', { path, data: { subGroupSize, size } })];
}

/**
 * Reports an annotation for subgroups on a set that has none. Source: lws 0.3 to 0.10 pkg/webhooks/leaderworkerset_webhook.go, `generalValidate`.
 *
 * @param object - a LeaderWorkerSet, or what has the same fields
 */
export function validateSubGroupAnnotation(object: Fields, path: FieldPath): Finding[] {
  const policy = getValueAt(object, 'spec', 'leaderWorkerTemplate', 'subGroupPolicy') ?? undefined;
  if (policy !== undefined || annotationOf(object, SUBGROUP_EXCLUSIVE_TOPOLOGY) === undefined) return [];
  const annotations = appendToPath(path, 'metadata', 'annotations');
  const data = { annotation: SUBGROUP_EXCLUSIVE_TOPOLOGY };
  return [invalidSet.createFinding('subGroupAnnotation', { path: appendMapKey(annotations, SUBGROUP_EXCLUSIVE_TOPOLOGY), data })];
}

/** Reports group sizes in a spec that the webhook refuses. */
export function validateGroupSizes(spec: Fields, specPath: FieldPath): Finding[] {
  const { size = LWS_DEFAULTS.size, subGroupPolicy } = getFieldsAt(spec, 'leaderWorkerTemplate');
  const replicas = spec.replicas ?? LWS_DEFAULTS.replicas;
  if (!isInt32(size)) return [];
  const path = toFieldPath`${specPath}.leaderWorkerTemplate.size`;
  const subGroup = validateSubGroups(subGroupPolicy, size, specPath);
  if (size < 1) return [invalidSet.createFinding('size', { path, data: { size } }), ...subGroup];
  const isTooMuch = isInt32(replicas) && replicas * size > MAX_INT32;
  return [
    ...(isTooMuch ? [invalidSet.createFinding('product', { path: toFieldPath`${specPath}.replicas`, data: { replicas, size } })] : []),
    ...subGroup,
  ];
}

/** Reports everything that is refused except limits and wrong field types. Source: lws pkg/webhooks/leaderworkerset_webhook.go. */
export function checkInvalidSet(object: Manifest, behaviour: LwsBehaviour): Finding[] {
  const name = nameOf(object);
  const spec = getFieldsAt(object, 'spec');
  const nameErrors =
    name === '' || LWS_NAME_PATTERN.test(name)
      ? []
      : [invalidSet.createFinding('name', { path: toFieldPath`metadata.name`, data: { name } })];
  return [
    ...nameErrors,
    ...validateSetChoices(spec, toFieldPath`spec`, behaviour),
    ...validateGroupSizes(spec, toFieldPath`spec`),
    ...validateSubGroupAnnotation(object, ROOT_PATH),
  ];
}

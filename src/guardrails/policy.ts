import { toFieldPath, ROOT_PATH } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isDigitString, isInt32 } from '../core/int-or-percent';
import { IntentError } from '../core/intent-error';
import { isFields } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { findClosestName } from '../core/did-you-mean';
import { describeType } from '../core/field-type';
import {
  BOOLEAN,
  STRING,
  STRING_LIST,
  STRING_MAP,
  INT32,
  INT_OR_PERCENT,
  defineList,
  defineMap,
  findSchemaProblems,
  closeSchema,
} from '../core/schema';
import type { SchemaProblem } from '../core/schema';
import { toDisplayValue, formatDisplayValue } from '../core/display-value';
import { joinWords } from '../core/text-format';
import { GUARDED_KINDS } from './effective-limits';
import type { GuardedKind } from './effective-limits';

/** Workloads and budgets, by kind, namespace or label. */
export interface GuardrailScope {
  /** Kinds of workloads: `Deployment`, `StatefulSet`, `DaemonSet`. @default - all three */
  readonly kinds?: readonly GuardedKind[];
  /** Names of namespaces. @default - any */
  readonly namespaces?: readonly string[];
  /** Labels of the object. @default - any */
  readonly labels?: Readonly<Record<string, string>>;
}

/** For whom the guardrails do not hold. */
export interface GuardrailException {
  /** Names of namespaces. */
  readonly namespaces: readonly string[];
  /** Why. */
  readonly reason: string;
}

/** What a platform team asks of every rollout of a Deployment, a StatefulSet and a DaemonSet. What is left out is not asked. */
export interface GuardrailPolicy {
  /** What a rollout leaves. @default - anything */
  readonly neverBelow?: {
    /**
     * Pods available: `3`, or `'75%'` of the replicas, rounded up. Of fewer replicas, all; of a StatefulSet all but one, for its controller
     * always takes a pod down. Of a DaemonSet a percentage is held against one in maxUnavailable.
     */
    readonly available: number | string;
  };
  /** What a rollout may make beyond the replicas. @default - anything */
  readonly atMost?: {
    /** Extra pods: `2`, or `'25%'` of the replicas, rounded up as the controller rounds maxSurge. @default - any number */
    readonly extraPods?: number | string;
    /** GPUs that the extra pods ask for, of the resource `nvidia.com/gpu`. @default - any number */
    readonly extraGpus?: number;
  };
  /** The strategies allowed: `RollingUpdate`, `Recreate`, `OnDelete`. @default - all */
  readonly strategies?: readonly string[];
  /** Must a container have a readinessProbe? @default false */
  readonly requireReadinessProbe?: boolean;
  /** Must a PodDisruptionBudget select the pods of a Deployment or StatefulSet of several replicas? An admission policy, which sees one object, does not ask it. @default false */
  readonly requireBudget?: boolean;
  /** Must every PodDisruptionBudget let a pod be evicted, so that nodes can be drained: no maxUnavailable 0, no minAvailable 100%? @default false */
  readonly requireEviction?: boolean;
  /** For which workloads and budgets they hold. @default - all */
  readonly match?: GuardrailScope;
  /** For whom they do not hold. @default - none */
  readonly exceptions?: readonly GuardrailException[];
}

/** Thrown for a policy that can't be used; `path` is the field. */
export class GuardrailPolicyError extends IntentError {
  override readonly name = 'GuardrailPolicyError';

  /** The field of the policy that it is about; empty for the whole of it. */
  public readonly path: string;

  /** Its message stands behind the field, and that behind the place of the policy. */
  public constructor(
    private readonly problem: string,
    path: string,
    place?: string,
  ) {
    super(path === ROOT_PATH ? problem : `${path}: ${problem}`, place);
    this.path = path;
  }

  /** The same error with the place that it comes from, such as a construct. */
  public override at(place: string): GuardrailPolicyError {
    return new GuardrailPolicyError(this.problem, this.path, place);
  }
}

const SCHEMA = closeSchema(
  defineMap({
    neverBelow: closeSchema(defineMap({ available: INT_OR_PERCENT })),
    atMost: closeSchema(defineMap({ extraPods: INT_OR_PERCENT, extraGpus: INT32 })),
    strategies: STRING_LIST,
    requireReadinessProbe: BOOLEAN,
    requireBudget: BOOLEAN,
    requireEviction: BOOLEAN,
    match: closeSchema(defineMap({ kinds: STRING_LIST, namespaces: STRING_LIST, labels: STRING_MAP })),
    exceptions: closeSchema(defineList({ namespaces: STRING_LIST, reason: STRING })),
  }),
);

const STRATEGIES = ['RollingUpdate', 'Recreate', 'OnDelete'];

function formatProblem(problem: SchemaProblem): string {
  if (problem.kind === 'unknown') {
    const nearest = findClosestName(problem.path.slice(problem.path.lastIndexOf('.') + 1), problem.knownFields);
    return `there is no such key; write ${nearest ?? joinWords(problem.knownFields, 'or')}`;
  }
  return problem.kind === 'wrong-type'
    ? `${formatDisplayValue(toDisplayValue(problem.value))} is not ${describeType(problem.expected)}`
    : 'it can not be used';
}

function validateAmount(value: unknown, path: FieldPath): GuardrailPolicyError[] {
  const digits = typeof value === 'string' && value.endsWith('%') ? value.slice(0, -1) : undefined;
  const isPercentage = digits !== undefined && isDigitString(digits) && Number(digits) <= 100;
  if (value === undefined || isPercentage || (isInt32(value) && value >= 0)) return [];
  return [
    new GuardrailPolicyError(
      `${formatDisplayValue(toDisplayValue(value))} is not a number of pods or a percentage to 100%; write 3 or 75%`,
      path,
    ),
  ];
}

function validateChoices(
  values: readonly string[] | undefined,
  allowed: readonly string[],
  what: string,
  path: FieldPath,
): GuardrailPolicyError[] {
  if (values?.length === 0)
    return [new GuardrailPolicyError(`the list is empty; write ${joinWords(allowed, 'or')}, or leave it out`, path)];
  const unknown = values?.filter((word) => !allowed.includes(word)) ?? [];
  return unknown.map((word) => new GuardrailPolicyError(`"${word}" is not ${what}; write ${joinWords(allowed, 'or')}`, path));
}

function validateException({ namespaces, reason }: GuardrailException, path: FieldPath): GuardrailPolicyError[] {
  if (!namespaces || namespaces.length === 0) return [new GuardrailPolicyError('it names no namespaces', path)];
  if (reason !== undefined && reason.trim() !== '') return [];
  return [new GuardrailPolicyError('it gives no reason; write reason: and why', path)];
}

/** What is not known, of the wrong type, or without a reason in a policy; an error each. */
export function validateGuardrails(document: unknown): GuardrailPolicyError[] {
  if (!isFields(document))
    return [new GuardrailPolicyError('the policy is not a map; write for example neverBelow: {available: 75%}', ROOT_PATH)];
  const problems = findSchemaProblems(document, SCHEMA, ROOT_PATH);
  const ofSchema = problems.map((problem) => new GuardrailPolicyError(formatProblem(problem), problem.path));
  // Of another type it can't be looked into.
  if (problems.some(({ kind }) => kind !== 'unknown')) return ofSchema;
  const { neverBelow, atMost, strategies, match, exceptions } = document as GuardrailPolicy;
  return [
    ...ofSchema,
    ...validateAmount(neverBelow?.available, toFieldPath`neverBelow.available`),
    ...validateAmount(atMost?.extraPods, toFieldPath`atMost.extraPods`),
    ...validateChoices(strategies ?? undefined, STRATEGIES, 'a strategy', toFieldPath`strategies`),
    ...validateChoices(match?.kinds, GUARDED_KINDS, 'a kind that guardrails judge', toFieldPath`match.kinds`),
    ...(exceptions ?? []).flatMap((exception, index) => validateException(exception, toFieldPath`exceptions[${index}]`)),
  ];
}

/**
 * Reads a policy, as a file for `check --policy` or the props of `RolloutGuardrails` hold it.
 *
 * @throws GuardrailPolicyError for what is not known, of the wrong type, or without a reason
 */
export function parseGuardrails(document: unknown): GuardrailPolicy {
  const [problem] = validateGuardrails(document);
  if (problem) throw problem;
  // A key without a value is one that is left out.
  return Object.fromEntries(Object.entries(document as Fields).filter(([, value]) => value !== null));
}

import { toFieldPath, ROOT_PATH } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isInt32, isPercentString, parsePercent } from '../core/values/int-or-percent';
import { IntentError } from '../core/errors/intent-error';
import { isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { findClosestName } from '../core/errors/did-you-mean';
import { describeType } from '../core/values/field-type';
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
} from '../core/values/schema';
import type { SchemaProblem } from '../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../core/text/display-value';
import { joinWords } from '../core/text/text-format';
import { GUARDED_KINDS } from './effective-limits';
import type { GuardedKind } from './effective-limits';

/** A selection of workloads and budgets, by kind, namespace or label. */
export interface GuardrailScope {
  /** Kinds of workloads: `Deployment`, `StatefulSet`, `DaemonSet`. @default - all three */
  readonly kinds?: readonly GuardedKind[];
  /** Names of namespaces. @default - any */
  readonly namespaces?: readonly string[];
  /** Labels of the object. @default - any */
  readonly labels?: Readonly<Record<string, string>>;
}

/** An exception from the guardrails. */
export interface GuardrailException {
  /** Names of namespaces. */
  readonly namespaces: readonly string[];
  /** Reason for the exception. */
  readonly reason: string;
}

/** What a platform team requires of every rollout of a Deployment, StatefulSet or DaemonSet. A field that is omitted requires nothing. */
export interface GuardrailPolicy {
  /** Pods that must stay available during a rollout. @default - any number */
  readonly neverBelow?: {
    /**
     * Available pods: `3`, or `'75%'` of the replicas, rounded up. A workload with fewer replicas must keep all of them. A StatefulSet must
     * keep
     * all but one, since its controller always takes one pod down. For a DaemonSet a percentage is compared with a percentage in
     * maxUnavailable.
     */
    readonly available: number | string;
  };
  /** What a rollout may add to the replicas. @default - any number */
  readonly atMost?: {
    /** Extra pods: `2`, or `'25%'` of the replicas, rounded up as the controller rounds maxSurge. @default - any number */
    readonly extraPods?: number | string;
    /** GPUs that the extra pods request, of the resource `nvidia.com/gpu`. @default - any number */
    readonly extraGpus?: number;
  };
  /** Allowed strategies: `RollingUpdate`, `Recreate`, `OnDelete`. @default - all */
  readonly strategies?: readonly string[];
  /** Whether a container must have a readinessProbe. @default false */
  readonly requireReadinessProbe?: boolean;
  /**
   * Whether a PodDisruptionBudget must select the pods of a Deployment or StatefulSet with several replicas. An admission policy, which
   * sees one
   * object, does not check it. @default false
   */
  readonly requireBudget?: boolean;
  /**
   * Whether every PodDisruptionBudget must let a pod be evicted, so that nodes can be drained: no maxUnavailable 0, no minAvailable 100%.
   * @default false
   */
  readonly requireEviction?: boolean;
  /** Workloads and budgets that the guardrails apply to. @default - all */
  readonly match?: GuardrailScope;
  /** Exceptions from the guardrails. @default - none */
  readonly exceptions?: readonly GuardrailException[];
}

/** Thrown for a policy that can't be used; `path` is the field. */
export class GuardrailPolicyError extends IntentError {
  override readonly name = 'GuardrailPolicyError';

  /** Field of the policy that the error is about; empty for the entire policy. */
  public readonly path: string;

  /** Builds the message from the place of the policy, the field and the problem, in this order. */
  public constructor(
    private readonly problem: string,
    path: string,
    place?: string,
  ) {
    super(path === ROOT_PATH ? problem : `${path}: ${problem}`, place);
    this.path = path;
  }

  /** Returns the same error with the place that it comes from, such as a construct. */
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
    : 'it cannot be used';
}

/** Refuses a map that requires nothing, such as one with a variable that is not set. */
function validateNotEmpty(limits: object | null | undefined, names: readonly string[], path: FieldPath): GuardrailPolicyError[] {
  if (!isFields(limits) || names.some((name) => limits[name] !== undefined)) return [];
  return [new GuardrailPolicyError(`it requires nothing; write ${joinWords(names, 'or')}, or leave it out`, path)];
}

const POD_AMOUNT = 'a number of pods or a percentage to 100%; write 3 or 75%';

function validateAmount(value: unknown, path: FieldPath, expected = POD_AMOUNT): GuardrailPolicyError[] {
  const isPercentage = isPercentString(value) && parsePercent(value) <= 100;
  if (value === undefined || isPercentage || (isInt32(value) && value >= 0)) return [];
  return [new GuardrailPolicyError(`${formatDisplayValue(toDisplayValue(value))} is not ${expected}`, path)];
}

function validateChoices(
  values: readonly string[] | undefined,
  allowed: readonly string[],
  what: string,
  path: FieldPath,
): GuardrailPolicyError[] {
  if (values?.length === 0)
    return [new GuardrailPolicyError(`the list is empty; write ${joinWords(allowed, 'or')}, or leave it out`, path)];
  const unknown = values?.filter((value) => !allowed.includes(value)) ?? [];
  return unknown.map((value) => new GuardrailPolicyError(`"${value}" is not ${what}; write ${joinWords(allowed, 'or')}`, path));
}

function validateException({ namespaces, reason }: GuardrailException, path: FieldPath): GuardrailPolicyError[] {
  if (!namespaces || namespaces.length === 0) return [new GuardrailPolicyError('it names no namespaces', path)];
  // A key without a value is null.
  if ((reason ?? '').trim() !== '') return [];
  return [new GuardrailPolicyError('it gives no reason; write reason: and why', path)];
}

/** Refuses labels without a value: no object has them, so the policy would apply to none. */
function validateMatchLabels(labels: GuardrailScope['labels'] | null): GuardrailPolicyError[] {
  const missing = Object.entries(labels ?? {}).filter(([, value]: readonly [string, unknown]) => value === null || value === undefined);
  return missing.map(([name]) => new GuardrailPolicyError('it has no value; write one in quotes', toFieldPath`match.labels[${name}]`));
}

/** Returns an error for everything in a policy that is unknown, of the wrong type, or without a reason. */
export function validateGuardrails(document: unknown): GuardrailPolicyError[] {
  if (!isFields(document))
    return [new GuardrailPolicyError('the policy is not a map; write for example neverBelow: {available: 75%}', ROOT_PATH)];
  const problems = findSchemaProblems(document, SCHEMA, ROOT_PATH, { allowsTokens: false });
  const schemaErrors = problems.map((problem) => new GuardrailPolicyError(formatProblem(problem), problem.path));
  // The fields of a policy with a wrong type cannot be evaluated further.
  if (problems.some(({ kind }) => kind !== 'unknown')) return schemaErrors;
  const { neverBelow, atMost, strategies, match, exceptions } = document as GuardrailPolicy;
  return [
    ...schemaErrors,
    ...validateNotEmpty(neverBelow, ['available'], toFieldPath`neverBelow`),
    ...validateNotEmpty(atMost, ['extraPods', 'extraGpus'], toFieldPath`atMost`),
    ...validateAmount(neverBelow?.available, toFieldPath`neverBelow.available`),
    ...validateAmount(atMost?.extraPods, toFieldPath`atMost.extraPods`),
    ...validateAmount(atMost?.extraGpus, toFieldPath`atMost.extraGpus`, 'a number of GPUs; write 4'),
    ...validateChoices(strategies ?? undefined, STRATEGIES, 'a strategy', toFieldPath`strategies`),
    ...validateChoices(match?.kinds, GUARDED_KINDS, 'a kind that guardrails apply to', toFieldPath`match.kinds`),
    ...validateMatchLabels(match?.labels),
    ...(exceptions ?? []).flatMap((exception, index) => validateException(exception, toFieldPath`exceptions[${index}]`)),
  ];
}

/**
 * Parses a policy from a file for `check --policy` or from the props of `RolloutGuardrails`.
 *
 * @throws GuardrailPolicyError for what is unknown, of the wrong type, or without a reason
 */
export function parseGuardrails(document: unknown): GuardrailPolicy {
  const [problem] = validateGuardrails(document);
  if (problem) throw problem;
  // A key without a value counts as omitted.
  return Object.fromEntries(Object.entries(document as Fields).filter(([, value]) => value !== null));
}

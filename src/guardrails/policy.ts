import { at, WHOLE_OBJECT } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isDigitString, isInt32 } from '../core/int-or-percent';
import { IntentError } from '../core/intent-error';
import { isFields } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { nearestName } from '../core/nearest-name';
import { describeType } from '../core/field-type';
import { BOOLEAN, STRING, STRINGS, STRING_MAP, INT32, INT_OR_PERCENT, listOf, map, schemaProblems, whole } from '../core/schema';
import type { SchemaProblem } from '../core/schema';
import { seen, show } from '../core/seen';
import { listed } from '../core/words';
import { GUARDED_KINDS } from './pace';
import type { GuardedKind } from './pace';

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
    private readonly said: string,
    path: string,
    place?: string,
  ) {
    super(path === WHOLE_OBJECT ? said : `${path}: ${said}`, place);
    this.path = path;
  }

  /** The same error with the place that it comes from, such as a construct. */
  public override at(place: string): GuardrailPolicyError {
    return new GuardrailPolicyError(this.said, this.path, place);
  }
}

const SCHEMA = whole(
  map({
    neverBelow: whole(map({ available: INT_OR_PERCENT })),
    atMost: whole(map({ extraPods: INT_OR_PERCENT, extraGpus: INT32 })),
    strategies: STRINGS,
    requireReadinessProbe: BOOLEAN,
    requireBudget: BOOLEAN,
    requireEviction: BOOLEAN,
    match: whole(map({ kinds: STRINGS, namespaces: STRINGS, labels: STRING_MAP })),
    exceptions: whole(listOf({ namespaces: STRINGS, reason: STRING })),
  }),
);

const STRATEGIES = ['RollingUpdate', 'Recreate', 'OnDelete'];

function problemText(problem: SchemaProblem): string {
  if (problem.kind === 'unknown') {
    const nearest = nearestName(problem.path.slice(problem.path.lastIndexOf('.') + 1), problem.known);
    return `there is no such key; write ${nearest ?? listed(problem.known, 'or')}`;
  }
  return problem.kind === 'wrong-type' ? `${show(seen(problem.value))} is not ${describeType(problem.expected)}` : 'it can not be used';
}

function amountProblems(value: unknown, path: FieldPath): GuardrailPolicyError[] {
  const digits = typeof value === 'string' && value.endsWith('%') ? value.slice(0, -1) : undefined;
  const isPercentage = digits !== undefined && isDigitString(digits) && Number(digits) <= 100;
  if (value === undefined || isPercentage || (isInt32(value) && value >= 0)) return [];
  return [new GuardrailPolicyError(`${show(seen(value))} is not a number of pods or a percentage to 100%; write 3 or 75%`, path)];
}

function wordProblems(
  given: readonly string[] | undefined,
  known: readonly string[],
  what: string,
  path: FieldPath,
): GuardrailPolicyError[] {
  if (given?.length === 0) return [new GuardrailPolicyError(`the list is empty; write ${listed(known, 'or')}, or leave it out`, path)];
  const wrong = given?.filter((word) => !known.includes(word)) ?? [];
  return wrong.map((word) => new GuardrailPolicyError(`"${word}" is not ${what}; write ${listed(known, 'or')}`, path));
}

function exceptionProblems({ namespaces, reason }: GuardrailException, path: FieldPath): GuardrailPolicyError[] {
  if (!namespaces || namespaces.length === 0) return [new GuardrailPolicyError('it names no namespaces', path)];
  if (reason !== undefined && reason.trim() !== '') return [];
  return [new GuardrailPolicyError('it gives no reason; write reason: and why', path)];
}

/** What is not known, of the wrong type, or without a reason in a policy; an error each. */
export function guardrailProblems(document: unknown): GuardrailPolicyError[] {
  if (!isFields(document))
    return [new GuardrailPolicyError('the policy is not a map; write for example neverBelow: {available: 75%}', WHOLE_OBJECT)];
  const problems = schemaProblems(document, SCHEMA, WHOLE_OBJECT);
  const ofSchema = problems.map((problem) => new GuardrailPolicyError(problemText(problem), problem.path));
  // Of another type it can't be looked into.
  if (problems.some(({ kind }) => kind !== 'unknown')) return ofSchema;
  const { neverBelow, atMost, strategies, match, exceptions } = document as GuardrailPolicy;
  return [
    ...ofSchema,
    ...amountProblems(neverBelow?.available, at`neverBelow.available`),
    ...amountProblems(atMost?.extraPods, at`atMost.extraPods`),
    ...wordProblems(strategies ?? undefined, STRATEGIES, 'a strategy', at`strategies`),
    ...wordProblems(match?.kinds, GUARDED_KINDS, 'a kind that guardrails judge', at`match.kinds`),
    ...(exceptions ?? []).flatMap((exception, index) => exceptionProblems(exception, at`exceptions[${index}]`)),
  ];
}

/**
 * Reads a policy, as a file for `check --policy` or the props of `RolloutGuardrails` hold it.
 *
 * @throws GuardrailPolicyError for what is not known, of the wrong type, or without a reason
 */
export function parseGuardrails(document: unknown): GuardrailPolicy {
  const [problem] = guardrailProblems(document);
  if (problem) throw problem;
  // A key without a value is one that is left out.
  return Object.fromEntries(Object.entries(document as Fields).filter(([, value]) => value !== null));
}

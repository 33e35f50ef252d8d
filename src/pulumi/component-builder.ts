import { RunError } from '@pulumi/pulumi';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { IntentError, withConstructPath } from '../core/intent-error';
import { collectFindings } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import type { FieldSchemas } from '../core/schema';
import { describeValue } from '../core/display-value';
import { escapeForTerminal } from '../core/escape-output';
import { readProps } from '../input/read-props';
import { findCallSite } from '../props/call-site';
import type { PropPaths } from '../props/prop-paths';
import { formatErrorLines } from '../props/error-lines';
import { findStructuralErrors, collectPropErrors } from '../props/validate-props';
import type { PropsShape } from '../props/validate-props';
import { findPendingOutputs, extractOutputs, formatOutputPlaceholders } from './opaque-outputs';
import type { OpaqueProps, UnreadProps, WithInputs } from './opaque-outputs';
import type { RolloutComponentKind } from './type-tokens';

/** A component before it is registered: whatever speaks against it is said now, and the engine never hears of it. */
export class ComponentBuilder {
  /** Takes the class and name, by which every refusal begins. */
  constructor(
    private readonly kind: RolloutComponentKind,
    private readonly name: string,
  ) {}

  /** What every refusal begins with: the class, the name, and the line of the program that makes the component. */
  private get title(): string {
    const location = findCallSite();
    return `${this.kind} "${escapeForTerminal(this.name)}" is refused${location === undefined ? '' : ` (made at ${location})`}:`;
  }

  /**
   * The args, where one of them is no plain data, such as another component.
   *
   * @throws RunError for what is no map or throws when it is read
   */
  read<T extends object>(args: T): T {
    const read = readProps(args);
    if (read.unreadable !== undefined) throw this.createError([read.unreadable]);
    const misshapen = findStructuralErrors(read.props, {});
    if (misshapen.length > 0) throw this.createError(misshapen);
    return read.props;
  }

  /**
   * The args as plain data.
   *
   * @throws RunError where an Output stands in a structural prop, a map is missing, or a value is no plain data
   */
  readProps<T>(args: WithInputs<T>, shape: PropsShape | ((props: unknown) => PropsShape), isUnread?: UnreadProps): OpaqueProps<T> {
    const shapeOf = typeof shape === 'function' ? shape : () => shape;
    const opaque = extractOutputs<T>(args, (read) => shapeOf(read).props, isUnread);
    if (opaque.errors.length > 0) throw this.createError(opaque.errors);
    const problems = collectPropErrors(opaque.props, shapeOf(opaque.props));
    if (problems.length > 0) throw this.createError(problems);
    return opaque;
  }

  /**
   * Sees to it that a prop which is read before all others holds no Output.
   *
   * @throws RunError where it does, with the prop and what it takes
   */
  requirePlainValue(value: unknown, path: FieldPath, schemas: FieldSchemas): void {
    const errors = findPendingOutputs(value, path, schemas);
    if (errors.length > 0) throw this.createError(errors);
  }

  /** What `settle` gives; whatever it refuses is refused with the component's name, an error of an intent as one of its class. */
  runWithTitle<T>(run: () => T): T {
    return withConstructPath(() => this.title, run);
  }

  /**
   * What is to be said of the component: what the intent means, and what the plan adds.
   *
   * @param places from which props the objects were written. @default - the findings are about props
   * @throws RunError with every error
   */
  collectFindings(
    intent: readonly Finding[],
    plan: Pick<PlanDocument, 'findings' | 'rollouts'>,
    propPaths?: PropPaths,
  ): readonly Finding[] {
    // The plan says it again at the field of the manifest; what is worse there is another matter.
    const intentKeys = new Set(intent.map(({ code, severity }) => `${severity} ${code}`));
    const findings = [...intent, ...collectFindings(plan).filter(({ code, severity }) => !intentKeys.has(`${severity} ${code}`))];
    const errors = formatOutputPlaceholders(formatErrorLines(findings, propPaths));
    if (errors.length > 0) throw this.createError(errors);
    return findings;
  }

  /** Pulumi shows the message of a RunError without a stack, and the preview fails. */
  createError(reasons: readonly string[]): RunError {
    return new RunError([this.title, ...reasons.map(escapeForTerminal)].join('\n  '));
  }
}

/** What `prepare` makes of a component's args, all refusals of which bear the component's name. */
export function prepareComponent<T>(kind: RolloutComponentKind, name: string, prepare: (component: ComponentBuilder) => T): T {
  // JavaScript checks no type.
  const runtimeName: unknown = name;
  if (typeof runtimeName !== 'string')
    throw new ComponentBuilder(kind, String(runtimeName)).createError([`the name is ${describeValue(runtimeName)}; write a text`]);
  const component = new ComponentBuilder(kind, name);
  try {
    return prepare(component);
  } catch (error) {
    if (error instanceof RunError || error instanceof IntentError) throw error;
    return component.runWithTitle(() => {
      throw error;
    });
  }
}

import { RunError } from '@pulumi/pulumi';
import { validateCreatedMetadata } from '../change/apiserver/metadata-validation';
import { parseFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { OptionError } from '../core/errors/option-error';
import { IntentError, UnexpectedIntentError, withConstructPath } from '../core/errors/intent-error';
import { collectFindings } from '../core/document/plan-document';
import { getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { FieldSchemas } from '../core/values/schema';
import { describeValue } from '../core/text/display-value';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import { escapeForTerminal } from '../core/text/escape-output';
import { readProps } from '../input/read-props';
import { findCallSite } from '../props/call-site';
import type { PropPaths } from '../props/prop-paths';
import { formatErrorLines } from '../props/error-lines';
import { collectPropErrors, findEmptySources, findStructuralErrors } from '../props/validate-props';
import type { PropsShape } from '../props/validate-props';
import { verifyLater } from './late-values';
import { findPendingOutputs, extractOutputs, formatOutputPlaceholders, hasOutputPlaceholder } from './opaque-outputs';
import type { OpaqueProps, UnreadProps, WithInputs } from './opaque-outputs';
import { AMBIGUOUS_SURROUNDINGS, locateSurroundings } from './surroundings';
import type { RolloutComponentKind } from './type-tokens';
import { toSafeText } from '../core/text/value-text';

/** A component before it is registered. Errors are thrown here, so that an invalid component never reaches the engine. */
export class ComponentBuilder {
  /** Takes the class and name, with which every error begins. */
  constructor(
    private readonly kind: RolloutComponentKind,
    private readonly name: string,
  ) {}

  /** Start of every error: the class, the name, and the line of the program that creates the component. */
  private get title(): string {
    const location = findCallSite();
    return `${this.kind} "${escapeForTerminal(this.name)}" is refused${location === undefined ? '' : ` (created at ${location})`}:`;
  }

  /**
   * Reads args that are not all plain data, for example another component.
   *
   * @throws RunError for args that are not a map, or that throw when they are read
   */
  read<T extends object>(args: T): T {
    const read = readProps(args);
    if (read.unreadable !== undefined) throw this.createError([read.unreadable]);
    const misshapen = findStructuralErrors(read.props, {});
    if (misshapen.length > 0) throw this.createError(misshapen);
    return read.props;
  }

  /**
   * Reads the args as plain data.
   *
   * @throws RunError if a structural prop is an Output, a map is missing, or a value is not plain data
   */
  readProps<T>(args: WithInputs<T>, shape: PropsShape | ((props: unknown) => PropsShape), isUnread?: UnreadProps): OpaqueProps<T> {
    const shapeOf = typeof shape === 'function' ? shape : () => shape;
    const { title } = this;
    const createError = (lines: readonly string[]) => this.createError(lines, title);
    const verify = (pending: unknown, paths: readonly FieldPath[]) => verifyLater(pending, paths, createError);
    const opaque = extractOutputs<T>(args, (read) => shapeOf(read).props, isUnread, verify);
    if (opaque.errors.length > 0) throw this.createError(opaque.errors);
    const problems = [...collectPropErrors(opaque.props, shapeOf(opaque.props)), ...findEmptySources(opaque.props)];
    if (problems.length > 0) throw this.createError(problems);
    const located = locateSurroundings(opaque.props);
    if (located === undefined) throw this.createError([AMBIGUOUS_SURROUNDINGS]);
    return { ...opaque, props: located };
  }

  /**
   * Requires that a prop that is read before all others has no Output.
   *
   * @throws RunError if it has one, with the prop and its expected type
   */
  requirePlainValue(value: unknown, path: FieldPath, schemas: FieldSchemas): void {
    const errors = findPendingOutputs(value, path, schemas);
    if (errors.length > 0) throw this.createError(errors);
  }

  /** Runs a function whose errors get the title of the component. An IntentError keeps its class. */
  runWithTitle<T>(run: () => T): T {
    try {
      return withConstructPath(() => this.title, run);
    } catch (error) {
      // Pulumi shows the stack of every error that is not a RunError.
      if (isInputError(error)) error.stack = `${error.name}: ${error.message}`;
      throw error;
    }
  }

  /**
   * Collects the findings of a component: those of the intent, and those that the plan adds.
   *
   * @param propPaths props from which the objects were written. @default - the findings are about props
   * @param objects to register. If nothing else is wrong, their metadata is validated. @default - none
   * @throws RunError with every error
   */
  collectFindings(
    intent: readonly Finding[],
    plan: Pick<PlanDocument, 'findings' | 'rollouts'>,
    propPaths?: PropPaths,
    objects: readonly Manifest[] = [],
  ): readonly Finding[] {
    // The plan repeats findings of the intent at the field of the manifest. Those with another severity are kept.
    const intentKeys = new Set(intent.map(({ code, severity }) => `${severity} ${code}`));
    const planned = collectFindings(plan).filter(({ suppressed }) => !suppressed);
    const findings = [...intent, ...planned.filter(({ code, severity }) => !intentKeys.has(`${severity} ${code}`))];
    const errors = formatOutputPlaceholders(formatErrorLines(findings, propPaths));
    const listed = errors.length > 0 ? errors : this.listMetadataErrors(objects, propPaths);
    if (listed.length > 0) throw this.createError(listed);
    return findings;
  }

  /** Lists the errors in the metadata of objects. What is not known yet is a placeholder, and not judged. */
  private listMetadataErrors(objects: readonly Manifest[], propPaths?: PropPaths): string[] {
    const errors = objects.flatMap((object) => {
      const isKnown = ({ path }: Finding) => !hasOutputPlaceholder([path, getValueAt(object, ...parseFieldPath(path))]);
      return formatErrorLines(validateCreatedMetadata(object, DEFAULT_VERSIONS.kubernetes).filter(isKnown), propPaths);
    });
    return [...new Set(errors)];
  }

  /** Creates an error that fails the preview. Pulumi shows the message of a RunError without a stack. */
  createError(reasons: readonly string[], title = this.title): RunError {
    return new RunError([title, ...reasons.map(escapeForTerminal)].join('\n  '));
  }
}

/** Whether an error is one of the user's input, so that the stack of this package's code says nothing about it. */
function isInputError(error: unknown): error is Error {
  return error instanceof IntentError || (error instanceof UnexpectedIntentError && error.cause instanceof OptionError);
}

/** Prepares a component. All errors begin with the title of the component. */
export function prepareComponent<T>(kind: RolloutComponentKind, name: string, prepare: (component: ComponentBuilder) => T): T {
  // JavaScript callers may pass another type.
  const runtimeName: unknown = name;
  if (typeof runtimeName !== 'string')
    throw new ComponentBuilder(kind, toSafeText(runtimeName)).createError([`the name is ${describeValue(runtimeName)}; pass a string`]);
  const component = new ComponentBuilder(kind, name);
  try {
    return prepare(component);
  } catch (error) {
    if (error instanceof RunError || error instanceof IntentError || error instanceof UnexpectedIntentError) throw error;
    return component.runWithTitle(() => {
      throw error;
    });
  }
}

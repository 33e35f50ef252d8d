import { RunError } from '@pulumi/pulumi';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { IntentError, settledAt } from '../core/intent-error';
import { allFindings } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import type { FieldSchemas } from '../core/schema';
import { describeValue } from '../core/seen';
import { visible } from '../core/visible';
import { readProps } from '../input/given-value';
import { callSite } from '../props/call-site';
import type { PropPlaces } from '../props/prop-places';
import { errorLines } from '../props/refusals';
import { misshapenProps, unusableProps } from '../props/usable-props';
import type { PropsShape } from '../props/usable-props';
import { laterRefusals, opaqueProps, shown } from './leaf-strings';
import type { OpaqueProps, UnreadProps, WithInputs } from './leaf-strings';
import type { RolloutComponentKind } from './type-tokens';

/** A component before it is registered: whatever speaks against it is said now, and the engine never hears of it. */
export class Unregistered {
  /** Takes the class and name, by which every refusal begins. */
  constructor(
    private readonly kind: RolloutComponentKind,
    private readonly name: string,
  ) {}

  /** What every refusal begins with: the class, the name, and the line of the program that makes the component. */
  private get title(): string {
    const place = callSite();
    return `${this.kind} "${visible(this.name)}" is refused${place === undefined ? '' : ` (made at ${place})`}:`;
  }

  /**
   * The args, where one of them is no plain data, such as another component.
   *
   * @throws RunError for what is no map or throws when it is read
   */
  read<T extends object>(args: T): T {
    const read = readProps(args);
    if (read.unreadable !== undefined) throw this.refusal([read.unreadable]);
    const misshapen = misshapenProps(read.props, {});
    if (misshapen.length > 0) throw this.refusal(misshapen);
    return read.props;
  }

  /**
   * The args as plain data.
   *
   * @throws RunError where an Output stands in a structural prop, a map is missing, or a value is no plain data
   */
  plainProps<T>(args: WithInputs<T>, shape: PropsShape | ((props: unknown) => PropsShape), isUnread?: UnreadProps): OpaqueProps<T> {
    const shapeOf = typeof shape === 'function' ? shape : () => shape;
    const opaque = opaqueProps<T>(args, (read) => shapeOf(read).props, isUnread);
    if (opaque.refusals.length > 0) throw this.refusal(opaque.refusals);
    const unusable = unusableProps(opaque.props, shapeOf(opaque.props));
    if (unusable.length > 0) throw this.refusal(unusable);
    return opaque;
  }

  /**
   * Sees to it that a prop which is read before all others holds no Output.
   *
   * @throws RunError where it does, with the prop and what it takes
   */
  readWhole(value: unknown, path: FieldPath, schemas: FieldSchemas): void {
    const refusals = laterRefusals(value, path, schemas);
    if (refusals.length > 0) throw this.refusal(refusals);
  }

  /** What `settle` gives; whatever it refuses is refused with the component's name, an error of an intent as one of its class. */
  settled<T>(settle: () => T): T {
    return settledAt(() => this.title, settle);
  }

  /**
   * What is to be said of the component: what the intent means, and what the plan adds.
   *
   * @param places from which props the objects were written. @default - the findings are about props
   * @throws RunError with every error
   */
  said(intent: readonly Finding[], plan: Pick<PlanDocument, 'findings' | 'rollouts'>, places?: PropPlaces): readonly Finding[] {
    // The plan says it again at the field of the manifest; what is worse there is another matter.
    const known = new Set(intent.map(({ code, severity }) => `${severity} ${code}`));
    const findings = [...intent, ...allFindings(plan).filter(({ code, severity }) => !known.has(`${severity} ${code}`))];
    const errors = shown(errorLines(findings, places));
    if (errors.length > 0) throw this.refusal(errors);
    return findings;
  }

  /** Pulumi shows the message of a RunError without a stack, and the preview fails. */
  refusal(reasons: readonly string[]): RunError {
    return new RunError([this.title, ...reasons.map(visible)].join('\n  '));
  }
}

/** What `prepare` makes of a component's args, all refusals of which bear the component's name. */
export function prepared<T>(kind: RolloutComponentKind, name: string, prepare: (component: Unregistered) => T): T {
  // JavaScript checks no type.
  const given: unknown = name;
  if (typeof given !== 'string') throw new Unregistered(kind, String(given)).refusal([`the name is ${describeValue(given)}; write a text`]);
  const component = new Unregistered(kind, name);
  try {
    return prepare(component);
  } catch (error) {
    if (error instanceof RunError || error instanceof IntentError) throw error;
    return component.settled(() => {
      throw error;
    });
  }
}

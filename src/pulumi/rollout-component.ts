import * as pulumi from '@pulumi/pulumi';
import { findingLine } from '../core/finding';
import type { Finding, Severity } from '../core/finding';
import { settledAt } from '../core/intent-error';
import { allFindings } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import { errorLines } from '../props/refusals';
import { unusableProps } from '../props/usable-props';
import type { PropsShape } from '../props/usable-props';
import { opaqueProps, shown } from './leaf-strings';
import type { OpaqueProps, UnreadProps, WithInputs } from './leaf-strings';
import { FORMER_TYPE_TOKENS, TYPE_TOKENS, withFormerTypes } from './type-tokens';
import type { RolloutComponentKind } from './type-tokens';

/** Pulumi's own words; errors are not logged but thrown, and then logged by Pulumi. */
const LOG_LEVELS = { warning: 'warn', info: 'info' } as const satisfies Partial<Record<Severity, keyof typeof pulumi.log>>;

/**
 * What the components share: the plan as an output, and findings that go to Pulumi's log.
 *
 * The plan is made while the program runs, from plain data, so that `pulumi preview` knows it whole whatever Outputs are in images
 * and the like.
 */
export abstract class RolloutComponent extends pulumi.ComponentResource {
  /** The plan document: rollouts with strategy, provenance and simulation, findings, summary. Always known at preview. */
  public abstract readonly plan: pulumi.Output<PlanDocument>;

  private readonly title: string;

  /**
   * Registers the component itself, without any child.
   *
   * @param kind the class, which decides the type that Pulumi knows the component by
   */
  protected constructor(kind: RolloutComponentKind, name: string, opts: pulumi.ComponentResourceOptions) {
    super(TYPE_TOKENS[kind], name, {}, withFormerTypes(opts, FORMER_TYPE_TOKENS[kind]));
    this.title = `${kind} "${name}"`;
  }

  /**
   * The args as plain data.
   *
   * @throws ResourceError where an Output stands in a structural prop, or a map is missing
   * @internal
   */
  protected plainProps<T>(args: WithInputs<T>, shape: PropsShape, isUnread?: UnreadProps): OpaqueProps<T> {
    const opaque = opaqueProps<T>(args, shape.props, isUnread);
    const refusals = opaque.refusals.length > 0 ? opaque.refusals : unusableProps(opaque.props, shape);
    if (refusals.length > 0) throw this.failure(refusals);
    return opaque;
  }

  /**
   * Logs what is to be said of this component: what the intent means, and what the plan adds.
   *
   * @throws ResourceError with every error, so that the preview fails before any child is registered
   * @internal
   */
  protected report(intent: readonly Finding[], plan: Pick<PlanDocument, 'findings' | 'rollouts'>): void {
    const known = new Set(intent.map(({ code }) => code));
    const findings = [...intent, ...allFindings(plan).filter(({ code }) => !known.has(code))];
    const errors = shown(errorLines(findings));
    if (errors.length > 0) throw this.failure(errors);
    for (const finding of findings) {
      // Pulumi itself waits for its log before the program ends.
      if (finding.severity !== 'error') void pulumi.log[LOG_LEVELS[finding.severity]](shown(findingLine(finding)), this);
    }
  }

  /** What `settle` gives; an intent that it refuses is refused with the component's name. @internal */
  protected settled<T>(settle: () => T): T {
    return settledAt(`${this.title} is refused:`, settle);
  }

  /** Pulumi logs an uncaught ResourceError with its resource, and the preview fails. @internal */
  protected failure(reasons: readonly string[]): pulumi.ResourceError {
    return new pulumi.ResourceError([`${this.title} is refused:`, ...reasons].join('\n  '), this, true);
  }
}

import * as pulumi from '@pulumi/pulumi';
import { formatFindingLine } from '../core/findings/finding';
import type { Finding, Severity } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import { FORMER_TYPE_TOKENS, TYPE_TOKENS, withFormerTypes } from './type-tokens';
import type { RolloutComponentKind } from './type-tokens';
import { withPropAdvice } from '../props/prop-advice';
import { formatOutputPlaceholders } from './opaque-outputs';

/** Log levels of Pulumi. Errors are thrown instead, and Pulumi logs them. */
const LOG_LEVELS = { warning: 'warn', info: 'info' } as const satisfies Partial<Record<Severity, keyof typeof pulumi.log>>;

/**
 * Base class of the components: it has the plan as an output and logs findings to Pulumi.
 *
 * The plan is computed from plain data while the program runs, so `pulumi preview` knows all of it, even if images
 * and similar values are Outputs. Everything is validated before registration: an invalid component never reaches the engine.
 */
export abstract class RolloutComponent extends pulumi.ComponentResource {
  /** The plan document: rollouts with strategy, provenance and simulation, findings, summary. Always known at preview. */
  public abstract readonly plan: pulumi.Output<PlanDocument>;

  /**
   * Registers the component itself, without children, and logs its findings.
   *
   * @param kind the class, which determines the component's type in Pulumi
   * @param findings findings to log, without errors
   */
  protected constructor(kind: RolloutComponentKind, name: string, opts: pulumi.ComponentResourceOptions, findings: readonly Finding[]) {
    super(TYPE_TOKENS[kind], name, {}, withFormerTypes(opts, FORMER_TYPE_TOKENS[kind]));
    for (const finding of findings) {
      // Not awaited: Pulumi waits for its log before the program ends.
      if (finding.severity !== 'error')
        void pulumi.log[LOG_LEVELS[finding.severity]](formatOutputPlaceholders(formatFindingLine(withPropAdvice(finding))), this);
    }
  }
}

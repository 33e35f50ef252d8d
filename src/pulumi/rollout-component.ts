import * as pulumi from '@pulumi/pulumi';
import { formatFindingLine } from '../core/finding';
import type { Finding, Severity } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import { FORMER_TYPE_TOKENS, TYPE_TOKENS, withFormerTypes } from './type-tokens';
import type { RolloutComponentKind } from './type-tokens';
import { formatOutputPlaceholders } from './opaque-outputs';

/** Pulumi's own words; errors are not logged but thrown, and then logged by Pulumi. */
const LOG_LEVELS = { warning: 'warn', info: 'info' } as const satisfies Partial<Record<Severity, keyof typeof pulumi.log>>;

/**
 * What the components share: the plan as an output, and findings that go to Pulumi's log.
 *
 * The plan is made while the program runs, from plain data, so that `pulumi preview` knows it whole whatever Outputs are in images
 * and the like. Everything is settled before the component is registered: one that is refused never reaches the engine.
 */
export abstract class RolloutComponent extends pulumi.ComponentResource {
  /** The plan document: rollouts with strategy, provenance and simulation, findings, summary. Always known at preview. */
  public abstract readonly plan: pulumi.Output<PlanDocument>;

  /**
   * Registers the component itself, without any child, and logs what is to be said of it.
   *
   * @param kind the class, which decides the type that Pulumi knows the component by
   * @param said what was found while it was settled, no errors among it
   */
  protected constructor(kind: RolloutComponentKind, name: string, opts: pulumi.ComponentResourceOptions, findings: readonly Finding[]) {
    super(TYPE_TOKENS[kind], name, {}, withFormerTypes(opts, FORMER_TYPE_TOKENS[kind]));
    for (const finding of findings) {
      // Pulumi itself waits for its log before the program ends.
      if (finding.severity !== 'error')
        void pulumi.log[LOG_LEVELS[finding.severity]](formatOutputPlaceholders(formatFindingLine(finding)), this);
    }
  }
}

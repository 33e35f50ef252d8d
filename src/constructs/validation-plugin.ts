import type { Finding } from '../core/finding';
import type { Product } from '../core/versions';
import { planInput } from '../plan/plan';
import { FILE_KINDS } from '../plan/registry';
import { readFiles } from '../input/read';
import { readPath } from '../input/read-paths';
import { KServePlatformConfig } from './kserve-platform-config';

export type { Product } from '../core/versions';

/** `properties` of the plugin in cdk8s.yaml. */
export interface RolloutValidationProps {
  /** The severity from which a finding is a violation and fails the synth. @default error */
  readonly failOn?: 'error' | 'warning';
  /** The versions of the cluster, e.g. `{ kubernetes: '1.35', kserve: '0.18' }`. @default - kubernetes 1.34, kserve 0.17 */
  readonly versions?: Readonly<Partial<Record<Product, string>>>;
  /** A file with the cluster's ConfigMap `inferenceservice-config`. @default - the one among the manifests, if there is one */
  readonly kserveConfig?: string;
}

/** What the cdk8s CLI hands to a validation plugin, as far as this one uses it (cdk8s-cli `ValidationContext`). */
export interface RolloutValidationContext {
  /** Paths of the files that cdk8s has synthesized, which the plugin reads. */
  readonly manifests: readonly string[];
  /** The CLI's report: violations first, and the verdict at the end. */
  readonly report: {
    /** Takes one violation. */
    addViolation(violation: RolloutViolation): void;
    /** Takes the verdict, with the counts that the report shows. */
    submit(status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>): void;
  };
}

/** One finding in the words of the cdk8s CLI (`ValidationViolation`). */
export interface RolloutViolation {
  /** Code of the finding, such as `kubernetes/quoted-integer`, by which its page in `docs/rules/` is found. */
  readonly ruleName: string;
  /** What was seen and why it matters. */
  readonly recommendation: string;
  /** What to write instead; empty where there is nothing to write. */
  readonly fix: string;
  /** Where it stands: one object. */
  readonly violatingResources: readonly {
    /** Name of the object; empty for what is about no rollout. */
    readonly resourceName: string;
    /** Field path and line: `spec.replicas, line 6`. */
    readonly locations: readonly string[];
    /** The synthesized file; empty where that is not known. */
    readonly manifestPath: string;
  }[];
}

/**
 * A validation plugin for `cdk8s synth`: plans every synthesized manifest, whatever made it,
 * and fails on what a cluster would refuse or what can't finish.
 *
 * It needs no network, and no cdk8s-cli at run time.
 *
 * @example
 * # cdk8s.yaml validations:
 *   - package: ./node_modules/rolloutkit
 *     version: 0.1.0
 *     class: RolloutValidation
 *     properties:
 *       failOn: warning
 */
export class RolloutValidation {
  private readonly violates: readonly Finding['severity'][];

  /**
   * The cdk8s CLI calls this with the `properties` of cdk8s.yaml.
   *
   * @throws Error if `failOn` is neither `error` nor `warning`.
   */
  public constructor(private readonly props: RolloutValidationProps = {}) {
    const failOn: unknown = props.failOn ?? 'error';
    if (failOn !== 'error' && failOn !== 'warning') {
      throw new Error(`rolloutkit: failOn is ${JSON.stringify(failOn)}; write error or warning.`);
    }
    this.violates = failOn === 'error' ? ['error'] : ['error', 'warning'];
  }

  /**
   * Plans the manifests and reports each finding at or above the bar as a violation.
   *
   * @throws VersionError for an unknown product or a version that is none
   * @throws PlatformConfigError for a `kserveConfig` that can't be read or that KServe refuses
   */
  public async validate(context: RolloutValidationContext): Promise<void> {
    const { versions, kserveConfig } = this.props;
    const { objects, findings, files, locations } = readFiles(
      context.manifests.flatMap((manifest) => [...readPath(manifest, process.cwd())]),
      { kinds: FILE_KINDS },
    );
    const options = {
      versions,
      ...(kserveConfig !== undefined && { kserveConfig: KServePlatformConfig.fromFile(kserveConfig).configMap }),
    };
    const plan = planInput({ objects, findings, files, locate: locations.locate, textOf: locations.textOf }, options);

    const violations = [
      ...plan.findings.map((finding) => ({ finding, name: '' })),
      ...plan.rollouts.flatMap((rollout) => rollout.findings.map((finding) => ({ finding, name: rollout.resource.name }))),
    ].filter(({ finding }) => this.violates.includes(finding.severity));
    for (const { finding, name } of violations) context.report.addViolation(violationOf(finding, name));

    const { rollouts, notPlanned, errors, warnings } = plan.summary;
    const counts = {
      Rollouts: String(rollouts),
      'Not planned': String(notPlanned),
      Errors: String(errors),
      Warnings: String(warnings),
    };
    context.report.submit(violations.length > 0 ? 'failure' : 'success', counts);
  }
}

function violationOf({ code, message, help = '', path, source }: Finding, resourceName: string): RolloutViolation {
  const line = source && `line ${source.line}`;
  const location = [path, line].filter(Boolean).join(', ');
  return {
    ruleName: code,
    recommendation: message,
    fix: help,
    violatingResources: [{ resourceName, locations: [location], manifestPath: source?.file ?? '' }],
  };
}

import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import { isFields } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { describeValue } from '../core/display-value';
import { planManifests } from '../plan/plan';
import { INFERENCE_SERVICE_TYPE, buildInferenceService } from '../systems/kserve/manifests';
import {
  mergeIntentIntoPlan,
  findServiceComponent,
  SERVICE_SHAPE,
  buildServicePropPaths,
  UNRESOLVED_SERVICE,
} from '../props/inference-service';
import type { InferenceServiceProps, ResolvedComponent } from '../systems/kserve/types';
import type { KServePlatformConfig } from './kserve-platform-config';
import { failSynthOnDuplicates } from './name-conflicts';
import { createApiObject, tryCreate, planConstruct, validateConstructProps } from './validate-props';
import { createSingleObjectPatchable, failSynthOnPatchErrors, failSynthOnErrors, InvalidPropsError } from './synth-errors';

/** Properties of an `InferenceServiceRollout`. */
export interface InferenceServiceRolloutProps extends Omit<InferenceServiceProps, 'platform'> {
  /** The platform level of the cluster. @default - default mode Standard without rollout defaults */
  readonly platform?: KServePlatformConfig;
}

/** The props, unless their platform is none, as JavaScript can bring it. Another copy of this package may have made it. */
function withValidPlatform(props: InferenceServiceRolloutProps): InferenceServiceRolloutProps {
  const { platform } = props;
  if (platform === undefined || (isFields(platform) && isFields(platform.configMap) && typeof platform.emit === 'function')) return props;
  throw new InvalidPropsError([`platform is ${describeValue(platform)}; give a KServePlatformConfig, as KServePlatformConfig.of makes it`]);
}

/**
 * A KServe InferenceService whose rollout is stated as intent.
 *
 * For each component the levels of configuration are settled in the order that KServe's guide documents:
 * multinode override, the component's own `rollout`, the platform level while its default mode is Standard, 25%.
 * The strategy that wins is written out, so that every version of KServe does what the guide promises;
 * `inheritPlatformDefaults` leaves the levels below the component to the cluster instead.
 *
 * What the API server, KServe's webhook or its controller would refuse, in the props or after patches, fails the synth,
 * which then lists every such error and writes nothing.
 * Warnings are for the plan: `rollouts` and `rolloutkit plan`.
 *
 * @see KServe rollout guide, "Priority Order" and "Rollout Strategy Modes"
 *
 * @example
 * new InferenceServiceRollout(chart, 'iris', {
 *   predictor: {
 *     minReplicas: 4,
 *     model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' },
 *     rollout: Rollout.availability('25%'),
 *   },
 * });
 */
export class InferenceServiceRollout extends Construct {
  private static readonly patchable = createSingleObjectPatchable<InferenceServiceRollout>((construct) => construct.plan());

  /** The InferenceService, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** The predictor's strategy, and who decided it; of a multinode predictor, its head's. */
  public readonly predictor: ResolvedComponent;
  /** The workers' strategy, where the predictor has a `workerSpec`. */
  public readonly worker?: ResolvedComponent;
  /** The transformer's strategy, if there is a transformer. */
  public readonly transformer?: ResolvedComponent;
  /** The explainer's strategy, if there is an explainer. */
  public readonly explainer?: ResolvedComponent;
  /** What is wrong with the intent. Errors among it fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly kserve: string | undefined;
  private readonly platform: KServePlatformConfig | undefined;
  private readonly components: readonly ResolvedComponent[];
  private readonly notes: readonly Finding[];

  /**
   * Settles the strategy of every component, and adds the InferenceService to the chart.
   *
   * @param id of the construct, and the name of the InferenceService unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: InferenceServiceRolloutProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, SERVICE_SHAPE);
    this.kserve = props?.kserve;
    this.platform = props?.platform;
    const resolved = tryCreate(
      this,
      () => undefined,
      () => props && buildInferenceService(id, withValidPlatform(props)),
    );
    const { components, findings, notes } = resolved ?? UNRESOLVED_SERVICE;

    this.apiObject = createApiObject(this, INFERENCE_SERVICE_TYPE, resolved, ({ manifest }) => manifest);
    this.components = components;
    this.notes = notes;
    this.findings = findings;
    this.predictor = findServiceComponent(components, 'predictor')!;
    this.worker = findServiceComponent(components, 'worker');
    this.transformer = findServiceComponent(components, 'transformer');
    this.explainer = findServiceComponent(components, 'explainer');
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, findings, () => buildServicePropPaths(input));
    failSynthOnPatchErrors(this, findings, InferenceServiceRollout.patchable);
  }

  /**
   * How each component will roll out, patches included: the plan document's rollouts, in the order predictor, worker, transformer, explainer.
   *
   * The plan predicts the controller from the emitted object. Where that is the strategy which was settled, its provenance is the settled one,
   * which names every level that lost; where a patch has changed it, the plan's own.
   * On a platform of another mode the first rollout says what the annotation Standard changes, unless the annotation is written by hand.
   */
  public get rollouts(): readonly PlannedRollout[] {
    return mergeIntentIntoPlan(this.plan(), { components: this.components, notes: this.notes }).rollouts;
  }

  private plan(): PlanDocument {
    const { kserve, platform } = this;
    return planConstruct(this, () =>
      planManifests([this.apiObject.toJson()], { versions: { kserve }, ...(platform && { kserveConfig: platform.configMap }) }),
    );
  }
}

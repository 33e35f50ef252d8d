import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import { isFields } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { describeValue } from '../core/text/display-value';
import { planManifests } from '../plan/plan';
import { INFERENCE_SERVICE_TYPE } from '../systems/kserve/manifests';
import {
  findUnservedModels,
  mergeIntentIntoPlan,
  findServiceComponent,
  SERVICE_SHAPE,
  buildServicePropPaths,
  UNRESOLVED_SERVICE,
} from '../props/inference-service';
import type { InferenceServiceProps, ResolvedComponent } from '../systems/kserve/types';
import { buildServiceWithGoals } from '../props/goals';
import type { KServePlatformConfig } from './kserve-platform-config';
import { listSurroundings } from './surroundings';
import { findPodErrorsOf, recordContext } from './app-memory';
import { failSynthOnDuplicates } from './name-conflicts';
import {
  failSynthOnInvalidMetadata,
  createApiObject,
  tryCreate,
  planConstruct,
  throwIfInvalid,
  validateConstructProps,
} from './validate-props';
import { createSingleObjectPatchable, failSynthOnPatchErrors, failSynthOnErrors, InvalidPropsError } from './synth-errors';

/** Properties of an `InferenceServiceRollout`. */
export interface InferenceServiceRolloutProps extends Omit<InferenceServiceProps, 'platform'> {
  /** The platform level of the cluster. @default - default mode Standard without rollout defaults */
  readonly platform?: KServePlatformConfig;
}

/** Returns the props if their platform is valid. It may come from another copy of this package, so its shape is checked, not its class. */
function withValidPlatform(props: InferenceServiceRolloutProps): InferenceServiceRolloutProps {
  const { platform } = props;
  if (platform === undefined || (isFields(platform) && isFields(platform.configMap) && typeof platform.emit === 'function')) return props;
  throw new InvalidPropsError([
    `platform is ${describeValue(platform)}; pass a KServePlatformConfig, such as the result of KServePlatformConfig.of`,
  ]);
}

/**
 * A KServe InferenceService whose rollout is declared as an intent.
 *
 * For each component, the levels of configuration are resolved in the order that KServe's guide documents:
 * multinode override, the component's own `rollout`, the platform level while its default mode is Standard, 25%.
 * The resulting strategy is written out, so that every version of KServe does what the guide documents.
 * With `inheritPlatformDefaults`, the cluster resolves the levels below the component instead.
 *
 * Props or patches that the API server, KServe's webhook or its controller would refuse fail the synth.
 * The synth then lists every such error and writes nothing.
 * The plan reports warnings: `rollouts` and `rolloutkit plan`.
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
  /** Strategy of the predictor and the levels that decided it. For a multinode predictor, that of its head. */
  public readonly predictor: ResolvedComponent;
  /** Strategy of the workers, if the predictor has a `workerSpec`. */
  public readonly worker?: ResolvedComponent;
  /** Strategy of the transformer, if there is one. */
  public readonly transformer?: ResolvedComponent;
  /** Strategy of the explainer, if there is one. */
  public readonly explainer?: ResolvedComponent;
  /** Findings about the intent. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly kserve: string | undefined;
  private readonly platform: KServePlatformConfig | undefined;
  private readonly components: readonly ResolvedComponent[];
  private readonly notes: readonly Finding[];

  /**
   * Resolves the strategy of every component and adds the InferenceService to the chart.
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
      () => {
        if (!props) return undefined;
        throwIfInvalid(findUnservedModels(props));
        return buildServiceWithGoals(id, withValidPlatform(props), {
          ...(props.platform && { kserveConfig: props.platform.configMap }),
          surroundings: () => listSurroundings(this),
        });
      },
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
    if (resolved) this.remember();
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, findings, () => buildServicePropPaths(input));
    failSynthOnInvalidMetadata(this, [this.apiObject], findings);
    failSynthOnPatchErrors(this, findings, InferenceServiceRollout.patchable);
  }

  /**
   * Planned rollouts of the components, patches included, in the order predictor, worker, transformer, explainer.
   *
   * The plan predicts the controller from the emitted object. If a patch has changed the strategy, its provenance is that of the plan.
   * Otherwise it is that of the intent, which lists every overridden level.
   * On a platform with another mode, the first rollout says what the annotation Standard changes, unless the user wrote the annotation.
   */
  public get rollouts(): readonly PlannedRollout[] {
    return mergeIntentIntoPlan(this.plan(), { components: this.components, notes: this.notes }).rollouts;
  }

  /** Remembers the cluster and the intent for the plan of the app. */
  private remember(): void {
    const { kserve, platform, components, notes, apiObject } = this;
    const context = { versions: { kserve }, ...(platform && { kserveConfig: platform.configMap }) };
    recordContext(this, context, {
      findings: () => findPodErrorsOf(this, [apiObject]),
      service: () => ({ name: apiObject.name, namespace: apiObject.metadata.namespace, components, notes }),
    });
  }

  private plan(): PlanDocument {
    const { kserve, platform } = this;
    return planConstruct(this, () =>
      planManifests([this.apiObject.toJson()], { versions: { kserve }, ...(platform && { kserveConfig: platform.configMap }) }),
    );
  }
}

import { suggestAutomaticFix, setField } from '../../../core/suggested-fix';
import { defineMessage, extendRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH } from '../mode';
import type { DeploymentMode } from '../types';
import { configNotStandard } from './config-not-standard';

interface ReplacedModeData {
  /** The mode that the platform gives a service; empty where its ConfigMap has none, which KServe takes for Knative. */
  readonly mode: DeploymentMode | '';
  /** Does the intent ask for a strategy, which no other mode than Standard takes? */
  readonly asksForStrategy: boolean;
}

function describeConsequences(mode: DeploymentMode | ''): string {
  if (mode === 'ModelMesh')
    return 'KServe makes a Deployment of its own for each component, instead of loading the model into the pods of ModelMesh.';
  return (
    'KServe makes a Deployment with a HorizontalPodAutoscaler instead of a Knative Revision, so minReplicas 0 keeps one pod, ' +
    'canaryTrafficPercent is not read, and requests move pod by pod.'
  );
}

/** What annotating a service Standard changes on a platform of another mode. */
export const annotatedStandard = extendRule(configNotStandard, {
  leavesMode: defineMessage<ReplacedModeData>({
    text: ({ mode, asksForStrategy }) =>
      `The default mode of the platform is ${mode || 'not set, so Knative'}, and this service is annotated Standard` +
      `${asksForStrategy ? ', the only mode that takes a strategy' : ', although it asks for no strategy'}: ${describeConsequences(mode)} ` +
      `A service that runs in mode ${mode || 'Knative'} already can't become Standard: KServe refuses the annotation.`,
    help: ({ mode }) =>
      `Write the annotation ${DEPLOYMENT_MODE_ANNOTATION}: Standard to say that this is meant; ` +
      `a service that runs in mode ${mode || 'Knative'} has to be deleted before, and answers nothing until the new one is ready.`,
    suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 'Standard')),
    sample: { mode: 'Knative', asksForStrategy: true },
    variants: [
      { mode: '', asksForStrategy: false },
      { mode: 'ModelMesh', asksForStrategy: true },
    ],
  }),
});

/**
 * Says what a service leaves behind that is annotated Standard on a platform of another mode. Nothing is said once the annotation is written by hand.
 *
 * Source: KServe 0.15.1 to 0.20, inference_service_validation.go, `validateDeploymentMode`.
 */
export function reportAnnotatedStandard(mode: Exclude<DeploymentMode, 'Standard'> | '', asksForStrategy: boolean): Finding {
  const severity = asksForStrategy ? 'info' : 'warning';
  return annotatedStandard.createFinding('leavesMode', { path: DEPLOYMENT_MODE_PATH, data: { mode, asksForStrategy }, severity });
}

import { appendToPath, toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { describeObject } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { validateRuntime } from '../runtime';
import { modelFieldOf } from '../service';
import type { KserveService } from '../service';
import { STANDARD_MODE_ANNOTATION, joinExampleDocuments, renderInferenceService } from './examples';

interface RefusedData {
  /** The error of the controller. */
  readonly reason: string;
}

interface LostData {
  /** `ServingRuntime shop/sklearn` */
  readonly runtime: string;
}

const WITHOUT_RUNTIME = 'Running pods stay, but no change of the service reaches them, and a new service gets no pods.';

function renderRuntime(...spec: readonly string[]): string {
  return `apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata:
  name: sklearn
spec:
${spec.map((line) => `  ${line}\n`).join('')}  supportedModelFormats:
    - name: sklearn
  containers:
    - name: kserve-container
      image: sklearnserver:1
`;
}

const SERVICE = renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], predictor: ['  runtime: sklearn'] });

/** Reports a service without a runtime that supports its model. */
export const noRuntime = defineRule({
  code: 'kserve/no-runtime',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'The ServingRuntime that an InferenceService names is disabled or does not support its model format or protocol. ' +
    'A change that takes away the runtime which KServe selected is a warning, as the cluster may have another one.',
  why:
    'The webhook accepts the service, and the controller does not reconcile it. Running pods stay, but no later change of the service ' +
    'reaches them, and a new service gets no pods. Source: KServe, components/predictor.go, `reconcileModel`.',
  fix: 'Enable the runtime, add the format to its `supportedModelFormats`, or name a runtime that supports the model.',
  example: joinExampleDocuments(SERVICE, renderRuntime('disabled: true')),
  fixedExample: joinExampleDocuments(SERVICE, renderRuntime()),
  messages: {
    refused: defineMessage<RefusedData>({
      text: ({ reason }) => `KServe does not reconcile the service: ${reason}. ${WITHOUT_RUNTIME}`,
      help: () => 'Enable the runtime, add the format to its supportedModelFormats, or name a runtime that supports the model.',
      sample: { reason: 'specified runtime sklearn is disabled' },
    }),
    lost: defineMessage<LostData>({
      text: ({ runtime }) =>
        `KServe selected ${runtime} for the model, and can no longer select it. If the cluster has another runtime for the model, KServe may replace ` +
        `the pods. Otherwise it does not reconcile the service. ${WITHOUT_RUNTIME}`,
      help: () =>
        'Keep the format and autoSelect in the supportedModelFormats of the runtime, or name another runtime in the service first.',
      sample: { runtime: 'ServingRuntime shop/sklearn' },
    }),
  },
});

/** Returns the path of the model of a service. */
export function modelPathOf({ predictor }: KserveService): FieldPath {
  return appendToPath(toFieldPath`spec.predictor`, modelFieldOf(predictor) ?? 'model');
}

/** Reports a runtime that does not support the model of a service that names it. */
export function checkNoRuntime(service: KserveService, runtime: Manifest | undefined): Finding[] {
  const reason = validateRuntime(service, runtime);
  return reason === undefined ? [] : [noRuntime.createFinding('refused', { path: modelPathOf(service), data: { reason } })];
}

/** Reports a service that loses the runtime that KServe selected for it. */
export function reportLostRuntime(service: KserveService, runtime: Manifest): Finding {
  return noRuntime.createFinding('lost', { path: modelPathOf(service), severity: 'warning', data: { runtime: describeObject(runtime) } });
}

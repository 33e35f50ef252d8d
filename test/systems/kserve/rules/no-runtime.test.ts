import { noRuntime } from '../../../../src/systems/kserve/rules/no-runtime';
import { testRule } from '../../../rule-tester';

const service = (model: string) => `---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: iris
  namespace: shop
  annotations: { serving.kserve.io/deploymentMode: Standard }
spec:
  predictor: { minReplicas: 2, model: { ${model} modelFormat: { name: sklearn }, storageUri: s3://models/1 } }
`;

const runtime = (format: string, more = '') => `---
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: { name: sklearn, namespace: shop }
spec:
  ${more}
  containers: [{ name: kserve-container, image: 'server:1' }]
  supportedModelFormats: [{ name: ${format}, autoSelect: true }]
`;

const NAMED = service('runtime: sklearn,');
const SELECTED = service('');
const ENABLED = runtime('sklearn');
const DISABLED = runtime('sklearn', 'disabled: true');

testRule(noRuntime, {
  valid: [
    { name: 'a runtime that supports the model', yaml: NAMED + ENABLED },
    { name: 'a runtime that is not in the input', yaml: NAMED },
    { name: 'a disabled runtime that no service uses', yaml: service('runtime: other,') + DISABLED },
    { name: 'a service that names no runtime, as the cluster may have one', yaml: SELECTED + DISABLED },
    { name: 'an edit of the runtime', old: SELECTED + ENABLED, yaml: SELECTED + runtime('sklearn', 'multiModel: false') },
  ],
  invalid: [
    {
      name: 'a disabled runtime',
      yaml: NAMED + DISABLED,
      findings: [
        {
          messageId: 'refused',
          path: 'spec.predictor.model',
          severity: 'error',
          data: { reason: 'specified runtime sklearn is disabled' },
        },
      ],
    },
    {
      name: 'a runtime that loses the format of a service which only OLD has',
      old: NAMED + ENABLED,
      yaml: runtime('xgboost'),
      findings: [
        {
          messageId: 'refused',
          severity: 'error',
          data: { reason: 'specified runtime sklearn does not support specified framework/version' },
        },
      ],
    },
    {
      name: 'a service that changes together with its runtime, once',
      old: NAMED + ENABLED,
      yaml: NAMED.replace('minReplicas: 2', 'minReplicas: 3') + DISABLED,
      findings: [{ messageId: 'refused', severity: 'error' }],
    },
    {
      name: 'a runtime that KServe selected and that is disabled',
      old: SELECTED + ENABLED,
      yaml: SELECTED + DISABLED,
      findings: [
        { messageId: 'lost', path: 'spec.predictor.model', severity: 'warning', data: { runtime: 'ServingRuntime shop/sklearn' } },
      ],
    },
    {
      name: 'a runtime that KServe selected for a service which only OLD has',
      old: SELECTED + ENABLED,
      yaml: runtime('xgboost'),
      findings: [{ messageId: 'lost', severity: 'warning' }],
    },
  ],
});

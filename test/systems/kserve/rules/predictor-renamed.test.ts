import { predictorRenamed } from '../../../../src/systems/kserve/rules/predictor-renamed';
import { testRule } from '../../../rule-tester';

interface Parts {
  readonly name: string;
  readonly version: number;
  readonly canary?: string;
}

function iris({ name, version, canary }: Parts): string {
  const canaries = `  canary:
    - trafficPercent: 25
      predictor: { name: ${canary}, model: { modelFormat: { name: sklearn }, storageUri: s3://models/2 } }
`;
  return `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: iris
  annotations: { serving.kserve.io/deploymentMode: Standard, serving.kserve.io/autoscalerClass: none }
spec:
  predictor: { name: ${name}, minReplicas: 4, model: { modelFormat: { name: sklearn }, storageUri: s3://models/${version} } }
${canary === undefined ? '' : canaries}`;
}

testRule(predictorRenamed, {
  valid: [
    {
      name: 'the same name',
      old: iris({ name: 'v1', version: 1 }),
      yaml: iris({ name: 'v1', version: 2 }),
      versions: { kserve: '0.20' },
    },
    {
      name: 'a version that drops the name',
      old: iris({ name: 'v1', version: 1 }),
      yaml: iris({ name: 'v2', version: 2 }),
      versions: { kserve: '0.19' },
    },
  ],
  invalid: [
    {
      name: 'another name: the Deployment with the old one is deleted',
      old: iris({ name: 'v1', version: 1 }),
      yaml: iris({ name: 'v2', version: 2 }),
      versions: { kserve: '0.20' },
      findings: [
        {
          messageId: 'renamed',
          severity: 'warning',
          path: 'spec.predictor.name',
          data: { from: 'iris-v1-predictor', to: 'iris-v2-predictor' },
        },
      ],
    },
    {
      name: 'the name of a canary, whose pod alone serves at first',
      old: iris({ name: 'v1', version: 1, canary: 'v2' }),
      yaml: iris({ name: 'v2', version: 2 }),
      versions: { kserve: '0.20' },
      findings: [{ messageId: 'renamed', data: { from: 'iris-v1-predictor', to: 'iris-v2-predictor', canary: 'canary/v2', pods: 1 } }],
    },
  ],
});

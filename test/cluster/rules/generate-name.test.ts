import { generateName } from '../../../src/cluster/rules/generate-name';
import { testRule } from '../../rule-tester';

const job = (annotations = '{}') => `apiVersion: batch/v1
kind: Job
metadata: { generateName: migrate-, annotations: ${annotations} }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: app, image: "app:1" }] } } }
`;

testRule(generateName, {
  valid: [
    { name: 'a hook of Argo CD, which creates it at each sync', yaml: job('{ argocd.argoproj.io/hook: PreSync }') },
    {
      name: 'a custom resource that no plan reads',
      yaml: 'apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: { generateName: build- }\n',
    },
  ],
  invalid: [
    {
      name: 'a Job, which may be meant for kubectl create',
      yaml: job(),
      findings: [{ messageId: 'refused', severity: 'warning', data: { kind: 'Job', generateName: 'migrate-', tool: 'kubectl apply' } }],
    },
  ],
});

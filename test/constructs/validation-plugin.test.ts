import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ValidationContext } from 'cdk8s-cli/plugins';
import type { Validation } from 'cdk8s-cli/plugins';
import { RolloutValidation } from '../../src/constructs/validation-plugin';
import type { RolloutValidationProps } from '../../src/constructs/validation-plugin';

const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  selector:
    matchLabels:
      app: web
  strategy:
    rollingUpdate:
      maxSurge: "1"
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: web:2
          ports:
            - containerPort: 8080
`;

/** Runs the plugin as the cdk8s CLI does, over one synthesized file. */
async function report(yaml: string, props?: RolloutValidationProps) {
  const file = path.join(folder, 'shop.k8s.yaml');
  writeFileSync(file, yaml);
  const context = new ValidationContext([file], 'rolloutkit', '0.1.0');
  const plugin: Validation = new RolloutValidation(props);
  await plugin.validate(context);
  return JSON.parse(JSON.stringify(context.report.toJson(), sentenceOut).replaceAll(`${folder}/`, 'dist/')) as unknown;
}

/** The report without the sentences of findings, which are their rules' to say. */
function sentenceOut(key: string, value: unknown): unknown {
  return key === 'recommendation' || key === 'fix' ? typeof value : value;
}

test('what the API server would refuse is a violation and fails the synth', async () => {
  expect(await report(WEB)).toMatchInlineSnapshot(`
{
  "summary": {
    "metadata": {
      "Errors": "1",
      "Not planned": "0",
      "Rollouts": "1",
      "Warnings": "0",
    },
    "plugin": "rolloutkit",
    "status": "failure",
    "version": "0.1.0",
  },
  "title": "Validation Report (rolloutkit@0.1.0)",
  "violations": [
    {
      "fix": "string",
      "recommendation": "string",
      "ruleName": "kubernetes/quoted-integer",
      "violatingConstructs": [
        {
          "locations": [
            "spec.strategy.rollingUpdate.maxSurge, line 12",
          ],
          "manifestPath": "dist/shop.k8s.yaml",
          "resourceName": "web",
        },
      ],
    },
  ],
}
`);
});

test('a warning passes', async () => {
  expect(await report(WEB.replace('"1"', '1'))).toMatchInlineSnapshot(`
{
  "summary": {
    "metadata": {
      "Errors": "0",
      "Not planned": "0",
      "Rollouts": "1",
      "Warnings": "1",
    },
    "plugin": "rolloutkit",
    "status": "success",
    "version": "0.1.0",
  },
  "title": "Validation Report (rolloutkit@0.1.0)",
  "violations": [],
}
`);
});

test('a warning fails where cdk8s.yaml says failOn: warning', async () => {
  expect(await report(WEB.replace('"1"', '1'), { failOn: 'warning' })).toMatchInlineSnapshot(`
{
  "summary": {
    "metadata": {
      "Errors": "0",
      "Not planned": "0",
      "Rollouts": "1",
      "Warnings": "1",
    },
    "plugin": "rolloutkit",
    "status": "failure",
    "version": "0.1.0",
  },
  "title": "Validation Report (rolloutkit@0.1.0)",
  "violations": [
    {
      "fix": "string",
      "recommendation": "string",
      "ruleName": "kubernetes/no-readiness-probe",
      "violatingConstructs": [
        {
          "locations": [
            "spec.template.spec.containers[0].readinessProbe, line 20",
          ],
          "manifestPath": "dist/shop.k8s.yaml",
          "resourceName": "web",
        },
      ],
    },
  ],
}
`);
});

test('versions come from cdk8s.yaml', async () => {
  await expect(report(WEB, { versions: { kubernetes: 'latest' } })).rejects.toThrow(
    '"latest" is not a version: write it as 1.34 or 1.34.2',
  );
});

test('the cluster’s KServe configuration comes from a file', async () => {
  const kserveConfig = path.join(folder, 'inferenceservice-config.json');
  writeFileSync(kserveConfig, '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "1"}}}');
  const service = 'apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: iris}\nspec: {predictor: {model: {}}}\n';

  expect(await report(service, { kserveConfig })).toMatchObject({
    violations: [{ ruleName: 'kserve/config-quoted-integer' }],
    summary: { status: 'failure' },
  });
  expect(await report(service)).toMatchObject({ violations: [], summary: { status: 'success' } });
});

test('a document that is torn is one violation, and the rest is checked', async () => {
  expect(await report(`a: [\n---\n${WEB}`)).toMatchObject({
    violations: [{ ruleName: 'input/unreadable' }, { ruleName: 'kubernetes/quoted-integer' }],
    summary: { status: 'failure' },
  });
});

test('another word for failOn is refused', () => {
  // @ts-expect-error YAML is not type-checked
  expect(() => new RolloutValidation({ failOn: 'info' })).toThrow('rolloutkit: failOn is "info"; write error or warning.');
});

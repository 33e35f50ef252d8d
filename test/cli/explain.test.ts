import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';
import { withoutProse } from './prose';
import { expectValidExplanation } from '../plan-schema';
import type { Explanation } from '../../src/core/document/explanation';

const IRIS = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: iris
  namespace: models
spec:
  predictor:
    minReplicas: 4
    deploymentStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: "50%", maxUnavailable: 0}}
    model: {modelFormat: {name: sklearn}, storageUri: "s3://bucket/model"}
  transformer:
    containers: [{name: kserve-container, image: "transformer:1"}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: kserve
data:
  deploy: |
    {"defaultDeploymentMode": "Standard",
     "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "10%", "maxUnavailable": "10%"}}}
`;

describe('rolloutkit explain omits what exceeds the output budget, since each refused rollout lists all errors of its system', () => {
  const COUNT = 300;
  const repeat = (text: string) => Array.from({ length: COUNT }, (_, index) => text.replaceAll('#', String(index))).join('---\n');
  const files = {
    'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inferenceservice-config, namespace: kserve}\ndata: {deploy: "{"}\n',
    'services.yaml': repeat(IRIS.split('---\n')[0]!.replace('name: iris', 'name: iris-#')),
    'budgets.yaml': repeat('apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a-#}\nspec: {minAvailable: true}\n'),
  };

  test.each(['text', 'json'])('as %s', async (format) => {
    const { stdout } = await rolloutkit(`explain . --format ${format} --budget output-megabytes=1`, { files });
    expect(/The plan omits (\d+) rollouts .* it would be larger than 1 megabyte\./.exec(stdout)?.[1]).toBe('294');
    expect(stdout.length).toBeLessThan(2_000_000);
  });

  test('one resource is explained with all of them', async () => {
    const { stdout, stderr } = await rolloutkit(
      'explain . --resource InferenceService/models/iris-7 --format json --budget output-megabytes=1',
      { files },
    );
    const { rollouts } = JSON.parse(stdout) as Explanation;
    expect([rollouts.length, rollouts[0]!.noStrategy!.findings.length, stderr]).toEqual([1, COUNT + 1, '']);
  });
});

describe('rolloutkit explain', () => {
  test('shows the levels of every field as a table: the winner is marked, and each other level has its value and the reason', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit('explain iris.yaml --resource InferenceService/models/iris', {
      files: { 'iris.yaml': IRIS },
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
"InferenceService models/iris predictor (kserve)

type
   LEVEL           VALUE          RESULT
>  user            RollingUpdate  decides: The deploymentStrategy of the component replaces every lower level entirely.
   kserve-default  RollingUpdate  the component has a deploymentStrategy, which KServe copies entirely

maxSurge
   LEVEL            VALUE  RESULT
>  user             50%    decides: The deploymentStrategy of the component replaces every lower level entirely.
   platform-config  10%    the component has a deploymentStrategy, which KServe copies entirely
   kserve-default   25%    the component has a deploymentStrategy, which KServe copies entirely

maxUnavailable
   LEVEL            VALUE  RESULT
>  user             0      decides: The deploymentStrategy of the component replaces every lower level entirely.
   platform-config  10%    the component has a deploymentStrategy, which KServe copies entirely
   kserve-default   25%    the component has a deploymentStrategy, which KServe copies entirely

InferenceService models/iris transformer (kserve)

type
   LEVEL           VALUE          RESULT
>  kserve-default  RollingUpdate  decides: No higher level decides.

maxSurge
   LEVEL            VALUE  RESULT
>  platform-config  10%    decides: The component has no deploymentStrategy, and the default deployment mode is Standard.
   kserve-default   25%    the ConfigMap has rollout defaults, which take precedence

maxUnavailable
   LEVEL            VALUE  RESULT
>  platform-config  10%    decides: The component has no deploymentStrategy, and the default deployment mode is Standard.
   kserve-default   25%    the ConfigMap has rollout defaults, which take precedence
"
`);
  });

  test('explains one component and one field on request', async () => {
    const { stdout } = await rolloutkit('explain iris.yaml --resource inferenceservice/iris --component transformer --field maxSurge', {
      files: { 'iris.yaml': IRIS },
    });
    expect(stdout).toMatchInlineSnapshot(`
"InferenceService models/iris transformer (kserve)

maxSurge
   LEVEL            VALUE  RESULT
>  platform-config  10%    decides: The component has no deploymentStrategy, and the default deployment mode is Standard.
   kserve-default   25%    the ConfigMap has rollout defaults, which take precedence
"
`);
  });

  test('reports that no level decides if the strategy is refused, and why', async () => {
    const { exitCode, stdout } = await withoutProse('explain web.yaml --resource Deployment/quoted', { files: { 'web.yaml': QUOTED } });
    expect(exitCode).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
"Deployment shop/quoted (kubernetes)

No level decides: there is no strategy.

error  kubernetes/quoted-integer  web.yaml:9:30  spec.strategy.rollingUpdate.maxSurge
  <numberOrPercent>
  fix: <numberOrPercent: fix>
"
`);
  });

  test('reports the same for an InferenceService, whose levels are not read then', async () => {
    const refused = IRIS.replace('maxSurge: "50%"', 'maxSurge: "1"');
    const { stdout } = await withoutProse('explain iris.yaml --resource InferenceService/iris --component predictor', {
      files: { 'iris.yaml': refused },
    });
    expect(stdout).toMatchInlineSnapshot(`
"InferenceService models/iris predictor (kserve)

No level decides: there is no strategy.

error  kubernetes/quoted-integer  iris.yaml:9:63  spec.predictor.deploymentStrategy.rollingUpdate.maxSurge
  <numberOrPercent>
  fix: <numberOrPercent: fix>
"
`);
  });

  test.each([[''], ['--field maxSurge']])('names the info with the reason if nothing is wrong: %s', async (field) => {
    const modelMesh = IRIS.replace(
      '  name: iris\n',
      '  name: iris\n  annotations: {serving.kserve.io/deploymentMode: ModelMesh}\n',
    ).replace(/ {4}deploymentStrategy.*\n/, '');
    const { exitCode, stdout } = await withoutProse(`explain iris.yaml --resource InferenceService/iris ${field}`, {
      files: { 'iris.yaml': modelMesh },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`InferenceService models/iris (kserve)

No level decides: there is no strategy.

info  kserve/no-deployment  iris.yaml:5:17  metadata.annotations[serving.kserve.io/deploymentMode]
  <mode>
  fix: <mode: fix>
`);
  });

  test('reports that a Revision has no strategy', async () => {
    const knative = IRIS.replace('  name: iris\n', '  name: iris\n  annotations: {serving.kserve.io/deploymentMode: Knative}\n').replace(
      / {4}deploymentStrategy.*\n/,
      '',
    );
    const { stdout } = await withoutProse('explain iris.yaml --resource InferenceService/iris --component predictor', {
      files: { 'iris.yaml': knative },
    });
    expect(stdout).toBe(`InferenceService models/iris predictor (kserve)

No level decides: Knative has no strategy. It replaces the entire Revision.
`);
  });

  test('names the error in the ConfigMap if that is the reason', async () => {
    const bare = IRIS.replace('"maxSurge": "10%"', '"maxSurge": 1');
    const { stdout } = await withoutProse('explain iris.yaml --resource InferenceService/iris --component transformer', {
      files: { 'iris.yaml': bare },
    });
    expect(stdout).toMatchInlineSnapshot(`
"InferenceService models/iris (kserve)

No level decides: there is no strategy.

error  kserve/config-bare-number  iris.yaml:20:3  ConfigMap kserve/inferenceservice-config data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge
  <unparsed>
  fix: <unparsed: fix>
"
`);
  });

  test('keeps the quotes of an overridden number in quotes', async () => {
    const quoted = IRIS.replace('"maxSurge": "10%"', '"maxSurge": "1"');
    const { stdout } = await rolloutkit('explain iris.yaml --resource InferenceService/iris --component predictor --field maxSurge', {
      files: { 'iris.yaml': quoted },
    });
    expect(stdout).toMatchInlineSnapshot(`
"InferenceService models/iris predictor (kserve)

maxSurge
   LEVEL            VALUE  RESULT
>  user             50%    decides: The deploymentStrategy of the component replaces every lower level entirely.
   platform-config  "1"    the component has a deploymentStrategy, which KServe copies entirely
   kserve-default   25%    the component has a deploymentStrategy, which KServe copies entirely
"
`);
  });
});

describe('without --resource, rolloutkit explain', () => {
  const RAY_CLUSTER = 'apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: a}\n';

  test('explains every rollout in input order, then lists what is not planned and the findings about no rollout', async () => {
    const files = { 'all/a.yaml': WEB, 'all/b.yaml': RAY_CLUSTER, 'all/c.yaml': 'kind: [\n' };
    const { exitCode, stdout, stderr } = await withoutProse('explain all --field maxSurge', { files });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
"Deployment shop/web (kubernetes)

maxSurge
   LEVEL  VALUE  RESULT
>  user   3      decides: spec.strategy.rollingUpdate.maxSurge is set.

not planned: 1 RayCluster (ray.io)

error  input/unreadable  all/c.yaml:1:7
  <document>
  fix: <document: fix>
"
`);
  });

  test('omits rollouts without the requested field or component', async () => {
    const files = { 'web.yaml': WEB, 'iris.yaml': IRIS };
    const explainedBy = async (options: string) => {
      const { stdout } = await rolloutkit(`explain web.yaml iris.yaml ${options} --format json`, { files });
      const { rollouts } = expectValidExplanation(JSON.parse(stdout) as Explanation);
      return rollouts.map(({ resource, provenance }) => [resource.kind, resource.component, provenance.map(({ field }) => field).join()]);
    };
    expect(await explainedBy('')).toEqual([
      ['Deployment', undefined, 'type,maxSurge,maxUnavailable'],
      ['InferenceService', 'predictor', 'type,maxSurge,maxUnavailable'],
      ['InferenceService', 'transformer', 'type,maxSurge,maxUnavailable'],
    ]);
    expect(await explainedBy('--component transformer --field maxUnavailable')).toEqual([
      ['InferenceService', 'transformer', 'maxUnavailable'],
    ]);
  });

  test('reports that there is no rollout, and why', async () => {
    const { exitCode, stdout } = await withoutProse('explain .', { files: { 'a.yaml': RAY_CLUSTER } });
    expect([exitCode, stdout]).toEqual([0, 'no rollouts\n\nnot planned: 1 RayCluster (ray.io)\n']);
  });
});

describe('rolloutkit explain --format json', () => {
  async function explanationOf(args: string, files: Readonly<Record<string, string>>): Promise<Explanation> {
    const { exitCode, stdout, stderr } = await rolloutkit(`explain ${args} --format json`, { files });
    expect([exitCode, stderr]).toEqual([0, '']);
    return expectValidExplanation(JSON.parse(stdout) as Explanation);
  }

  test('contains the levels of each field, as in the plan document', async () => {
    const args = 'iris.yaml --resource InferenceService/iris --component transformer --field maxSurge';
    expect(await explanationOf(args, { 'iris.yaml': IRIS })).toEqual({
      formatVersion: '1.2',
      rollouts: [
        {
          system: 'kserve',
          resource: {
            apiVersion: 'serving.kserve.io/v1beta1',
            kind: 'InferenceService',
            namespace: 'models',
            name: 'iris',
            component: 'transformer',
          },
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: '10%' } },
          provenance: [
            {
              field: 'maxSurge',
              value: '10%',
              layer: 'platform-config',
              reason: expect.any(String),
              overridden: [{ layer: 'kserve-default', value: '25%', reason: expect.any(String) }],
            },
          ],
        },
      ],
    });
  });

  test('contains the findings that explain why there is no strategy', async () => {
    const { rollouts } = await explanationOf('web.yaml --resource Deployment/quoted', { 'web.yaml': QUOTED });
    expect(rollouts).toMatchObject([
      {
        strategy: null,
        provenance: [],
        noStrategy: {
          because: 'findings',
          findings: [{ code: 'kubernetes/quoted-integer', severity: 'error', path: 'spec.strategy.rollingUpdate.maxSurge' }],
        },
      },
    ]);
  });

  test('reports that a Revision has no strategy', async () => {
    const knative = IRIS.replace('  name: iris\n', '  name: iris\n  annotations: {serving.kserve.io/deploymentMode: Knative}\n').replace(
      / {4}deploymentStrategy.*\n/,
      '',
    );
    const { rollouts } = await explanationOf('iris.yaml --component predictor', { 'iris.yaml': knative });
    expect(rollouts).toMatchObject([{ strategy: null, noStrategy: { because: 'revision', findings: [] } }]);
  });

  test('contains what is not planned and the findings about no rollout', async () => {
    const files = { 'all/a.yaml': 'apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: a}\n', 'all/b.yaml': 'kind: [\n' };
    expect(await explanationOf('all', files)).toMatchObject({
      rollouts: [],
      notPlanned: [{ apiVersion: 'ray.io/v1', kind: 'RayCluster', count: 1 }],
      findings: [{ code: 'input/unreadable', severity: 'error' }],
    });
  });
});

describe('exit code 2, with nothing on standard output, for', () => {
  const files = {
    'all.yaml': `${WEB}---\n${withStrategy('{}', 'api')}---\n${WEB.replace('namespace: shop', 'namespace: bank')}---\n${IRIS}`,
  };

  test.each([
    [
      '--resource Deployment/wep',
      'there is no Deployment/wep among the rollouts; the closest are Deployment/shop/web, Deployment/bank/web, Deployment/shop/api, InferenceService/models/iris',
    ],
    [
      '--resource StatefulSet/shop/web',
      'there is no StatefulSet/shop/web among the rollouts; the closest are Deployment/shop/web, Deployment/shop/api, Deployment/bank/web, InferenceService/models/iris',
    ],
    ['--resource Deployment/web', 'Deployment/web matches Deployment/shop/web, Deployment/bank/web; write one of them'],
    ['--resource web', '--resource takes KIND/NAME or KIND/NAMESPACE/NAME, not "web"; write for example Deployment/shop/web'],
    [
      '--resource Deployment/a/b/c',
      '--resource takes KIND/NAME or KIND/NAMESPACE/NAME, not "Deployment/a/b/c"; write for example Deployment/shop/web',
    ],
    [
      '--resource InferenceService/iris --component worker',
      'InferenceService/models/iris has no component "worker"; write one of predictor, transformer',
    ],
    [
      '--resource Deployment/api --component predictor',
      'Deployment/shop/api has no component "predictor", nor any other; omit --component',
    ],
    ['--resource Deployment/api --field surge', 'Deployment/shop/api has no field "surge"; write one of type, maxSurge, maxUnavailable'],
    ['--component worker', 'the input has no component "worker"; write one of predictor, transformer'],
    ['--field surge', 'the input has no field "surge"; write one of type, maxSurge, maxUnavailable'],
    ['--format yaml', '--format yaml is not supported; write one of text, json'],
  ])('%s', async (options, message) => {
    expect(await rolloutkit(`explain all.yaml ${options}`, { files })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `rolloutkit: ${message}\n`,
    });
  });

  test('a resource if there is no rollout at all', async () => {
    expect(await rolloutkit('explain . --resource Deployment/web')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'rolloutkit: there is no Deployment/web: the input contains no rollout\n',
    });
  });
});

/** Values of the right type that no controller follows: known ones fail before anything is registered, and later ones once they are known. */
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import {
  ApplicationSetRollout,
  DaemonSetPolicy,
  FleetBundle,
  InferenceServiceRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  Rollout,
} from 'rolloutkit/pulumi';
import { model } from '../builders/served-model';
import { withoutPlaces } from '../constructs/synth-error';
import { run } from './program';

const checkout = path.join(__dirname, '../..');

async function errorOf(program: () => unknown, preview = true): Promise<string> {
  try {
    await run(program, { preview });
  } catch (error) {
    return withoutPlaces((error as Error).message);
  }
  return 'nothing: the program ran';
}

const steps = [{ match: { env: 'dev' }, maxUpdate: 1 }];
const generators = [{ clusters: {} }];
const template = {
  metadata: { name: '{{name}}', labels: { env: '{{metadata.labels.env}}' } },
  spec: { project: 'default', destination: { server: '{{server}}' } },
};

test.each<[value: string, program: () => unknown, message: string]>([
  [
    'a share of requests above 100',
    () => new InferenceServiceRollout('it', { predictor: { model, canaryTrafficPercent: 200 } }),
    'InferenceServiceRollout "it" is refused:\n  predictor.canaryTrafficPercent is 200, which is no share of the requests; write a whole number from 0 to 100',
  ],
  [
    'an unknown order of deletion',
    () => new ApplicationSetRollout('it', { generators, template, steps, deletionOrder: 'reverse' as 'Reverse' }),
    'ApplicationSetRollout "it" is refused:\n  deletionOrder is "reverse", which the controller reads as AllAtOnce; write AllAtOnce or Reverse',
  ],
  [
    'a path as the inventory',
    () => new ApplicationSetRollout('it', { generators, template, steps, inventory: 'clusters.yaml' as never }),
    'ApplicationSetRollout "it" is refused: inventory is "clusters.yaml"; pass the result of Inventory.of or Inventory.fromFile',
  ],
  [
    'a share of clusters below 0',
    () => new FleetBundle('it', { targets: [{ clusterSelector: {} }], rollout: { maxUnavailable: '-5%' } }),
    'FleetBundle "it" is refused:\n  rollout.maxUnavailable is "-5%", which is no share of the clusters; write a whole number of at least 0, or a percentage from "0%" to "100%"',
  ],
  [
    'no GPU for a layer',
    () => new LLMInferenceServiceRollout('it', { model: { uri: 'hf://a/b' }, parallelism: { tensor: 0 } }),
    'LLMInferenceServiceRollout "it" is refused:\n  parallelism.tensor is 0, which the API server refuses; write a whole number of at least 1',
  ],
  [
    'nodes below 0',
    () => new DaemonSetPolicy('it', { policy: { maxUnavailable: 1, nodes: -1 } as never, workloads: [] }),
    'DaemonSetPolicy "it" is refused:\n  policy.nodes is -1, which is no number of nodes; write a whole number of at least 1',
  ],
  [
    'a resource with a name in upper case',
    () =>
      new OperatorRollingUpdate('it', {
        resource: { apiVersion: 'a.example/v1', kind: 'Db', metadata: { name: 'DB' }, spec: {} },
        replicas: 5,
        strategy: Rollout.recreate(),
      }),
    'OperatorRollingUpdate "it" is refused:\n  [kubernetes/invalid-workload] resource.metadata.name: name is "DB", which is not a DNS name (lower-case letters, digits, hyphens and dots, a letter or digit at both ends of each part): the API server refuses it. Write a value such as web-1.shop.',
  ],
])('%s fails the preview', async (_value, program, message) => {
  expect(await errorOf(program)).toBe(message);
});

/** Runs a program in a process of its own, because Pulumi ends the process when an Output fails. Returns what it prints. */
function outputOf(program: string): string {
  const script = `
    const pulumi = require('@pulumi/pulumi');
    const { InferenceServiceRollout } = require('./lib/pulumi');
    const later = pulumi.output;
    const model = ${JSON.stringify(model)};
    pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: 'id', state: inputs }), call: () => ({}) }, 'shop', 'dev');
    ${program}`;
  return spawnSync(process.execPath, ['-e', script], { cwd: checkout, encoding: 'utf8' }).stderr;
}

test.each<[value: string, args: string, line: string]>([
  [
    'a namespace in upper case',
    "{ metadata: { namespace: later('UP') }, predictor: { model } }",
    'metadata.namespace became "UP", which the API server refuses; write a DNS label (lower-case letters, digits and hyphens, a letter or digit at both ends), such as web-1',
  ],
  [
    'a label with a space',
    "{ metadata: { labels: { team: later('a b') } }, predictor: { model } }",
    'metadata.labels.team became "a b", which the API server refuses; write a label value (letters, digits, hyphens, underscores and dots, a letter or digit at both ends, or nothing), such as web_1.2',
  ],
  [
    'an image whose tag is not set',
    "{ predictor: { containers: [{ name: 'a', image: pulumi.interpolate`server:${undefined}` }] } }",
    'predictor.containers[0].image became "server:undefined", which the API server refuses; write an image',
  ],
])('an Output that becomes %s fails as soon as it is known, and names the component and the prop', (_value, args, line) => {
  const said = outputOf(`new InferenceServiceRollout('it', ${args});`);
  expect(said).toContain('InferenceServiceRollout "it" is refused');
  expect(said).toContain(`  ${line}\n`);
});

test('an Output that becomes a valid value is registered, and remains a secret', async () => {
  const { resources } = await run(
    () => new InferenceServiceRollout('it', { metadata: { namespace: pulumi.secret('shop') }, predictor: { model } }),
    { preview: false },
  );
  expect(resources[1]!.inputs).toMatchObject({
    metadata: { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', value: { namespace: 'shop' } },
  });
});

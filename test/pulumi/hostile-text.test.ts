/** A terminal or a CI log never interprets the text of an arg or a name as a command, whatever Pulumi prints. */
import type { PolicyResource, StackValidationArgs } from '@pulumi/policy';
import { FleetBundle, InferenceServiceRollout } from 'rolloutkit/pulumi';
import { guardrailPolicy, rolloutPolicies } from 'rolloutkit/pulumi-policy';
import { run } from './program';

const HOSTILE = 'x\n::error::y ##vso[task] \u202e\u2800';
const OBEYED = /^ *::|##(?:vso)?\[|[\u202e\u2800]/m;

async function refusal(program: () => unknown): Promise<string> {
  try {
    await run(program);
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing: it was registered';
}

test('the error of a refused component, with its name and the prop', async () => {
  const said = await refusal(
    () => new InferenceServiceRollout(HOSTILE, { predictor: { model: { modelFormat: { name: 'a' } }, minReplicas: HOSTILE as never } }),
  );
  expect(said.replaceAll(/created at [^)]*/g, 'created at …')).toMatchInlineSnapshot(`
"InferenceServiceRollout "x\\n::error::y \\u0023#vso[task] \\u202e\\u2800" is refused (created at …):
  [input/wrong-type] predictor.minReplicas: minReplicas is "x\\n::error::y \\u0023#vso[task] \\u202e\\u2800", but the API requires a whole number here and refuses the entire object. Write a whole number."
`);
});

test('the log of a registered component', async () => {
  const { logged } = await run(
    () =>
      new FleetBundle('shop', {
        targets: [{ clusterSelector: {} }],
        rollout: { partitions: [{ name: HOSTILE, clusterSelector: { matchLabels: { env: 'none' } } }] },
        inventory: { clusters: [{ name: 'one', labels: { env: 'dev' } }], groups: [] },
        resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
      }),
  );
  expect(logged.join('\n')).toContain('::error::');
  expect(logged.filter((line) => OBEYED.test(line))).toEqual([]);
});

test('the reports of the policies about a resource', () => {
  const props = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      strategy: { type: HOSTILE },
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: HOSTILE, image: 'a' }] } },
    },
  };
  const resource = {
    type: 'kubernetes:apps/v1:Deployment',
    name: 'web',
    urn: 'urn:pulumi:dev::shop::web',
    props,
  } as unknown as PolicyResource;
  const reported = [...rolloutPolicies(), guardrailPolicy({ neverBelow: { available: '75%' } })].flatMap(({ validateStack }) => {
    const messages: string[] = [];
    void validateStack({ resources: [resource], getConfig: () => ({}) } as unknown as StackValidationArgs, (message) =>
      messages.push(message),
    );
    return messages;
  });
  expect(reported.join('\n')).toContain('::error::');
  expect(reported.filter((message) => OBEYED.test(message))).toEqual([]);
});

/** A rule of a CRD has one finding, in however many places the CRD is. */
import { rolloutkit } from '../cli/command-line';
import type { Finding } from '../../src/core/findings/finding';

function crd(rule: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: foos.x.io }
spec:
  group: x.io
  scope: Namespaced
  names: { plural: foos, singular: foo, kind: Foo, listKind: FooList }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{ rule: ${JSON.stringify(rule)} }]
            properties:
              s: { type: string }
`;
}

const FOO = 'apiVersion: x.io/v1\nkind: Foo\nmetadata: { name: f, namespace: n }\nspec: { s: aaaa }\n';

/** Returns the exit code and the findings of a command. */
async function run(
  args: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly [exitCode: number, findings: readonly string[]]> {
  const { exitCode, stdout } = await rolloutkit(`${args} --format json`, { files });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return [exitCode, findings.map(({ severity, code }) => `${severity} ${code}`)];
}

describe('a rule that is not evaluated is reported once', () => {
  const RULE = 'format.uri().validate(self.s).value().size() > 0';

  test.each(['check --crds a/crd.yaml a', 'plan --crds a/crd.yaml a', 'check --crds a/crd.yaml --from old a'])(
    'if it is in the input and in --crds: %s',
    async (args) => {
      const files = { 'old/crd.yaml': crd('true'), 'a/crd.yaml': crd(RULE), 'a/foo.yaml': FOO };
      expect(await run(args, files)).toEqual([0, ['info crds/rule-not-evaluated']]);
    },
  );

  test('if two folders with a kustomization have it', async () => {
    const folder = (name: string) => ({
      [`${name}/kustomization.yaml`]: 'resources: [crd.yaml, foo.yaml]\n',
      [`${name}/crd.yaml`]: crd(RULE),
      [`${name}/foo.yaml`]: FOO,
    });
    expect(await run('check .', { ...folder('a'), ...folder('b') })).toEqual([0, ['info crds/rule-not-evaluated']]);
  });
});

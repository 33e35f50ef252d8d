/** What a change says about objects that the API server refuses: by a CRD of --crds or of NEW, and if OLD is a plan document. */
import type { Finding } from '../../src/core/findings/finding';
import { rolloutkit } from '../cli/command-line';

test('a rule of --crds that is not evaluated hides no rule of a CRD of NEW', async () => {
  const crd = (kind: string, rule: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.shop.example }
spec:
  group: shop.example
  scope: Namespaced
  names: { plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()}, kind: ${kind} }
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
              properties: { items: { type: array, items: { type: integer } } }
              x-kubernetes-validations: [{ rule: "${rule}" }]
`;
  const object = (kind: string) => `apiVersion: shop.example/v1\nkind: ${kind}\nmetadata: { name: a }\nspec: { items: [1] }\n`;
  const files = {
    'crds.yaml': crd('Gadget', "format.uri().validate('a').value() == []"),
    'old/a.yaml': object('Gadget'),
    'new/a.yaml': object('Gadget'),
    'new/b.yaml': object('Box'),
    'new/crd.yaml': crd('Box', "format.uri().validate('b').value() == []"),
  };
  const { stdout } = await rolloutkit('check --from old new --crds crds.yaml --format json', { files });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  expect(findings.map(({ code, data }) => [code, data.crd])).toEqual([
    ['crds/rule-not-evaluated', 'boxs.shop.example'],
    ['crds/rule-not-evaluated', 'gadgets.shop.example'],
  ]);
});

test('an object of NEW that the API server refuses is an error if OLD is a plan document, unless OLD has it too', async () => {
  const config = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;
  const check = async (old: string) => {
    const { stdout: plan } = await rolloutkit('plan old.yaml --format json', { files: { 'old.yaml': config(old) } });
    const { exitCode, stdout } = await rolloutkit('check --from plan.json new.yaml', {
      files: { 'plan.json': plan, 'new.yaml': config('A_') },
    });
    return [exitCode, stdout.split('\n').filter((line) => line.startsWith('error') || line.startsWith('not listed'))];
  };
  expect(await check('a')).toEqual([1, ['error  kubernetes/refused-object  new.yaml:3:13  metadata.name']]);
  expect(await check('A_')).toEqual([0, ['not listed, because the change does not touch their objects: 1 error']]);
});

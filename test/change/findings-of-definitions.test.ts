/** What a change says about rules of CRDs that --crds names and that NEW contains. */
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
    'new/crd.yaml': crd('Box', 'self.items.all(x, self.items.all(y, x == y))'),
  };
  const { exitCode, stdout } = await rolloutkit('check --from old new --crds crds.yaml', { files });
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('error  crds/rule-not-evaluated')]);
});

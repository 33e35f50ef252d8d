import { CrdRegistry } from '../../src/crds/crd-registry';
import { CrdValidator } from '../../src/crds/crd-validator';
import { countCpuSeconds } from '../setup/cpu-seconds';

/** Returns a validator for the kind Box, whose spec has a list of maps with the key `name`. */
function createBoxValidator(): CrdValidator {
  const item = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } }, required: ['name'] };
  const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item };
  const spec = { type: 'object', properties: { list } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.shop.example' },
    spec: { group: 'shop.example', names: { kind: 'Box' }, versions: [{ name: 'v1', served: true, schema }] },
  };
  return new CrdValidator(new CrdRegistry([definition]));
}

const boxOf = (list: readonly object[]) => ({ apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'a' }, spec: { list } });

test('an update keeps the invalid items of a list that it moves, and not those that it changes or adds', () => {
  const small = { name: 'small', size: 'x' };
  const large = { name: 'large', size: 'y' };
  const result = createBoxValidator().validate(
    boxOf([{ name: 'new', size: 'x' }, { ...large, size: 'z' }, small, { size: 1 }]),
    boxOf([small, large, { size: 1 }]),
  );

  expect(result!.fieldErrors.map(({ path, type }) => `${path} ${type}`)).toEqual([
    'spec.list[0].size FieldValueTypeInvalid',
    'spec.list[1].size FieldValueTypeInvalid',
    'spec.list[3].name FieldValueRequired',
  ]);
});

test('an update that keeps 20,000 invalid items takes linear time', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({ name: `item-${index}`, size: 'x' }));
  const readSeconds = countCpuSeconds();
  const { fieldErrors } = createBoxValidator().validate(boxOf([...items, { name: 'new', size: 'x' }]), boxOf(items))!;
  const seconds = readSeconds();

  expect(fieldErrors.map(({ path }) => path)).toEqual(['spec.list[20000].size']);
  // The items were matched again for each error, which took minutes.
  expect(seconds).toBeLessThan(4);
});

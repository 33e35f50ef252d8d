import type { Manifest } from '../../src/core/manifest/manifest';
import type { FieldError } from '../../src/crds/field-error';
import type { CrdValidator } from '../../src/crds/crd-validator';
import { mutatedObjects } from './mutated-objects';

/** An object of the CRD whose rules compare with the old object. */
export const VAULT: Manifest = {
  apiVersion: 'shop.example/v1',
  kind: 'Vault',
  metadata: { name: 'front', namespace: 'shop' },
  spec: {
    zone: 'east',
    replicas: 3,
    mode: 'open',
    tags: ['a', 'b'],
    steps: [{ name: 'one', weight: 3 }, { name: 'two' }],
    ports: [
      { name: 'http', number: 80 },
      { name: 'ssh', number: 22 },
    ],
    owners: { web: 'ann', data: 'bob' },
    note: 'x',
  },
};

/** Reports whether an error belongs to an object that no server has ever stored, whatever the CRD was. */
function wasNeverStored({ path, type }: FieldError): boolean {
  return type === 'FieldValueTypeInvalid' || (type === 'FieldValueRequired' && path.startsWith('spec.ports'));
}

/** Returns Vaults with a changed version of each. Some would be refused today if they were new. */
export function changedVaults(validator: CrdValidator, count: number): readonly { readonly old: Manifest; readonly next: Manifest }[] {
  const oldObjects = mutatedObjects(VAULT, count).filter((old) => !validator.validate(old)!.fieldErrors.some(wasNeverStored));
  return oldObjects.map((old) => {
    const next = mutatedObjects(old, 1, Number(old.metadata!.name!.slice(1)))[0]!;
    return { old, next: { ...next, metadata: old.metadata } };
  });
}

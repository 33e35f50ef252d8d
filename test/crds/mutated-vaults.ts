import type { Manifest } from '../../src/core/manifest';
import type { FieldError } from '../../src/crds/field-error';
import type { CrdValidator } from '../../src/crds/crd-validator';
import { mutatedObjects } from './mutated-objects';

/** An object of the CRD whose rules compare with what was there before. */
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

/** Faults that no server has ever stored, whatever the CRD said when it did. */
function wasNeverStored({ path, type }: FieldError): boolean {
  return type === 'FieldValueTypeInvalid' || (type === 'FieldValueRequired' && path.startsWith('spec.ports'));
}

/** Vaults, and what becomes of each. Some would be refused today if they were new. */
export function changedVaults(judge: CrdValidator, count: number): readonly { readonly old: Manifest; readonly next: Manifest }[] {
  const before = mutatedObjects(VAULT, count).filter((old) => !judge.validate(old)!.fieldErrors.some(wasNeverStored));
  return before.map((old) => {
    const next = mutatedObjects(old, 1, Number(old.metadata!.name!.slice(1)))[0]!;
    return { old, next: { ...next, metadata: old.metadata } };
  });
}

import type { PlannedChange } from '../../src/core/change';
import { orderedChange } from '../../src/core/change-order';

test('keys of the figures of a change stand in the order of the contract, whatever their order was', () => {
  const lowest = { replicas: 3, available: 2, resource: { name: 'web', kind: 'Deployment', apiVersion: 'apps/v1' } };
  const change = { objects: [], summary: { lowest, podsReplaced: 1 }, pruned: false, apply: 'auto' } as unknown as PlannedChange;
  expect(JSON.stringify(orderedChange(change))).toBe(
    '{"apply":"auto","pruned":false,"summary":{"podsReplaced":1,' +
      '"lowest":{"resource":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"available":2,"replicas":3}},"objects":[]}',
  );
});

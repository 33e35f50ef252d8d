import type { PlannedChange } from '../../src/core/document/change';
import { sortChangeKeys } from '../../src/core/document/change-key-order';

test('keys of a change are sorted in the order of the contract at every depth', () => {
  const resource = { name: 'web', kind: 'Deployment', apiVersion: 'apps/v1' };
  const object = {
    source: { line: 1, file: 'web.yaml' },
    refusal: { message: 'no', path: 'spec' },
    pods: { after: 3, before: 2 },
    because: [{ new: 3, old: 2, path: 'spec.replicas' }],
    effect: 'scale',
    resource,
  };
  const lowest = { replicas: 3, available: 2, resource };
  const change = { objects: [object], summary: { lowest, podsReplaced: 1 }, pruned: false, apply: 'auto' } as unknown as PlannedChange;
  const web = '{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}';
  expect(JSON.stringify(sortChangeKeys(change))).toBe(
    `{"apply":"auto","pruned":false,"summary":{"podsReplaced":1,"lowest":{"resource":${web},"available":2,"replicas":3}},` +
      `"objects":[{"resource":${web},"effect":"scale","because":[{"path":"spec.replicas","old":2,"new":3}],"pods":{"before":2,"after":3},` +
      '"refusal":{"path":"spec","message":"no"},"source":{"file":"web.yaml","line":1}}]}',
  );
});

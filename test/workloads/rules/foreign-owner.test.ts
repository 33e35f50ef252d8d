import { factsOf } from '../../facts';
import { deployment, findingsOf, statefulSet } from '../plan';

const STRATEGY = { rollingUpdate: { maxSurge: 1 } };

function ownedBy(controller: boolean) {
  return {
    name: 'web',
    ownerReferences: [{ apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', name: 'iris', uid: '1', controller }],
  };
}

function foreign(object: object) {
  return findingsOf([object], 'kubernetes/foreign-owner');
}

test('reports a strategy in a workload that another controller owns', () => {
  expect(factsOf(foreign(deployment({ strategy: STRATEGY }, ownedBy(true))))).toEqual([
    {
      code: 'kubernetes/foreign-owner',
      severity: 'warning',
      messageId: 'owned',
      path: 'spec.strategy',
      data: { kind: 'Deployment', ownerKind: 'InferenceService', ownerName: 'iris' },
    },
  ]);
  expect(foreign(statefulSet({ updateStrategy: { type: 'OnDelete' } }, ownedBy(true)))).toMatchObject([
    { messageId: 'owned', path: 'spec.updateStrategy', data: { kind: 'StatefulSet' } },
  ]);
});

test('reports nothing without a strategy, and nothing if the owner is not a controller', () => {
  expect(foreign(deployment({}, ownedBy(true)))).toEqual([]);
  expect(foreign(deployment({ strategy: {} }, ownedBy(true)))).toEqual([]);
  expect(foreign(deployment({ strategy: STRATEGY }, ownedBy(false)))).toEqual([]);
  expect(foreign(deployment({ strategy: STRATEGY }))).toEqual([]);
});

import { defaultStatefulSetStrategy } from '../../src/workloads/statefulset/strategy';
import type { StatefulSetUpdateStrategySpec } from '../../src/workloads/statefulset/types';
import { validateStatefulSet } from '../../src/workloads/statefulset/validation';
import { recorded } from './recording';
import { difference } from './verdict';
import type { Verdict } from './verdict';

const rows = recorded('kubernetes-statefulset-validation') as readonly (Verdict & { readonly gate: boolean })[];

/** Returns a version whose API server has this default of the gate MaxUnavailableStatefulSet. */
const versionWith = (gate: boolean) => (gate ? '1.35.0' : '1.34');

describe('StatefulSets on an API server with the gate MaxUnavailableStatefulSet on and off', () => {
  test('have findings at exactly the fields that the server refuses or drops', () => {
    const differences = rows.map((row) => {
      const object = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' }, spec: row.spec };
      return difference(row, validateStatefulSet(object, versionWith(row.gate)));
    });
    expect(differences.filter(Boolean)).toEqual([]);
  });

  test('are stored with the update strategy that we predict', () => {
    const accepted = rows.filter((row) => row.stored !== null);
    const ours = accepted.map((row) =>
      defaultStatefulSetStrategy(row.spec.updateStrategy as StatefulSetUpdateStrategySpec | null, versionWith(row.gate)),
    );
    expect(accepted.length).toBeGreaterThan(200);
    expect(ours).toEqual(accepted.map((row) => row.stored!.updateStrategy));
  });
});

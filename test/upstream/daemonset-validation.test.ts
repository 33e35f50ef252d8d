import { defaultDaemonSetStrategy } from '../../src/workloads/daemonset/strategy';
import type { DaemonSetUpdateStrategySpec } from '../../src/workloads/daemonset/types';
import { validateDaemonSet } from '../../src/workloads/daemonset/validation';
import { recorded } from './recording';
import { difference } from './verdict';
import type { Verdict } from './verdict';

const rows = recorded('kubernetes-daemonset-validation') as readonly Verdict[];

describe('DaemonSets on an API server', () => {
  test('have findings at exactly the fields that the server refuses or drops', () => {
    const differences = rows.map((row) => {
      const object = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'web' }, spec: row.spec };
      return difference(row, validateDaemonSet(object));
    });
    expect(differences.filter(Boolean)).toEqual([]);
  });

  test('are stored with the update strategy that we predict', () => {
    const accepted = rows.filter((row) => row.stored !== null);
    const ours = accepted.map((row) => defaultDaemonSetStrategy(row.spec.updateStrategy as DaemonSetUpdateStrategySpec | null));
    expect(accepted.length).toBeGreaterThan(150);
    expect(ours).toEqual(accepted.map((row) => row.stored!.updateStrategy));
  });
});

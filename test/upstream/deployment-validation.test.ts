import { defaultDeploymentStrategy } from '../../src/workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../src/workloads/deployment/types';
import { validateDeployment } from '../../src/workloads/deployment/validation';
import { recorded } from './recording';
import { difference } from './verdict';
import type { Verdict } from './verdict';

const rows = recorded('kubernetes-deployment-validation') as readonly Verdict[];

/** The server stores such a percentage, but the controller cannot compute with it: it has only 32 bits. */
const isBeyondInt32 = (row: Verdict) => JSON.stringify(row.spec).includes('"maxSurge":"99999999999');

function findingsFor(row: Verdict) {
  return validateDeployment({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: row.spec });
}

describe('Deployments on the API server of Kubernetes 1.34', () => {
  test('have findings at exactly the fields that the server refuses or drops', () => {
    const differences = rows.filter((row) => !isBeyondInt32(row)).map((row) => difference(row, findingsFor(row)));
    expect(differences.filter(Boolean)).toEqual([]);
  });

  test('are stored with a percentage beyond 32 bits, which is an error to us', () => {
    const beyond = rows.filter((row) => isBeyondInt32(row) && row.stored !== null);
    expect(beyond).toHaveLength(6);
    expect(beyond.map((row) => findingsFor(row).map(({ code, path }) => `${code} ${path}`))).toEqual(
      beyond.map(() => ['kubernetes/invalid-strategy spec.strategy.rollingUpdate.maxSurge']),
    );
  });

  test('are stored with the strategy that we predict', () => {
    const accepted = rows.filter((row) => row.stored !== null);
    const ours = accepted.map((row) => defaultDeploymentStrategy(row.spec.strategy as DeploymentStrategySpec | null | undefined));
    expect(accepted.length).toBeGreaterThan(200);
    expect(ours).toEqual(accepted.map((row) => row.stored!.strategy));
  });
});

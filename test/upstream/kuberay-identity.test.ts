import type { Manifest } from '../../src/core/manifest/manifest';
import { computeClusterIdentity, isWorkerGroupAppend } from '../../src/systems/kuberay/cluster-identity';
import { dropUnsupportedFields } from '../../src/systems/kuberay/crd-fields';
import { changed, RECORDED_VERSIONS } from './kuberay-cases';
import type { Change } from './kuberay-cases';
import { recorded } from './recording';

interface Pair {
  readonly base?: Manifest;
  readonly old: readonly Change[];
  readonly new: readonly Change[];
  readonly same: boolean;
  readonly appended: boolean;
}

describe.each(RECORDED_VERSIONS)('the hash of KubeRay %s', (version, suffix) => {
  const pairs = recorded(`kuberay-identity${suffix}`) as readonly Pair[];
  const base = pairs[0]!.base!;

  function configOf(changes: readonly Change[]): unknown {
    return (dropUnsupportedFields(changed(base, changes), version).spec as { rayClusterConfig: unknown }).rayClusterConfig;
  }

  test('distinguishes two clusters, and recognizes appended worker groups, as we do', () => {
    expect(pairs.length).toBeGreaterThan(400);
    const compared = pairs.map((pair) => {
      const [old, next] = [configOf(pair.old), configOf(pair.new)];
      return {
        ...pair,
        same: computeClusterIdentity(old, version) === computeClusterIdentity(next, version),
        appended: isWorkerGroupAppend(old, next, version),
      };
    });
    expect(compared.filter((answer, index) => answer.same !== pairs[index]!.same || answer.appended !== pairs[index]!.appended)).toEqual(
      [],
    );
  });
});

import { collectDeploySources } from '../../src/appliers/deploy-source';
import { createSourceNamespaces } from '../../src/appliers/source-namespaces';
import { Deadline } from '../../src/core/budget/deadline';
import type { Manifest } from '../../src/core/manifest/manifest';
import { countCpuSeconds } from '../setup/cpu-seconds';

const DEPLOYMENT: Manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };

function kustomization(path: string, targetNamespace: string): Manifest {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: targetNamespace },
    spec: { path, targetNamespace },
  };
}

test.each([
  ['apps/web', 'apps/web/a.yaml', true],
  ['apps/web', 'platform/apps/web/base/a.yaml', true],
  ['platform/apps/web', 'web/a.yaml', true],
  ['platform/apps/web', 'apps/web/base/a.yaml', true],
  ['platform/apps/web', 'web/other/a.yaml', true],
  ['platform/web', 'apps/web/a.yaml', false],
  ['apps/web', 'other-apps/web/a.yaml', false],
  ['other/b/web', 'a/b/web/a.yaml', false],
])('a source of the folder %s may set the namespace of an object in %s: %s', (folder, file, expected) => {
  const namespacesOf = createSourceNamespaces(collectDeploySources([kustomization(folder, 'shop')]));
  expect(namespacesOf(DEPLOYMENT, file)).toEqual(expected ? ['shop'] : []);
});

test('5,000 sources and a file below 600 folders take little time, and each source looks at the clock', () => {
  const sources = Array.from({ length: 5_000 }, (_, index) => kustomization('b/a', `shop-${index}`));
  const namespacesOf = createSourceNamespaces(collectDeploySources(sources));
  let looks = 0;
  const deadline = new Deadline(1, () => {
    looks++;
    return 0;
  });
  const readSeconds = countCpuSeconds();
  expect(deadline.limit(() => namespacesOf(DEPLOYMENT, `apps/${'a/'.repeat(600)}a.yaml`))).toEqual([]);
  const seconds = readSeconds();
  expect(looks).toBeGreaterThan(5_000);
  // All beginnings of the path were compared with each folder, which took 4 times as long for twice as many levels.
  expect(seconds).toBeLessThan(3);
});

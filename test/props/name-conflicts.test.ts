import { reportOverwrittenBundles, reportOperatorOwnedNames } from '../../src/props/name-conflicts';

test('a Bundle is overwritten if a GitRepo creates one with the same name and namespace', () => {
  const bundle = { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', name: 'shop', namespace: 'fleet-default', path: 'app/shop' };
  const elsewhere = { ...bundle, namespace: 'fleet-local', path: 'app/elsewhere' };
  const gitRepo = { ...bundle, kind: 'GitRepo', path: 'app/git' };

  expect(reportOverwrittenBundles([bundle, elsewhere, gitRepo], [{ name: 'shop', namespace: 'fleet-default', gitRepo: 'repo' }])).toEqual([
    'app/shop: the GitRepo repo also creates a Bundle shop, and Fleet overwrites this one; remove one of the two, or rename it.',
  ]);
});

test('the operator owns the names of the Gateway and the HTTPRoute of a RayService, only for these kinds and its namespace', () => {
  const named = (kind: string, name: string, namespace?: string) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    path: `${kind}/${name}`,
  });
  const objects = [
    named('HTTPRoute', 'llm-httproute', 'ray'),
    named('Gateway', 'llm-gateway', 'ray'),
    named('Gateway', 'llm-gateway'),
    named('HTTPRoute', 'llm-gateway', 'ray'),
    { ...named('Gateway', 'llm-gateway', 'ray'), apiVersion: 'networking.istio.io/v1' },
  ];

  expect(reportOperatorOwnedNames(objects, [{ name: 'llm', namespace: 'ray' }]).map((line) => line.slice(0, line.indexOf(' has')))).toEqual(
    [
      '[kuberay/operator-owned-name] HTTPRoute/llm-httproute: HTTPRoute llm-httproute',
      '[kuberay/operator-owned-name] Gateway/llm-gateway: Gateway llm-gateway',
    ],
  );
});

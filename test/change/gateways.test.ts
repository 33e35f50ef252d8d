/** Which Gateways run no pods, so that a change of one is configuration. */
import { NONE, summarize, UNKNOWN } from './summarize-change';

describe('a Gateway', () => {
  const gateway = (gatewayClassName: string, port = 80, labels: object = {}) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'a', labels },
    spec: { gatewayClassName, listeners: [{ port }] },
  });
  const gatewayClass = (name: string, controllerName: string) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name },
    spec: { controllerName },
  });
  const summarizeClass = (name: string, around: readonly object[] = []) => ({
    create: summarize([...around], [...around, gateway(name)]),
    change: summarize([...around, gateway(name)], [...around, gateway(name, 443)]),
    label: summarize([...around, gateway(name)], [...around, gateway(name, 80, { team: 'shop' })]),
    delete: summarize([...around, gateway(name)], [...around]),
  });

  test('concerns no pods if GKE has its class', () => {
    expect(summarizeClass('gke-l7-global-external-managed')).toEqual({
      create: `create, ${NONE}`,
      change: `settings, ${NONE}`,
      label: `metadata, ${NONE}`,
      delete: `delete, ${NONE}`,
    });
  });

  test('concerns no pods if the controller of its class runs none', () => {
    expect(summarizeClass('edge', [gatewayClass('edge', 'io.cilium/gateway-controller')])).toEqual({
      create: `none create, ${NONE}`,
      change: `none settings, ${NONE}`,
      label: `none metadata, ${NONE}`,
      delete: `none delete, ${NONE}`,
    });
  });

  test.each([
    ['its class is not in view', 'cilium', []],
    ['the controller of its class runs pods', 'edge', [gatewayClass('edge', 'istio.io/gateway-controller')]],
    [
      'its class has the name of one of GKE, and another controller',
      'gke-l7-rilb',
      [gatewayClass('gke-l7-rilb', 'istio.io/gateway-controller')],
    ],
  ])('counts if %s', (_why, name, around) => {
    for (const summary of Object.values(summarizeClass(name, around))) expect(summary).toMatch(/1 not planned$/);
  });

  test('counts if it moves between a class with pods and one without', () => {
    expect(summarize([gateway('gke-l7-rilb')], [gateway('istio')])).toBe(`unknown, ${UNKNOWN}`);
    expect(summarize([gateway('istio')], [gateway('gke-l7-rilb')])).toBe(`unknown, ${UNKNOWN}`);
  });
});

import { getRequestTermination } from '../../../src/cluster/services/termination';

const vllm = (seconds: number) => ({ command: ['vllm', 'serve', 'm', '--shutdown-timeout', String(seconds)] });
const preStop = (command: readonly string[]) => ({ lifecycle: { preStop: { exec: { command } } } });
const pod = (terminationGracePeriodSeconds: number, container: object) => ({
  spec: { terminationGracePeriodSeconds, containers: [container] },
});

test('a running request lives for the hook and the drain of its server', () => {
  expect(getRequestTermination(pod(60, { ...vllm(40), ...preStop(['sleep', '15']) }))).toEqual({
    requestSeconds: 55,
    preStopSeconds: 15,
    drainSeconds: 40,
    graceSeconds: 60,
  });
});

test('the grace period ends the drain', () => {
  expect(getRequestTermination(pod(30, { ...vllm(40), ...preStop(['/bin/sleep', '15s']) }))).toMatchObject({
    requestSeconds: 30,
    drainSeconds: 15,
  });
});

test('a server that waits for all requests has the rest of the grace period', () => {
  expect(getRequestTermination(pod(45, { command: ['uvicorn', 'main:app'] }))).toMatchObject({ requestSeconds: 45, preStopSeconds: 0 });
});

test('a server that aborts leaves only the hook', () => {
  const hook = { lifecycle: { preStop: { sleep: { seconds: 10 } } } };
  expect(getRequestTermination(pod(30, { image: 'vllm/vllm-openai:v0.18.0', ...hook }))).toMatchObject({
    requestSeconds: 10,
    drainSeconds: 0,
  });
});

test.each([
  ['the hook is a script', pod(30, { ...vllm(5), ...preStop(['/drain.sh']) })],
  ['the hook is a request', pod(30, { ...vllm(5), lifecycle: { preStop: { httpGet: { path: '/drain', port: 80 } } } })],
  ['the hook outlasts the grace period', pod(10, { ...vllm(5), ...preStop(['sh', '-c', 'sleep 60']) })],
  ['the server is not known', pod(30, { image: 'web:1' })],
  ['two servers share the pod', { spec: { containers: [vllm(5), { command: ['gunicorn', 'app'] }] } }],
  ['the grace period is 0', pod(0, vllm(5))],
  ['the container gets another signal', pod(30, { ...vllm(5), lifecycle: { stopSignal: 'SIGINT' } })],
])('nothing is said if %s', (_name, template) => {
  expect(getRequestTermination(template)).toBeUndefined();
});

const ISTIO = { name: 'istio-proxy', image: 'istio/proxyv2:1.27.0' };
const withSidecar = (sidecar: object, hook = 15) => ({
  spec: {
    terminationGracePeriodSeconds: 60,
    containers: [{ ...vllm(40), lifecycle: { preStop: { sleep: { seconds: hook } } } }, sidecar],
  },
});

test('the sidecar of Istio exits 5 s after the pod is deleted, whatever hook the server has', () => {
  expect(getRequestTermination(withSidecar(ISTIO))).toEqual({
    requestSeconds: 5,
    preStopSeconds: 0,
    drainSeconds: 5,
    graceSeconds: 60,
    container: 'istio-proxy',
  });
});

test('the sidecar ends requests of a server that is not known, too', () => {
  expect(getRequestTermination({ spec: { containers: [{ image: 'web:1' }, ISTIO] } })).toMatchObject({ requestSeconds: 5 });
});

test('the sidecar may have a hook and a longer drain', () => {
  const env = [{ name: 'PROXY_CONFIG', value: '{"terminationDrainDuration":"20s"}' }];
  const hook = { lifecycle: { preStop: { exec: { command: ['sleep', '10'] } } } };
  expect(getRequestTermination(withSidecar({ ...ISTIO, ...hook, env }))).toMatchObject({ requestSeconds: 30, container: 'istio-proxy' });
});

test.each([
  ['it waits for all connections', withSidecar({ ...ISTIO, env: [{ name: 'EXIT_ON_ZERO_ACTIVE_CONNECTIONS', value: 'true' }] })],
  ['it drains longer', withSidecar({ ...ISTIO, env: [{ name: 'PROXY_CONFIG', value: '{"terminationDrainDuration":"60s"}' }] })],
  [
    'it is a native sidecar',
    { spec: { ...pod(60, { ...vllm(40), ...preStop(['sleep', '15']) }).spec, initContainers: [{ ...ISTIO, restartPolicy: 'Always' }] } },
  ],
])('the server ends requests if the sidecar outlasts it: %s', (_name, template) => {
  const termination = getRequestTermination(template);
  expect(termination).toEqual({ requestSeconds: 55, preStopSeconds: 15, drainSeconds: 40, graceSeconds: 60 });
});

const injected = (annotations: object, labels: object = { 'sidecar.istio.io/inject': 'true' }) => ({
  metadata: { labels, annotations },
  ...pod(60, { ...vllm(40), ...preStop(['sleep', '15']) }),
});

test('an injected sidecar may be a native one, so that nothing is said unless both end later than the server', () => {
  expect(getRequestTermination(injected({}))).toBeUndefined();
  expect(getRequestTermination(injected({}, {}), { 'istio-injection': 'enabled' })).toBeUndefined();
  expect(getRequestTermination(injected({ 'proxy.istio.io/config': 'terminationDrainDuration: 60s' }))).toMatchObject({
    requestSeconds: 55,
  });
  expect(getRequestTermination(injected({ 'sidecar.istio.io/nativeSidecar': 'true' }))).toMatchObject({ requestSeconds: 55 });
  expect(getRequestTermination(injected({ 'sidecar.istio.io/nativeSidecar': 'false' }))).toMatchObject({ requestSeconds: 5 });
});

test('a configuration of the sidecar with thousands of keys is not read, because that takes hours', () => {
  const drain = 'terminationDrainDuration: 60s';
  const withKeys = (count: number) => [drain, ...Array.from({ length: count }, (_, index) => `${index}:`)].join('\n');
  const requestSecondsWith = (value: string) =>
    getRequestTermination(withSidecar({ ...ISTIO, env: [{ name: 'PROXY_CONFIG', value }] }))?.requestSeconds;
  expect(requestSecondsWith(withKeys(100))).toBe(55);
  expect(requestSecondsWith(withKeys(500_000))).toBeUndefined();
  expect(getRequestTermination(injected({ 'proxy.istio.io/config': withKeys(500_000) }))).toBeUndefined();
});

test.each<[what: string, begin: string, end: string]>([
  ['lists', '[', ']'],
  ['maps', '{a: ', '}'],
  ['items', '- ', ''],
  ['keys', '? ', ''],
])('nor is one with hundreds of nested %s, because the library may abort Node.js near the end of the stack', (_, begin, end) => {
  const withLevels = (levels: number) => {
    const value = `terminationDrainDuration: 60s\nproxyMetadata:\n  a:\n    ${begin.repeat(levels)}a${end.repeat(levels)}`;
    return getRequestTermination(withSidecar({ ...ISTIO, env: [{ name: 'PROXY_CONFIG', value }] }))?.requestSeconds;
  };
  expect([withLevels(50), withLevels(600)]).toEqual([55, undefined]);
});

test('a pod that opts out has no sidecar', () => {
  const template = injected({}, { 'sidecar.istio.io/inject': 'false' });
  expect(getRequestTermination(template, { 'istio-injection': 'enabled' })).toMatchObject({ requestSeconds: 55 });
});

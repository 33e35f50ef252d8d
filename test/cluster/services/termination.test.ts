import { getRequestTermination } from '../../../src/cluster/services/termination';

const vllm = (seconds: number) => ({ command: ['vllm', 'serve', 'm', '--shutdown-timeout', String(seconds)] });
const preStop = (command: readonly string[]) => ({ lifecycle: { preStop: { exec: { command } } } });
const pod = (terminationGracePeriodSeconds: number, container: object) => ({ terminationGracePeriodSeconds, containers: [container] });

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
  ['two servers share the pod', { containers: [vllm(5), { command: ['gunicorn', 'app'] }] }],
])('nothing is said if %s', (_name, podSpec) => {
  expect(getRequestTermination(podSpec)).toBeUndefined();
});

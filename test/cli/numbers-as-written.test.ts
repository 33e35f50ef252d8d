/** A number that a 64-bit float does not tell from its neighbours is shown as it is written. */
import { formatFindingText } from '../../src/core/finding';
import type { FindingData } from '../../src/core/finding';
import { isFields } from '../../src/core/manifest';
import type { PlanDocument } from '../../src/core/plan-document';
import { RULES } from '../../src/plan/rules';
import { expectValidPlan } from '../plan-schema';
import { rolloutkit } from './command-line';

const YAML = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {build: 98765432109876543210987}}
spec:
  replicas: 12345678901234567890123
  minReadySeconds:
    0x20000000000001
  progressDeadlineSeconds: -1_234_567_890_123_456_789
  strategy: {rollingUpdate: {maxSurge: 1e22, maxUnavailable: 4294967296}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
`;
const JSON_TEXT = '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":12345678901234567890123}}';

async function valuesIn(file: string, content: string) {
  const { stdout } = await rolloutkit(`plan ${file} --format json`, { files: { [file]: content } });
  const { rollouts, findings } = expectValidPlan(JSON.parse(stdout) as PlanDocument);
  return [...rollouts.flatMap((rollout) => rollout.findings), ...findings]
    .filter(({ data }) => data.value !== undefined)
    .map(({ path, data, message }) => [path, data.value, message.includes('e+')]);
}

test('in YAML, whichever way it is written', async () => {
  expect(await valuesIn('web.yaml', YAML)).toEqual([
    ['metadata.labels[build]', { described: '98765432109876543210987' }, false],
    ['spec.replicas', { described: '12345678901234567890123' }, false],
    ['spec.minReadySeconds', { described: '0x20000000000001' }, false],
    ['spec.progressDeadlineSeconds', { described: '-1_234_567_890_123_456_789' }, false],
    ['spec.strategy.rollingUpdate.maxSurge', { described: '1e22' }, false],
    ['spec.strategy.rollingUpdate.maxUnavailable', 4294967296, false],
  ]);
});

test('in JSON', async () => {
  const [replicas] = (await valuesIn('web.json', JSON_TEXT)).filter(([path]) => path === 'spec.replicas');
  expect(replicas).toEqual(['spec.replicas', { described: '12345678901234567890123' }, false]);
});

test('by whatever name the data have it, and what is no number', async () => {
  const yaml = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  minReadySeconds: .inf
  updateStrategy: {rollingUpdate: {maxSurge: 12345678901234567890123, maxUnavailable: .nan}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {terminationGracePeriodSeconds: 9223372036854775807, containers: [{name: web, image: web:1}]}
`;
  const { stdout } = await rolloutkit('plan agent.yaml --format json', { files: { 'agent.yaml': yaml } });
  const { rollouts } = JSON.parse(stdout) as PlanDocument;
  const written = (data: FindingData) => Object.values(data).flatMap((value) => (isFields(value) ? [value.described] : []));
  expect(rollouts[0]!.findings.map(({ messageId, data }) => [messageId, ...written(data)])).toEqual([
    ['fraction', '.inf'],
    ['tooLarge', '12345678901234567890123'],
    ['fraction', '.nan'],
    ['daemonsBothSet', '12345678901234567890123', '.nan'],
  ]);
});

test.each([
  [
    'a Bundle of Fleet',
    'apiVersion: fleet.cattle.io/v1alpha1\nkind: Bundle\nmetadata: {name: shop}\nspec: {rolloutStrategy: {maxUnavailable: 12345678901234567890123}}\n',
    'maxUnavailable is 12345678901234567890123, beyond 32 bits.',
  ],
  [
    'a RayService',
    `apiVersion: ray.io/v1
kind: RayService
metadata: {name: llm}
spec:
  rayClusterConfig:
    enableInTreeAutoscaling: true
    autoscalerOptions: {idleTimeoutSeconds: -12345678901234567890123}
    headGroupSpec: {rayStartParams: {}, template: {spec: {containers: [{name: head, image: ray:2}]}}}
`,
    'idleTimeoutSeconds is -12345678901234567890123.',
  ],
])('%s', async (_, yaml, said) => {
  const { stdout } = await rolloutkit('check llm.yaml --versions kuberay=1.7', { files: { 'llm.yaml': yaml } });
  expect(stdout).toContain(said);
});

test('every message that shows a number as `value` shows a described one as well', () => {
  const value = { described: 'as written' };
  const samples = RULES.flatMap((rule) => Object.entries(rule.messages).map(([id, { sample }]) => ({ rule, id, sample })));
  const shown = samples
    .filter(({ sample }) => 'value' in sample && typeof sample.value === 'number')
    .map(({ rule, id, sample }) => formatFindingText(rule, id, { ...sample, value }));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter(({ message, help = '' }) => `${message} ${help}`.includes('[object'))).toEqual([]);
});

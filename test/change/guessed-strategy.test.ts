/** A strategy in snake_case, which the author of any object can write where no controller reads it, hides no change of an object of an unknown kind. */
import { rolloutkit } from '../cli/command-line';

const GUESS = { strategy: { rolling_update: { max_surge: 1 } } };

const job = (more: object) => ({ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledJob', metadata: { name: 'a' }, spec: GUESS, ...more });
const ICP = { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'a' }, spec: { replicas: 2, ...GUESS } };
const WEBHOOK = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'a' },
  spec: GUESS,
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://a.example.com' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};
const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

const check = async (files: Record<string, string>): Promise<readonly [notPlanned: string[], exitCode: number]> => {
  const { exitCode, stdout } = await rolloutkit('check --no-config --require-planned --apply helm --prune --from old new --format json', {
    files,
  });
  const { notPlanned } = JSON.parse(stdout) as { notPlanned: readonly { kind: string; count: number }[] };
  return [notPlanned.map(({ kind, count }) => `${count} ${kind}`), exitCode];
};

test.each<[what: string, old: object | undefined, next: object | undefined, notPlanned: readonly string[]]>([
  ['a new object', undefined, job({}), ['1 ScaledJob']],
  ['a deleted one', job({}), undefined, ['1 ScaledJob']],
  ['another field', job({ data: 1 }), job({ data: 2 }), ['1 ScaledJob']],
  ['another status', job({ status: { a: 1 } }), job({ status: { a: 2 } }), ['1 ScaledJob']],
  ['other replicas', job({}), job({ spec: { ...GUESS, replicas: 3 } }), ['1 ScaledJob']],
  ['no difference', job({}), job({}), []],
  ['a new webhook', undefined, WEBHOOK, ['1 MutatingWebhookConfiguration']],
  ['a new object of IBM, whose operator reads the strategy', undefined, ICP, []],
])('%s', async (_, old, next, notPlanned) => {
  const files = { 'old/web.json': JSON.stringify(WEB), 'new/web.json': JSON.stringify(WEB) };
  const sides = { ...(old && { 'old/a.json': JSON.stringify(old) }), ...(next && { 'new/a.json': JSON.stringify(next) }) };
  expect(await check({ ...files, ...sides })).toEqual([notPlanned, notPlanned.length === 0 ? 0 : 1]);
});

test('a new webhook runs no pods itself, so without workloads in view it counts as one that may decide about any', async () => {
  const old = { 'old/a.json': JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }) };
  expect(await check({ ...old, 'new/a.json': JSON.stringify(WEBHOOK) })).toEqual([['1 MutatingWebhookConfiguration'], 1]);
  const node = JSON.stringify({ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'a' }, spec: GUESS });
  expect(await check({ 'old/b.json': node, 'new/b.json': node, 'new/a.json': JSON.stringify(WEBHOOK) })).toEqual([
    ['1 MutatingWebhookConfiguration'],
    1,
  ]);
});

test('a new object whose guessed strategy is not valid may be stored all the same', async () => {
  const object = job({ spec: { strategy: { rolling_update: 5 } } });
  expect(await check({ 'old/web.json': JSON.stringify(WEB), 'new/a.json': JSON.stringify(object) })).toEqual([['1 ScaledJob'], 1]);
});

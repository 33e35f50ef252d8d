import { adviseInput, adviseManifests } from '../../src/advise/advise';
import { DeadlineError } from '../../src/core/budget/deadline';
import type { Manifest } from '../../src/core/manifest/manifest';
import { planInput } from '../../src/plan/plan';
import { rolloutkit } from '../cli/command-line';

const createDeployment = (replicas: number): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `web-${replicas}` },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
});

test('the search for strategies has the seconds of the budget, besides those of the plan', () => {
  const objects = [createDeployment(4)];
  const advise = () =>
    adviseInput({ objects }, { budget: { seconds: 1e-9 } }, {}, undefined, (input, options) =>
      planInput(input, { ...options, budget: {} }),
    );

  expect(advise).toThrow(DeadlineError);
});

test('a search that takes too long is an error of the options', () => {
  const objects = Array.from({ length: 300 }, (_, index) => createDeployment(1_000 + index));

  expect(() => adviseManifests(objects, {}, { budget: { seconds: 1 } })).toThrow(
    'the advice takes more than 1 second; raise budget.seconds, or pass fewer objects',
  );
});

test('the command says which option raises the budget', async () => {
  const objects = Array.from({ length: 300 }, (_, index) => createDeployment(1_000 + index));
  const { exitCode, stdout, stderr } = await rolloutkit('advise --budget seconds=1 web.json', {
    files: { 'web.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) },
  });

  expect([exitCode, stdout, stderr]).toEqual([
    2,
    '',
    'rolloutkit: the advice takes more than 1 second; name fewer rollouts with --resource, or raise the budget with --budget seconds=2, if you trust this input\n',
  ]);
});

import { rolloutkit } from '../../cli/command-line';
import { countCpuSeconds } from '../../setup/cpu-seconds';

// Each of two tests exceeds a budget of some seconds, which is all that a test has by default.
jest.setTimeout(60_000);

function deployment(index: number): object {
  const app = `web-${index}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: app, namespace: 'shop' },
    spec: {
      replicas: '3',
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  };
}

function deployments(count: number): object[] {
  return Array.from({ length: count }, (_, index) => deployment(index));
}

async function sarifOf(
  text: string,
  budget: number,
): Promise<{ readonly fixes: number; readonly stderr: string; readonly seconds: number }> {
  const readSeconds = countCpuSeconds();
  const { stdout, stderr } = await rolloutkit(`check --format sarif --budget seconds=${budget} a.yaml`, { files: { 'a.yaml': text } });
  const seconds = readSeconds();
  const [run] = (JSON.parse(stdout) as { runs: [{ results: { fixes?: object }[] }] }).runs;
  return { fixes: run.results.filter(({ fixes }) => fixes).length, stderr, seconds };
}

test('the fixes of 2,000 documents of a file take a few seconds', async () => {
  const text = deployments(2_000).map((object) => JSON.stringify(object, null, 2));
  const { fixes, stderr, seconds } = await sarifOf(text.join('\n---\n'), 100);
  expect([fixes, stderr]).toEqual([2_000, '']);
  expect(seconds).toBeLessThan(15);
});

test('writing the fixes ends with the time of the budget, which standard error says', async () => {
  const { fixes, stderr, seconds } = await sarifOf(
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: deployments(1_000) }, null, 2),
    4,
  );
  expect(fixes).toBeGreaterThan(0);
  expect(fixes).toBeLessThan(1_000);
  expect(stderr).toBe(
    'rolloutkit: some findings have no fix in the report, because writing the fixes takes more than 4 seconds; raise the budget with --budget seconds=8, if you trust this input\n',
  );
  expect(seconds).toBeLessThan(20);
});

test('fixing a list ends with the time of the budget, although each fix reads the complete list', async () => {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: deployments(2_000) }, null, 2);
  const readSeconds = countCpuSeconds();
  const { exitCode, stderr } = await rolloutkit('fix --dry-run --budget seconds=5 a.yaml', { files: { 'a.yaml': list } });
  const seconds = readSeconds();
  expect([exitCode, stderr]).toEqual([
    2,
    'rolloutkit: trying the fixes takes more than 5 seconds, so nothing is written; name fewer files, or some rules with --rule, or raise the budget with --budget seconds=10, if you trust this input\n',
  ]);
  expect(seconds).toBeLessThan(25);
});

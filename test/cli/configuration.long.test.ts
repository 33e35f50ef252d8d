import { QUOTED } from './manifests';
import { rolloutkit } from './command-line';
import { countCpuSeconds } from '../setup/cpu-seconds';

test('applying a configuration that a pull request can bring ends with the time of the budget', async () => {
  const patterns = Array.from({ length: 100_000 }, (_, index) => `a${index.toString(36)}**`);
  const documents = Array.from({ length: 2_000 }, (_, index) => QUOTED.replace('name: quoted', `name: web-${index}`));
  const readSeconds = countCpuSeconds();
  const { exitCode, stdout, stderr } = await rolloutkit('check --budget seconds=5 web.yaml', {
    files: {
      'rolloutkit.yaml': JSON.stringify({ rules: { 'kubernetes/quoted-integer': { severity: 'warning', paths: patterns } } }),
      'web.yaml': documents.join('---\n'),
    },
  });
  const seconds = readSeconds();
  expect([exitCode, stdout, stderr]).toEqual([
    2,
    '',
    'rolloutkit: uses the configuration rolloutkit.yaml\nrolloutkit: rolloutkit.yaml: applying the configuration to the findings takes more than 5 seconds; write fewer patterns and entries of ignore\n',
  ]);
  expect(seconds).toBeLessThan(25);
}, 60_000);

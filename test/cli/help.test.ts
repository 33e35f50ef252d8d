import { rolloutkit } from './command-line';

async function helpOf(command: string): Promise<string> {
  const { stdout } = await rolloutkit(`${command} --help`);
  return stdout.replace(/\s+/g, ' ');
}

test.each([
  ['check', 'exit with 1 at this severity or above: error, warning, info or never (default: "error")'],
  ['upgrade', 'exit with 1 at this severity or above: error, warning, info or never (default: "never")'],
  ['verify', 'Exit codes: 0 every rollout ended as planned, late or not; 1 one did not, or --timeout was over;'],
  ['plan', '--startup-seconds <N|FILE> seconds until a pod is ready, or a file that verify --write-startup wrote (default: 0)'],
  ['advise', '--startup-seconds <N|FILE> seconds until a pod is ready, or a file that verify --write-startup wrote (default: 60)'],
  ['diff', 'NEW a file, a folder, the output of plan --format json if OLD is one, or - for standard input unless OLD is -'],
])('the help of %s says what its option does: %s', async (command, text) => {
  expect(await helpOf(command)).toContain(text);
});

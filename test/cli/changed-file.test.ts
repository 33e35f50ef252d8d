import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { COMMAND_MODULES } from '../../src/cli/lazy-commands';
import { run } from '../../src/cli/run';
import { folderWith } from '../folder';

const deployment = (index: number) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web-${index}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: 'app:1', args: [${'x'.repeat(8_000)}]}]}
`;

test('a large file that is changed between reading and planning ends the run with a line that says so', async () => {
  const text = Array.from({ length: 1_200 }, (_, index) => deployment(index)).join('---\n');
  const folder = folderWith({ 'all.yaml': text });
  const printed = { stdout: '', stderr: '' };
  const io = {
    stdout: { write: (said: string) => void (printed.stdout += said), isTTY: false },
    stderr: {
      write: (said: string) => {
        if (said.includes('plans 1200 objects')) appendFileSync(path.join(folder.path, 'all.yaml'), '---\n');
        else printed.stderr += said;
      },
      isTTY: true,
    },
    stdin: [],
    cwd: folder.path,
    env: {},
  };
  try {
    expect(await run(['check', 'all.yaml'], io, () => COMMAND_MODULES)).toBe(2);
    expect(printed.stdout).toBe('');
    expect(printed.stderr.split('\r').at(-1)!.replace('\u001b[K', '')).toMatchInlineSnapshot(`
"rolloutkit: all.yaml was changed while it was read; run it again once nothing writes to it
"
`);
  } finally {
    folder.remove();
  }
});

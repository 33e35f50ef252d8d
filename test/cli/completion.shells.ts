import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolloutkit } from './command-line';

/** The text before the Tab, and the line to which a shell completes it. */
const LINES: readonly (readonly [typed: string, completed: string])[] = [
  ['ex', 'explain'],
  ['plan --min', 'plan --min-severity'],
  ['plan --format sv', 'plan --format svg'],
  ['rules kubernetes/out', 'rules kubernetes/outage'],
  ['completion f', 'completion fish'],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-shells-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function scriptFor(shell: string): Promise<string> {
  const file = path.join(folder, `completion.${shell}`);
  writeFileSync(file, (await rolloutkit(`completion ${shell}`)).stdout);
  return file;
}

/** Types each line and a Tab into an interactive zsh of its own, whose rolloutkit prints its arguments. */
const ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; autoload -U compinit; compinit -u -D; source $1; rolloutkit() { print -r -- GOT \\"\\$*\\" END }; print READY"
zpty -r shell out '*READY*READY*'
shift
for line in "$@"; do
  zpty -w -n shell "rolloutkit $line"$'\\t\\n'
  zpty -r shell out '*GOT*END*'
  print -r -- "$out"
done
zpty -d shell
`;

test('zsh completes commands, flags, their values and codes', async () => {
  const driver = path.join(folder, 'drive.zsh');
  writeFileSync(driver, ZSH);
  const typed = LINES.map(([line]) => line);
  const output = execFileSync('zsh', ['-f', driver, await scriptFor('zsh'), ...typed], { encoding: 'utf8', timeout: 30_000 });
  expect([...output.matchAll(/GOT (.*) END/g)].map(([, line]) => line)).toEqual(LINES.map(([, line]) => line));
}, 40_000);

test('fish completes the same', async () => {
  const script = await scriptFor('fish');
  const asked = LINES.map(([typed]) => `complete -C 'rolloutkit ${typed}'`).join('; ');
  const output = execFileSync('fish', ['--no-config', '-c', `source ${script}; ${asked}`], { encoding: 'utf8', timeout: 30_000 });
  const words = output.trim().split('\n');
  expect(words.map((word) => word.split('\t')[0])).toEqual(LINES.map(([, line]) => line.split(' ').at(-1)));
}, 40_000);

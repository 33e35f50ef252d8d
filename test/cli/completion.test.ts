import { execFileSync } from 'node:child_process';
import { rolloutkit } from './command-line';

/** Returns the completions of the last word of a line in bash, by the script. */
async function offered(line: string): Promise<string[]> {
  const { stdout: script } = await rolloutkit('completion bash');
  const words = line.split(' ');
  const ask = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _rolloutkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

describe('rolloutkit completion bash', () => {
  test('offers commands, flags, the values of a flag, and codes', async () => {
    expect(await offered('rolloutkit ex')).toEqual(['explain']);
    expect(await offered('rolloutkit plan --min')).toEqual(['--min-severity']);
    expect(await offered('rolloutkit plan --format s')).toEqual(['svg']);
    expect(await offered('rolloutkit check --format s')).toEqual(['sarif']);
    expect(await offered('rolloutkit explain --format j')).toEqual(['json']);
    expect(await offered('rolloutkit rules kubernetes/out')).toEqual(['kubernetes/outage']);
    expect(await offered('rolloutkit help di')).toEqual(['diff']);
    expect(await offered('rolloutkit completion f')).toEqual(['fish']);
  });

  test('leaves files to the shell', async () => {
    expect(await offered('rolloutkit plan dist')).toEqual([]);
  });
});

test('zsh uses the same script, and fish has one line for each completion', async () => {
  const [bash, zsh, fish] = await Promise.all(
    ['bash', 'zsh', 'fish'].map(async (shell) => (await rolloutkit(`completion ${shell}`)).stdout),
  );
  const answers = `[ "\${funcstack[1]}" != _rolloutkit ] || _bash_complete -o default -o bashdefault -F _rolloutkit\n`;
  expect(zsh).toBe(`#compdef rolloutkit\nautoload -U +X bashcompinit && bashcompinit\n${bash}${answers}`);
  const lines = fish!.trimEnd().split('\n');
  expect(lines.filter((line) => !/^complete -c rolloutkit (?:-f )?-n /.test(line))).toEqual([]);
  expect(lines).toContain(
    "complete -c rolloutkit -n '__fish_seen_subcommand_from plan' -l details -x -a 'none findings all' -d 'rollouts to show the waves of: none, findings or all (default: all for up to 10 rollouts, else findings)'",
  );
});

test('another shell is refused', async () => {
  expect(await rolloutkit('completion csh')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'rolloutkit: there is no completion for "csh"; write bash, zsh or fish\n',
  });
});

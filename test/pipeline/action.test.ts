import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PLAN_COMMENT_MARKER } from '../../src/render/markdown/plan';
import { WEB } from '../cli/manifests';

const ROOT = path.resolve(__dirname, '../..');

/** A stub that logs its arguments and answers as the case defines. */
const PROGRAM = `#!/usr/bin/env bash
name=$(basename "$0")
echo "$name $*" >>"$LOG"
case "$name $1" in
  "rolloutkit check") exit "$CHECK_EXIT" ;;
  "git cat-file") exit "\${CAT_FILE_EXIT:-\${GIT_EXIT:-0}}" ;;
  "git rev-parse") echo fe7c4ed; exit ;;
  "git "*) exit "\${GIT_EXIT:-0}" ;;
  "rolloutkit plan") for ((i = 1; i <= $#; i++)); do [ "\${!i}" = --output ] && { j=$((i + 1)); echo "${PLAN_COMMENT_MARKER} the change" >"\${!j}"; }; done ;;
  "gh api") [ "$2" != graphql ] || { [ -n "\${USER_LOGIN:-}" ] && echo "$USER_LOGIN"; exit; }
    [ -z "\${REFUSED:-}" ] || exit 1; [ "$2" = --paginate ] && echo "$COMMENT_ID" ;;
esac
exit 0
`;

interface Case {
  readonly env?: Readonly<Record<string, string>>;
  readonly checkExit?: number;
  /** The comment of an earlier push. */
  readonly commentId?: string;
}

/** Runs the script of the action with stubs that only log their calls. */
function runAction({ env = {}, checkExit = 0, commentId = '' }: Case) {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-action-'));
  try {
    const bin = path.join(folder, 'bin');
    const log = path.join(folder, 'log');
    mkdirSync(bin);
    writeFileSync(log, '');
    for (const name of ['rolloutkit', 'gh', 'git']) {
      writeFileSync(path.join(bin, name), PROGRAM);
      chmodSync(path.join(bin, name), 0o755);
    }
    const { status, stdout, stderr } = spawnSync(path.join(ROOT, '.ci/action.sh'), {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${bin}:${process.env.PATH}`,
        LOG: log,
        CHECK_EXIT: String(checkExit),
        COMMENT_ID: commentId,
        GITHUB_REPOSITORY: 'shop/deploy',
        ...env,
      },
    });
    const calls = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(/\/\S*\/tmp\.\w+/g, 'BODY'));
    return { status, stdout, stderr, calls };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PULL_REQUEST = { ROLLOUTKIT_FROM: 'abc123', ROLLOUTKIT_PULL_REQUEST: '7' };

test('on a pull request it annotates, plans the change from the base and writes a comment', () => {
  expect(runAction({ env: PULL_REQUEST })).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
    calls: [
      'git cat-file -e abc123^{commit}',
      'rolloutkit check --format github --from git:abc123 --fail-on warning -- .',
      'rolloutkit plan --from git:abc123 --format markdown --output BODY -- .',
      'gh api graphql --raw-field query={viewer{login}} --jq .data.viewer.login',
      `gh api --paginate repos/shop/deploy/issues/7/comments --jq .[] | select(.user.login == "github-actions[bot]" and (.body | startswith("${PLAN_COMMENT_MARKER}"))) | .id`,
      'gh api --method POST repos/shop/deploy/issues/7/comments --field body=@BODY',
    ],
  });
});

test('on the next push it updates the comment', () => {
  expect(runAction({ env: PULL_REQUEST, commentId: '42' }).calls.at(-1)).toBe(
    'gh api --method PATCH repos/shop/deploy/issues/comments/42 --field body=@BODY',
  );
});

test.each(['deploy-bot', 'my-app[bot]'])('with the token of a user or an App, %s, it updates the comment of that account', (login) => {
  const { calls } = runAction({ env: { ...PULL_REQUEST, USER_LOGIN: login }, commentId: '42' });
  expect(calls.slice(-2)).toEqual([
    `gh api --paginate repos/shop/deploy/issues/7/comments --jq .[] | select(.user.login == "${login}" and (.body | startswith("${PLAN_COMMENT_MARKER}"))) | .id`,
    'gh api --method PATCH repos/shop/deploy/issues/comments/42 --field body=@BODY',
  ]);
});

test('from a fork, whose token may not comment, it prints a warning and exits with the code of the check', () => {
  const { status, stdout } = runAction({ env: { ...PULL_REQUEST, REFUSED: '1' } });
  expect([status, stdout]).toEqual([0, '::warning::the plan could not be written as a comment; it is in the summary of this job\n']);
});

test('it exits with the code of a failed check, and still comments', () => {
  const { status, calls } = runAction({ env: PULL_REQUEST, checkExit: 1 });
  expect([status, calls.length]).toEqual([1, 6]);
});

test('it comments if a side could not be rendered, which the plan says first, and exits with 2', () => {
  const { status, calls } = runAction({ env: PULL_REQUEST, checkExit: 2 });
  expect([status, calls.length]).toEqual([2, 6]);
});

test('options reach both commands, except those of the check alone', () => {
  const env = {
    ...PULL_REQUEST,
    ROLLOUTKIT_OPTIONS: '--render --fail-on error --baseline b.json --clusters c.yaml --require-planned --plan p.json',
  };
  expect(runAction({ env }).calls.filter((call) => call.startsWith('rolloutkit'))).toEqual([
    'rolloutkit check --format github --from git:abc123 --render --fail-on error --baseline b.json --clusters c.yaml --require-planned --plan p.json -- .',
    'rolloutkit plan --from git:abc123 --format markdown --output BODY --render --clusters c.yaml -- .',
  ]);
});

test('the base may be a path, as of manifests that Argo CD rendered: git is not asked, and both commands get it', () => {
  const { calls } = runAction({
    env: { ...PULL_REQUEST, ROLLOUTKIT_FROM: './output/base', ROLLOUTKIT_PATHS: 'output/target', ROLLOUTKIT_OPTIONS: '--apply argocd' },
  });
  expect(calls.slice(0, 2)).toEqual([
    'rolloutkit check --format github --from ./output/base --fail-on warning --apply argocd -- output/target',
    'rolloutkit plan --from ./output/base --format markdown --output BODY --apply argocd -- output/target',
  ]);
});

test('on a push without a pull request it only checks, with the given options and SARIF log', () => {
  const env = { ROLLOUTKIT_PATHS: 'apps clusters/prod', ROLLOUTKIT_OPTIONS: '--fail-on warning', ROLLOUTKIT_SARIF: 'out.sarif' };
  expect(runAction({ env }).calls).toEqual([
    'rolloutkit check --format github --format sarif=out.sarif --fail-on warning -- apps clusters/prod',
  ]);
});

test.each([
  ['none', '--no-config'],
  ['../trusted/rolloutkit.yaml', '--config ../trusted/rolloutkit.yaml'],
])('configuration %s applies to the check and to the plan', (config, flags) => {
  const { calls } = runAction({ env: { ...PULL_REQUEST, ROLLOUTKIT_CONFIG: config } });
  expect(calls.filter((call) => call.startsWith('rolloutkit'))).toEqual([
    `rolloutkit check --format github --from git:abc123 --fail-on warning ${flags} -- .`,
    `rolloutkit plan --from git:abc123 --format markdown --output BODY ${flags} -- .`,
  ]);
});

test('inputs of several lines are read completely', () => {
  const { calls } = runAction({ env: { ROLLOUTKIT_PATHS: 'apps\nclusters/prod\n', ROLLOUTKIT_OPTIONS: '--fail-on\n  warning\n' } });
  expect(calls).toEqual(['rolloutkit check --format github --fail-on warning -- apps clusters/prod']);
});

test('the path of the command may contain spaces', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit of the runner '));
  const command = path.join(folder, 'rolloutkit');
  writeFileSync(command, PROGRAM, { mode: 0o755 });
  expect(runAction({ env: { ROLLOUTKIT: command } }).calls).toEqual(['rolloutkit check --format github -- .']);
  rmSync(folder, { recursive: true });
});

test('inputs are not run by the shell', () => {
  const { calls } = runAction({ env: { ROLLOUTKIT_PATHS: '$(touch evil) ;gh', ROLLOUTKIT_OPTIONS: '`gh`' } });
  expect(calls).toEqual(['rolloutkit check --format github `gh` -- $(touch evil) ;gh']);
});

test.each([
  [
    'an option of git that runs a program',
    { ROLLOUTKIT_FROM: '--upload-pack=touch evil' },
    'the input from --upload-pack=touch\\ evil begins with -',
  ],
  ['a branch to write to', { ROLLOUTKIT_FROM: 'evil:main' }, 'the input from evil:main contains a colon'],
  ['options after which the rest would be paths', { ROLLOUTKIT_OPTIONS: '--render -- /etc' }, 'the input options -- is not supported'],
  ['an option that only prints the help', { ROLLOUTKIT_OPTIONS: '--render --help' }, 'the input options --help is not supported'],
  ['its short form', { ROLLOUTKIT_OPTIONS: '-h' }, 'the input options -h is not supported'],
  ['another file for the comment', { ROLLOUTKIT_OPTIONS: '--output=x.md' }, 'the input options --output=x.md is not supported'],
])('it refuses %s, and runs nothing', (_, env, message) => {
  const { status, stderr, calls } = runAction({ env: { ...PULL_REQUEST, ...env } });
  expect([status, calls]).toEqual([2, ['']]);
  expect(stderr).toMatch(/^rolloutkit: .*\n$/);
  expect(stderr).toContain(message);
});

test('a branch that a shallow checkout lacks is fetched, and the commit that git fetched is compared with', () => {
  const { status, calls } = runAction({ env: { ROLLOUTKIT_FROM: 'main', CAT_FILE_EXIT: '1' } });
  expect([status, calls]).toEqual([
    0,
    [
      'git cat-file -e main^{commit}',
      'git fetch --quiet --no-tags --no-recurse-submodules --depth 1 -- origin main',
      'git rev-parse --verify FETCH_HEAD^{commit}',
      'rolloutkit check --format github --from git:fe7c4ed --fail-on warning -- .',
      'rolloutkit plan --from git:fe7c4ed --format markdown --output BODY -- .',
    ],
  ]);
});

test('it names a revision that git has not and cannot fetch', () => {
  const { status, stderr } = runAction({ env: { ...PULL_REQUEST, ROLLOUTKIT_FROM: 'gone', GIT_EXIT: '1' } });
  expect([status, stderr]).toEqual([
    2,
    'rolloutkit: the input from gone is not in the checkout, and git cannot fetch it from origin; write fetch-depth: 0 at actions/checkout; a path begins with ./ or /\n',
  ]);
});

/** A stub of gh that stores one comment in a file, and finds it by the given prefix. */
const COMMENT_STORE_GH = `#!/usr/bin/env bash
echo "gh $1 $2 \${3:-}" >>"$LOG"
[ "$2" != graphql ] || { echo bot; exit; }
if [ "$2" = --paginate ]; then
  prefix=$(sed 's/.*startswith("\\(.*\\)").*/\\1/' <<<"$5")
  [ ! -e "$COMMENT" ] || [[ $(cat "$COMMENT") != "$prefix"* ]] || echo 42
else
  body="\${@: -1:1}"
  cp "\${body#body=@}" "$COMMENT"
fi
`;

test('with the real command line it finds its comment by the first line of the plan: it comments once and then updates', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-action-'));
  try {
    const [bin, repository, log, comment] = ['bin', 'repository', 'log', 'comment'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    for (const newFolder of [bin, repository]) mkdirSync(newFolder);
    writeFileSync(path.join(bin, 'gh'), COMMENT_STORE_GH);
    chmodSync(path.join(bin, 'gh'), 0o755);
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: repository,
        encoding: 'utf8',
      }).stdout.trim();
    const commit = (yaml: string) => {
      writeFileSync(path.join(repository, 'web.yaml'), yaml);
      git('add', '.');
      git('commit', '--quiet', '--message', 'web');
      return git('rev-parse', 'HEAD');
    };
    git('init', '--quiet');
    const base = commit(WEB);
    commit(WEB.replace('web:1', 'web:2'));
    const push = () =>
      spawnSync(path.join(ROOT, '.ci/action.sh'), {
        cwd: repository,
        encoding: 'utf8',
        env: {
          PATH: `${bin}:${process.env.PATH}`,
          LOG: log,
          COMMENT: comment,
          GITHUB_REPOSITORY: 'shop/deploy',
          ROLLOUTKIT: `${process.execPath} ${path.join(ROOT, 'lib/cli/main.js')}`,
          ROLLOUTKIT_FROM: base,
          ROLLOUTKIT_PULL_REQUEST: '7',
        },
      }).status;

    expect([push(), push()]).toEqual([0, 0]);
    expect(readFileSync(log, 'utf8').match(/--method \w+/g)).toEqual(['--method POST', '--method PATCH']);
    expect(readFileSync(comment, 'utf8')).toContain('1 of 1 object differs: 1 rolls');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);

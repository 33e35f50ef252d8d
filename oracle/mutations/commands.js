'use strict';
// Runs the whole command line over mutated manifests for as long as is wanted, in this process: each command in each of its formats,
// on files that others were changed into. Says what does not hold: each run ends with exit code 0, 1 or 2, no word of an internal error,
// no object that planning fails on, nothing on standard error where it did not fail, and no line that a log would take for a command.
//
//     node oracle/mutations/commands.js FOLDER SECONDS [SEED]
//
// Needs the build (npm run build). Each failure is printed with its seed, the command and the files.
const { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { run } = require('../../lib/cli/run');
const { Draw, mutated, mutatedText } = require('./mutate');
const { readFiles } = require('../../lib/input/read');
const { FILE_KINDS } = require('../../lib/plan/registry');

const PLAN_FORMATS = ['text', 'json', 'markdown', 'svg', 'html'];
const COMMANDS = [
  ...PLAN_FORMATS.map((format) => ['plan', '--format', format, 'new']),
  ...PLAN_FORMATS.map((format) => ['plan', '--format', format, '--from', 'old', 'new']),
  ...['text', 'json', 'sarif', 'junit', 'github', 'gitlab'].map((format) => ['check', '--format', format, 'new']),
  ...['text', 'json', 'markdown'].map((format) => ['diff', '--format', format, 'old', 'new']),
  ...['text', 'json'].map((format) => ['explain', '--format', format, 'new']),
  ['plan', '--from', 'old', '--prune', 'new'],
  ['fix', 'new'],
];
/** What a log takes for a command; one of GitHub's is what that format is made of. */
const COMMAND_OF_LOG = /^\s*::|##vso\[/m;

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(below);
    return /\.(?:ya?ml|json)$/.test(entry.name) ? [below] : [];
  });
}

async function ran(args, cwd) {
  const printed = { stdout: '', stderr: '' };
  const write = (stream) => ({ write: (text) => void (printed[stream] += text), isTTY: false });
  const io = { stdout: write('stdout'), stderr: write('stderr'), readStdin: () => Promise.resolve(''), cwd, env: {} };
  const begun = Date.now();
  const exitCode = await run(args, io);
  return { exitCode, seconds: (Date.now() - begun) / 1000, ...printed };
}

function problemsOf([command, , format], { exitCode, seconds, stdout, stderr }) {
  const all = stdout + stderr;
  return [
    ...([0, 1, 2].includes(exitCode) ? [] : [`exit code ${exitCode}`]),
    ...(/internal error|rolloutkit fails on it|Report this as a fault|\n +at \S+ \(/.test(all) ? [`fails: ${/.*(?:internal error|fails on it|Report this as a fault|\n +at ).*/.exec(all)?.[0].slice(0, 300)}`] : []),
    ...(exitCode === 2 && !/^rolloutkit: /m.test(stderr) ? [`ends with 2 and says ${stderr.slice(0, 200)}`] : []),
    ...(format !== 'github' && COMMAND_OF_LOG.test(all) ? [`a command of a log: ${COMMAND_OF_LOG.exec(all)[0]}`] : []),
    ...(format === 'json' && exitCode !== 2 && command !== 'fix' ? parseProblem(stdout) : []),
    ...(seconds > 20 ? [`takes ${Math.round(seconds / 10) * 10} seconds`] : []),
  ];
}

function parseProblem(text) {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`no JSON: ${error.message.slice(0, 100)}`];
  }
}

async function main() {
  const [folder, seconds = '60', seed = '1'] = process.argv.slice(2);
  const texts = filesBelow(folder).map((file) => ({ file: path.relative(folder, file), content: readFileSync(file, 'utf8') }));
  const read = texts.map((text) => readFiles([text], { kinds: FILE_KINDS }).objects).filter((objects) => objects.length > 0);
  const pool = read.flat();
  const seen = new Map();
  const work = mkdtempSync(path.join(tmpdir(), 'rolloutkit-mutations-'));
  const until = Date.now() + Number(seconds) * 1000;
  let runs = 0;
  for (let number = Number(seed); Date.now() < until; number++) {
    const draw = new Draw(number);
    const old = draw.of(read).slice(0, 6);
    const inText = draw.below(3) === 0;
    const before = inText ? draw.of(texts).content : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: old });
    const after = inText ? mutatedText(before, draw) : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: old.map((object) => mutated(object, draw, pool)) });
    for (const [name, content] of [['old', before], ['new', after]]) {
      rmSync(path.join(work, name), { recursive: true, force: true });
      mkdirSync(path.join(work, name));
      writeFileSync(path.join(work, name, 'a.yaml'), content);
    }
    for (const command of [draw.of(COMMANDS), draw.of(COMMANDS), draw.of(COMMANDS)]) {
      runs++;
      let problems;
      try {
        problems = problemsOf(command, await ran(command, work));
      } catch (error) {
        problems = [`throws: ${error.stack.split('\n').slice(0, 5).join(' | ')}`];
      }
      for (const problem of problems) {
        const kind = `${command[0]}: ${problem.replaceAll(/\d+/g, 'N').slice(0, 140)}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (seen.get(kind) === 1) process.stdout.write(`${number}: ${command.join(' ')}: ${problem}\n  OLD ${JSON.stringify(before).slice(0, 2_000)}\n  NEW ${JSON.stringify(after).slice(0, 3_000)}\n`);
      }
    }
  }
  rmSync(work, { recursive: true, force: true });
  process.stdout.write(`${runs} runs from seed ${seed} over ${texts.length} files: ${[...seen].map(([kind, count]) => `\n${count} × ${kind}`).join('') || 'nothing to say'}\n`);
}

void main();

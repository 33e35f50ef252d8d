'use strict';
// Runs `rolloutkit fix` on folders of manifests, unchanged and with inserted mistakes, so that a real API server can check the result.
// See oracle/README.md, "Fixes".
//
//     node oracle/fixes/main.js ask QUESTIONS FOLDER…             appends a line per fixed file, with its texts
//     node oracle/fixes/main.js record QUESTIONS VERDICTS FILE    writes the recording, which contains only digests of the texts
//
// Needs the build (npm run build).
const { createHash } = require('node:crypto');
const { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { COMMAND_MODULES } = require('../../lib/cli/lazy-commands');
const { run } = require('../../lib/cli/run');

/** Maximum number of positions per file and mistake, each tried separately. */
const MAX_POSITIONS = 8;

/** Common mistakes that `fix` corrects: a pattern for a line of a workload, and the replacement that inserts the mistake. */
const MISTAKES = {
  'a number in quotes': [/^(\s*(?:- )?(?:replicas|minReplicas|containerPort|initialDelaySeconds|periodSeconds|terminationGracePeriodSeconds|maxSurge|maxUnavailable): )(\d+)(?=\s|$)/, '$1"$2"'],
  'another spelling': [
    /^(\s+(?:- )?)(readinessProbe|livenessProbe|terminationGracePeriodSeconds|imagePullPolicy|serviceAccountName|securityContext|volumeMounts|nodeSelector|initContainers|containerPort|minReplicas|storageUri|modelFormat|runtimeVersion|rayClusterConfig|headGroupSpec|workerGroupSpecs|rayStartParams|groupName|serveConfigV2|maxSurge|maxUnavailable)(?=:)/,
    (_, indent, name) => indent + name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ],
  'an apiVersion that is gone': [/^apiVersion: (apps|policy|autoscaling|batch|networking\.k8s\.io|rbac\.authorization\.k8s\.io)\/v[12]$/, (_, group) => `apiVersion: ${group}/${group === 'autoscaling' ? 'v2beta2' : group === 'apps' ? 'v1beta2' : 'v1beta1'}`],
  'an outage': [/^( {2})(template:)$/, '$1strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 100%}}\n$1$2'],
};

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Returns the texts of all files in a folder, by relative path. */
function textsBelow(folder) {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return new Map(files.map((entry) => path.join(entry.parentPath, entry.name)).toSorted().map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
}

/** Returns a text with the mistake inserted at the n-th matching line; undefined if it has fewer. */
function withMistake(text, [pattern, mistaken], n) {
  const lines = text.split('\n');
  const matching = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
  const index = matching[n];
  return index === undefined ? undefined : lines.with(index, lines[index].replace(pattern, mistaken)).join('\n');
}

async function ran(args, cwd) {
  const printed = { stdout: '', stderr: '' };
  const write = (stream) => ({ write: (text) => void (printed[stream] += text), isTTY: false });
  const exitCode = await run(args, { stdout: write('stdout'), stderr: write('stderr'), stdin: [], cwd, env: {} }, () => COMMAND_MODULES);
  if (exitCode === 2) throw new Error(printed.stderr);
  return JSON.parse(printed.stdout);
}

const isOf = (file) => (finding) => path.normalize(finding.source?.file ?? '') === file;
const thing = ({ code, path: field, resource }) => JSON.stringify([code, field, resource?.kind, resource?.name]);

/** Returns the files that `fix` writes, each with the findings of a check after it. */
async function fixedFiles(texts) {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-fixes-'));
  try {
    for (const [file, text] of texts) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    const { fixed } = await ran(['fix', '--format', 'json', '.'], folder);
    if (fixed.length === 0) return [];
    const { findings } = await ran(['check', '--fail-on', 'never', '--format', 'json', '.'], folder);
    return [...new Set(fixed.map(({ source }) => path.normalize(source.file)))].map((file) => {
      const remaining = findings.filter(isOf(file));
      const own = fixed.filter(isOf(file));
      return {
        file,
        fixed: own.map(({ code }) => code),
        stays: own.filter((finding) => remaining.some((other) => thing(other) === thing(finding))).map(({ code }) => code),
        // Findings of rolloutkit for what an API server still refuses in the file.
        left: [...new Set(remaining.filter(({ severity, code }) => severity === 'error' || code === 'input/unknown-field').map(({ code }) => code))],
        before: texts.get(file),
        after: readFileSync(path.join(folder, file), 'utf8'),
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Yields the variants of a folder's files: unchanged, and with one mistake per file, position by position. */
function* variantsOf(written) {
  yield { mistake: undefined, texts: written };
  for (const [mistake, change] of Object.entries(MISTAKES)) {
    for (let n = 0; n < MAX_POSITIONS; n++) {
      const changed = [...written].map(([file, text]) => [file, /\.ya?ml$/.test(file) ? withMistake(text, change, n) : undefined]);
      if (changed.every(([, text]) => text === undefined)) break;
      yield { mistake: `${mistake}, ${n + 1}`, texts: new Map(changed.map(([file, text]) => [file, text ?? written.get(file)])) };
    }
  }
}

async function ask(questions, folders) {
  for (const folder of folders) {
    const written = textsBelow(folder);
    let count = 0;
    for (const { mistake, texts } of variantsOf(written)) {
      for (const { file, before, after, ...rest } of await fixedFiles(texts)) {
        const from = `${path.basename(folder)} ${file}`;
        const published = written.get(file);
        appendFileSync(questions, `${JSON.stringify({ key: `${from}: ${mistake ?? 'as it is'}`, from, mistake, ...rest, texts: { published, before, after } })}\n`);
        count++;
      }
    }
    process.stdout.write(`${folder}: ${written.size} files, ${count} fixed\n`);
  }
}

function linesOf(file) {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

function record(questions, verdicts, file) {
  const byKey = new Map(linesOf(verdicts).map(({ key, verdicts: own }) => [key, own]));
  const cases = linesOf(questions).map(({ key, texts, ...rest }) => ({
    ...rest,
    texts: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { digest: digestOf(text), ...byKey.get(key)[name] }])),
  }));
  const about = 'What a real API server, with the CRDs of KServe, KubeRay, Fleet and others, says of files before and after `rolloutkit fix` (a dry run, unknown fields refused): manifests that others publish, as they are and with mistakes put into them (oracle/fixes), and the examples of our rules. Texts are named by their digest; objects that are not named are taken.';
  const lines = cases.map((one) => JSON.stringify(one)).join(',\n');
  writeFileSync(file, `{\n"about": ${JSON.stringify(about)},\n"upstream": {"k8s.io/kubernetes":"v1.34.4"},\n"cases": [\n${lines}\n]\n}\n`);
  process.stdout.write(`${file}: ${cases.length} cases\n`);
}

const [command, ...args] = process.argv.slice(2);
if (command === 'ask' && args.length > 1) void ask(args[0], args.slice(1));
else if (command === 'record' && args.length === 3) record(...args);
else {
  process.stderr.write('usage: node oracle/fixes/main.js ask QUESTIONS FOLDER… | record QUESTIONS VERDICTS FILE\n');
  process.exitCode = 2;
}

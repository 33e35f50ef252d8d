'use strict';
// Runs `rolloutkit fix` on folders of manifests, as they are and with mistakes put into them, for a real API server to judge; oracle/README.md, "Fixes".
//
//     node oracle/fixes/main.js ask QUESTIONS FOLDER…             appends a line a fixed file, with its texts
//     node oracle/fixes/main.js record QUESTIONS VERDICTS FILE    writes the recording, which holds digests of the texts alone
//
// Needs the build (npm run build).
const { createHash } = require('node:crypto');
const { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { run } = require('../../lib/cli/run');

/** Of each file and mistake so many places are tried, one at a time. */
const PLACES = 8;

/** What people write wrong and `fix` mends: a line of a workload, and what stands there instead. */
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

/** The files below a folder, by their path in it. */
function textsBelow(folder) {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return new Map(files.map((entry) => path.join(entry.parentPath, entry.name)).toSorted().map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
}

/** A text with the mistake at its n-th place; undefined where it has fewer. */
function withMistake(text, [pattern, mistaken], n) {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
  const place = places[n];
  return place === undefined ? undefined : lines.with(place, lines[place].replace(pattern, mistaken)).join('\n');
}

async function ran(args, cwd) {
  const printed = { stdout: '', stderr: '' };
  const write = (stream) => ({ write: (text) => void (printed[stream] += text), isTTY: false });
  const exitCode = await run(args, { stdout: write('stdout'), stderr: write('stderr'), readStdin: () => Promise.resolve(''), cwd, env: {} });
  if (exitCode === 2) throw new Error(printed.stderr);
  return JSON.parse(printed.stdout);
}

const isOf = (file) => (finding) => path.normalize(finding.source?.file ?? '') === file;
const thing = ({ code, path: field, resource }) => JSON.stringify([code, field, resource?.kind, resource?.name]);

/** The files that `fix` writes, each with what a check finds in it afterwards. */
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
      const left = findings.filter(isOf(file));
      const mended = fixed.filter(isOf(file));
      return {
        file,
        fixed: mended.map(({ code }) => code),
        stays: mended.filter((finding) => left.some((other) => thing(other) === thing(finding))).map(({ code }) => code),
        // What the file still has that a server refuses, by our own findings.
        left: [...new Set(left.filter(({ severity, code }) => severity === 'error' || code === 'input/unknown-field').map(({ code }) => code))],
        before: texts.get(file),
        after: readFileSync(path.join(folder, file), 'utf8'),
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a folder's files are tried as: as they are, and with one mistake each, a place at a time. */
function* variantsOf(written) {
  yield { mistake: undefined, texts: written };
  for (const [mistake, change] of Object.entries(MISTAKES)) {
    for (let n = 0; n < PLACES; n++) {
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

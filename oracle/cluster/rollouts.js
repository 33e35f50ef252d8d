// Applies random changes to live workloads on the server of TestServe. It runs the real kubectl, saves a snapshot before each change, plans
// from it, follows the rollout with `verify`, and records all events of the namespace. test/live/recorded-rollouts.ts compares them.
//
//     KUBECONFIG=… CASES=300 SEED=1 node oracle/cluster/rollouts.js FOLDER
const { spawn } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const https = require('node:https');
const path = require('node:path');
const { buildSync } = require('esbuild');
const { drawCases } = require('./random-cases');

const [folder] = process.argv.slice(2);
const { SEED = '1', CASES = '24', PARALLEL = '4', RAW = '0', ONLY } = process.env;

/** Seconds that a rollout gets. Those that wait for something never end. */
const TIMEOUT = 40;

const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1_000));

function kubectl(args, input = '') {
  return new Promise((done) => {
    const child = spawn('kubectl', args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}

/** Bundles the command line, and loads it once, since starting a process per command takes longer than the commands. */
function loadCommandLine() {
  const sources = path.join(__dirname, '../../src/cli');
  const outfile = path.join(folder, 'command-line.js');
  const contents = "export { run } from './run'; export { COMMAND_MODULES } from './lazy-commands';";
  buildSync({ stdin: { contents, resolveDir: sources, loader: 'ts' }, bundle: true, platform: 'node', outfile });
  return require(outfile);
}

async function rolloutkit(args, { env = {}, onError } = {}) {
  const printed = { stdout: '', stderr: '' };
  const onStderr = (text) => {
    printed.stderr += text;
    onError?.(text);
  };
  const io = {
    stdout: { write: (text) => void (printed.stdout += text) },
    stderr: { write: onStderr },
    stdin: [],
    cwd: process.cwd(),
    env: { ...process.env, ...env },
  };
  const code = await commandLine.run(args, io, () => commandLine.COMMAND_MODULES);
  return { code, ...printed };
}

const kubeconfig = readFileSync(process.env.KUBECONFIG, 'utf8');
const server = new URL(/server: (\S+)/.exec(kubeconfig)[1]);
const token = /token: (\S+)/.exec(kubeconfig)[1];

const WATCHED = {
  deployments: '/apis/apps/v1',
  replicasets: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  pods: '/api/v1',
  events: '/api/v1',
  services: '/api/v1',
  endpointslices: '/apis/discovery.k8s.io/v1',
  horizontalpodautoscalers: '/apis/autoscaling/v2',
};

/** Sends a request to the API server, and returns its answer. */
function request(method, url) {
  return new Promise((done, fail) => {
    const sent = https.request(toOptions(method, url), (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => done(JSON.parse(text)));
    });
    sent.on('error', fail);
    sent.end();
  });
}

const toOptions = (method, url) => ({
  method,
  host: server.hostname,
  port: server.port,
  path: url,
  rejectUnauthorized: false,
  headers: { authorization: `Bearer ${token}` },
});

/** Watches all types of a namespace, and returns a function that ends it and returns the events. */
function watchNamespace(namespace) {
  const events = [];
  const watches = Object.entries(WATCHED).map(([resource, api]) => {
    let text = '';
    const watch = https.get(toOptions('GET', `${api}/namespaces/${namespace}/${resource}?watch=true`), (response) => {
      response.on('data', (chunk) => {
        text += chunk;
        const lines = text.split('\n');
        text = lines.pop();
        for (const line of lines) {
          const event = JSON.parse(line);
          delete event.object.metadata?.managedFields;
          events.push(event);
        }
      });
      response.on('error', () => undefined);
    });
    watch.on('error', () => undefined);
    return watch;
  });
  return () => {
    for (const watch of watches) watch.destroy();
    return events;
  };
}

const toList = (items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

const apply = (items, isServerSide) =>
  kubectl(['apply', ...(isServerSide ? ['--server-side', '--force-conflicts'] : []), '--filename=-'], toList(items));

function isSettled({ spec = {}, status = {}, metadata, kind }) {
  if (status.observedGeneration !== metadata.generation) return false;
  if (kind === 'DaemonSet') return status.desiredNumberScheduled > 0 && status.numberAvailable === status.desiredNumberScheduled;
  return (status.availableReplicas ?? 0) === spec.replicas && (status.replicas ?? 0) === spec.replicas;
}

async function waitUntilSettled(namespace, seconds) {
  const kinds = { deployments: 'Deployment', statefulsets: 'StatefulSet', daemonsets: 'DaemonSet' };
  for (let waited = 0; waited < seconds; waited++) {
    const lists = await Promise.all(
      Object.entries(kinds).map(async ([resource, kind]) => {
        const { items } = await request('GET', `${WATCHED[resource]}/namespaces/${namespace}/${resource}`);
        return items.map((item) => ({ kind, ...item }));
      }),
    );
    const items = lists.flat();
    if (items.length > 0 && items.every(isSettled)) return true;
    await sleep(1);
  }
  return false;
}

async function cleanUp({ namespace, nodes }) {
  const workloads = ['horizontalpodautoscalers', 'deployments', 'statefulsets', 'daemonsets', 'replicasets', 'services', 'pods', 'endpointslices'];
  for (const resource of workloads) {
    const query = resource === 'pods' ? '?gracePeriodSeconds=0' : '';
    const { items } = await request('GET', `${WATCHED[resource]}/namespaces/${namespace}/${resource}`);
    for (const { metadata } of items) await request('DELETE', `${WATCHED[resource]}/namespaces/${namespace}/${resource}/${metadata.name}${query}`);
  }
  for (const { metadata } of nodes) await request('DELETE', `/api/v1/nodes/${metadata.name}`);
}

async function readResourceVersion(namespace) {
  const { metadata } = await request('GET', `/api/v1/namespaces/${namespace}/pods`);
  return Number(metadata.resourceVersion);
}

/** Does what else happens during the rollout, and returns the resource version before each step. */
async function runSteps({ steps, namespace, isServerSide }) {
  const start = Date.now();
  const versions = [];
  for (const { after, args, apply: items } of steps) {
    await sleep(after - (Date.now() - start) / 1_000);
    versions.push(await readResourceVersion(namespace));
    if (items) await apply(items, isServerSide);
    else await kubectl([`--namespace=${namespace}`, ...args]);
  }
  return versions;
}

/** Runs a case, and returns its recording, or why there is none. */
async function record(drawn, isRaw) {
  const { namespace, nodes, running, before: unfinished, next, isServerSide } = drawn;
  const own = path.join(folder, namespace);
  mkdirSync(own, { recursive: true });
  const file = (name) => path.join(own, name);
  await apply([...nodes, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }], false);
  await sleep(0.5);
  const created = await apply(running, isServerSide);
  if (created.code !== 0) return `cannot create: ${created.stderr}`;
  if (!(await waitUntilSettled(namespace, 40))) return 'what runs before is never ready';
  if (unfinished.length > 0) {
    await apply(unfinished, isServerSide);
    await sleep(4);
  }
  writeFileSync(file('new.json'), toList(next));
  const rawFile = file('raw.jsonl');
  const raw = isRaw ? { PATH: `${path.join(__dirname, 'recording')}:${process.env.PATH}`, KUBECTL_RAW: rawFile } : {};
  const saved = await rolloutkit(['snapshot', file('new.json'), '--output', file('snapshot.json')], { env: raw });
  if (saved.code !== 0) return `no snapshot: ${saved.stderr.trim().split('\n').at(-1)}`;
  const mode = isServerSide ? 'server' : 'client';
  const planned = await rolloutkit(['plan', '--from', file('snapshot.json'), '--apply', mode, '--format', 'json', '--output', file('plan.json'), file('new.json')]);
  if (planned.code !== 0) return `no plan: ${planned.stderr.trim().split('\n').at(-1)}`;
  const stop = watchNamespace(namespace);
  await sleep(0.5);
  const since = await readResourceVersion(namespace);
  let appliedAt = Date.now();
  const said = [];
  const onError = (text) => {
    for (const line of text.trim().split('\n')) if (!/: (?:runs|reads) /.test(line)) said.push([(Date.now() - appliedAt) / 1_000, line.replace(/^rolloutkit: /, '')]);
  };
  const follow = () => rolloutkit(['verify', file('plan.json'), '--timeout', `${TIMEOUT}s`, '--format', 'json'], { onError });
  const early = drawn.isFollowedFirst ? follow() : undefined;
  if (early) await sleep(3);
  appliedAt = Date.now();
  const applied = await apply(next, isServerSide);
  const [live, stepVersions] = await Promise.all([early ?? follow(), runSteps(drawn)]);
  const seconds = (Date.now() - appliedAt) / 1_000;
  // Endpoints follow the pods, a rollout without anything to follow ends at once, and a deadlock must last.
  await sleep(live.stdout.includes('"deadlocks"') ? 14 : Math.max(2, 6 - seconds));
  const events = stop();
  const recording = {
    family: drawn.family,
    namespace,
    mode,
    next,
    steps: drawn.steps.map(({ args, apply: items }, index) => ({ since: stepVersions[index], does: args ? args.join(' ') : `apply ${items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)}` })),
    applied: { code: applied.code, stderr: applied.stderr.trim() },
    since,
    snapshot: readFileSync(file('snapshot.json'), 'utf8'),
    events,
    live: { code: live.code, report: live.stdout === '' ? live.stderr : JSON.parse(live.stdout), said, seconds },
    ...(existsSync(rawFile) && { raw: readFileSync(rawFile, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) }),
  };
  writeFileSync(file('recording.json'), JSON.stringify(recording));
  return undefined;
}

async function main() {
  const drawn = drawCases(Number(SEED), Number(CASES)).filter(({ family }) => ONLY === undefined || ONLY.split(',').includes(family));
  let next = 0;
  let recorded = 0;
  const work = async () => {
    for (let index = next++; index < drawn.length; index = next++) {
      const failure = await record(drawn[index], index < Number(RAW)).catch((error) => String(error.stack));
      if (failure === undefined) recorded++;
      else {
        console.log(`${drawn[index].namespace} (${drawn[index].family}): ${failure}`);
        rmSync(path.join(folder, drawn[index].namespace), { recursive: true, force: true });
      }
      await cleanUp(drawn[index]);
    }
  };
  await Promise.all(Array.from({ length: Number(PARALLEL) }, work));
  console.log(`${recorded} of ${drawn.length} recorded`);
}

mkdirSync(folder, { recursive: true });
const commandLine = loadCommandLine();
void main();

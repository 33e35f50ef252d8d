// Applies random changes to live Deployments on the server of TestServe, and compares what `plan` expects of them with what `verify` sees.
// It runs the real kubectl, saves a snapshot before each change and the events after it, and prints each disagreement.
//
//     ROLLOUTKIT='node lib/cli/main.js' KUBECONFIG=… CASES=300 SEED=1 node oracle/cluster/rollouts.js FOLDER
const { spawn } = require('node:child_process');
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const [folder] = process.argv.slice(2);
const cases = Number(process.env.CASES ?? 20);
const parallel = Number(process.env.PARALLEL ?? 4);
const [program, ...before] = process.env.ROLLOUTKIT.split(' ');
let state = Number(process.env.SEED ?? 1);

/** Returns a whole number below a limit, the same for the same seed. */
function random(limit) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}
const pick = (values) => values[random(values.length)];

const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1_000));

function run(command, args, input) {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(input ?? '');
  });
}

const kubectl = (args, input) => run('kubectl', args, input);
const rolloutkit = (args) => run(program, [...before, ...args]);

function deployment(name, namespace, { replicas, surge, unavailable, recreate, image, ready, cpu }) {
  const strategy = recreate ? { type: 'Recreate' } : { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      strategy,
      template: {
        metadata: { labels: { app: name }, annotations: { 'play/ready': String(ready) } },
        spec: { containers: [{ name: 'web', image, resources: { requests: { cpu: String(cpu) } } }] },
      },
    },
  };
}

function statefulSet(name, namespace, { replicas, image, ready, cpu }) {
  const { spec, ...rest } = deployment(name, namespace, { replicas, image, ready, cpu });
  const { strategy: _, ...others } = spec;
  return { ...rest, kind: 'StatefulSet', spec: { ...others, serviceName: name } };
}

function randomCase(index) {
  const namespace = `case-${process.env.SEED ?? 1}-${index}`;
  const old = {
    replicas: 1 + random(5),
    ...pick([
      { surge: 1, unavailable: 0 },
      { surge: 0, unavailable: 1 },
      { surge: '25%', unavailable: '25%' },
      { surge: 2, unavailable: 1 },
      { surge: '100%', unavailable: 0 },
      { recreate: true },
    ]),
    image: 'web:1',
    ready: 1 + random(3),
    cpu: 1,
  };
  const isSet = random(5) === 0;
  const next = { ...old, image: pick(['web:2', 'web:2', 'web:2', 'web:broken', 'web:1']), cpu: pick([1, 1, 1, 2]) };
  if (random(4) === 0) next.replicas = 1 + random(6);
  const left = pick([undefined, undefined, 0, 1, 2]);
  const quota = left === undefined ? [] : [
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute', namespace }, spec: { hard: { 'requests.cpu': String(old.replicas + left) } } },
  ];
  const make = isSet ? statefulSet : deployment;
  return { namespace, quota, old: make('web', namespace, old), next: make('web', namespace, next), isBroken: next.image === 'web:broken', ready: old.ready };
}

async function waitUntilReady(namespace, kind, seconds) {
  for (let waited = 0; waited < seconds; waited++) {
    const { stdout } = await kubectl(['get', kind, 'web', `--namespace=${namespace}`, '--output=json']);
    const { spec, status = {} } = stdout === '' ? {} : JSON.parse(stdout);
    if (spec && status.readyReplicas === spec.replicas && status.observedGeneration >= 1) return;
    await sleep(1);
  }
}

/** Records the events of a type until it is stopped. */
function record(resource, namespace) {
  const child = spawn('kubectl', ['get', resource, `--namespace=${namespace}`, '--watch', '--output-watch-events', '--output=json']);
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  return () => {
    child.kill();
    return text;
  };
}

/** Says how the plan and the cluster disagree; undefined if they agree. */
function findDisagreement({ isBroken }, plan, report) {
  const change = plan.change.objects.find(({ resource }) => resource.name === 'web');
  const [rollout] = report.rollouts;
  if (rollout === undefined) return ['none', 'metadata', 'settings', 'held'].includes(change.effect) ? undefined : `effect ${change.effect}, and nothing is followed`;
  const planned = plan.rollouts.find(({ resource }) => resource.name === 'web');
  const expectsDeadlock = planned.capacity?.verdict === 'deadlocks';
  if (expectsDeadlock || isBroken) {
    if (isBroken && rollout.status === 'deadlocks') return undefined;
    return rollout.status === 'deadlocks' ? undefined : `a deadlock is expected, and it is ${rollout.status}: ${rollout.message}`;
  }
  return ['as-planned', 'late'].includes(rollout.status) ? undefined : `it is ${rollout.status}: ${rollout.message}`;
}

async function runCase(index, drawn) {
  const { namespace, quota, old, next } = drawn;
  const kind = old.kind.toLowerCase();
  const own = path.join(folder, namespace);
  mkdirSync(own, { recursive: true });
  const list = (items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(['create', 'namespace', namespace]);
  await kubectl(['apply', '--filename=-'], list([...quota, old]));
  await waitUntilReady(namespace, kind, 40);
  writeFileSync(path.join(own, 'new.json'), JSON.stringify(next));
  const file = (name) => path.join(own, name);
  const saved = await rolloutkit(['snapshot', file('new.json'), '--output', file('snapshot.json')]);
  if (saved.code !== 0) return `no snapshot: ${saved.stderr.trim().split('\n').at(-1)}`;
  const planned = await rolloutkit(['plan', '--from', file('snapshot.json'), '--format', 'json', '--output', file('plan.json'), file('new.json')]);
  if (planned.code !== 0) return `no plan: ${planned.stderr.trim().split('\n').at(-1)}`;
  const stops = [`${kind}s.apps`, 'replicasets.apps', 'pods', 'events'].map((resource) => record(resource, namespace));
  await sleep(1);
  await kubectl(['apply', '--filename=-'], JSON.stringify(next));
  const live = await rolloutkit(['verify', file('plan.json'), '--timeout', process.env.TIMEOUT ?? '45s', '--format', 'json']);
  await sleep(1);
  writeFileSync(file('events.jsonl'), stops.map((stop) => stop()).join('\n'));
  if (live.code === 2) return `verify cannot run: ${live.stderr.trim().split('\n').at(-1)}`;
  const replayed = await rolloutkit(['verify', file('plan.json'), '--events', file('events.jsonl'), '--format', 'json']);
  writeFileSync(file('live.json'), live.stdout);
  const report = JSON.parse(live.stdout);
  const again = replayed.code === 2 ? { rollouts: [{ status: replayed.stderr }] } : JSON.parse(replayed.stdout);
  const plan = JSON.parse(readFileSync(file('plan.json'), 'utf8'));
  const found = findDisagreement(drawn, plan, report);
  if (found !== undefined) return found;
  const statuses = [report, again].map(({ rollouts }) => rollouts[0]?.status);
  return statuses[0] === statuses[1] || statuses.includes('late') ? undefined : `live ${statuses[0]}, recorded ${statuses[1]}`;
}

async function main() {
  mkdirSync(folder, { recursive: true });
  const drawn = Array.from({ length: cases }, (_, index) => randomCase(index));
  const disagreements = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < cases; index = next++) {
      const found = await runCase(index, drawn[index]);
      if (found === undefined) continue;
      disagreements.push(drawn[index].namespace);
      console.log(`${drawn[index].namespace}: ${found}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  console.log(`${cases - disagreements.length} of ${cases} agree`);
}

void main();

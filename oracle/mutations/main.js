'use strict';
// Plans mutated manifests of a folder, for the given number of runs, and reports every run that breaks a rule:
// nothing throws, planning fails on no object, the plan matches its schema, every number is finite, and the same input gives the same bytes.
//
//     node oracle/mutations/main.js FOLDER RUNS [SEED]
//
// Needs the build (npm run build). Each failure is printed with its seed, and its input as JSON.
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');
const Ajv2020 = require('ajv/dist/2020').default;
const { readFiles } = require('../../lib/input/read');
const { planInput, planManifests } = require('../../lib/plan/plan');
const { diffPlans } = require('../../lib/change/diff/diff');
const { planChange } = require('../../lib/change/plan-change');
const { renderCheckText, renderPlanText } = require('../../lib/render/text/plan');
const { FILE_KINDS } = require('../../lib/plan/registry');
const { Draw, mutated, mutatedText } = require('./mutate');

const validate = new Ajv2020({ strict: false }).compile(require('../../schemas/plan-1.2.json'));

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(below);
    return /\.(?:ya?ml|json)$/.test(entry.name) ? [below] : [];
  });
}

const AROUND = [
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b' }, spec: { minAvailable: 1, selector: {} } },
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': '10', pods: '10', 'requests.nvidia.com/gpu': '4' } } },
  { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m' } }] } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { pool: 'a' } }, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] }, status: { allocatable: { cpu: '8', memory: '32Gi', pods: '20', 'nvidia.com/gpu': '2' }, conditions: [{ type: 'Ready', status: 'True' }] } },
  { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name: 'c', namespace: 'fleet-default', labels: { env: 'prod' } }, spec: {} },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { a: 'b' } } },
];

function badNumbers(value, place, found) {
  if (typeof value === 'number' && !Number.isFinite(value)) found.push(place);
  if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) badNumbers(inner, `${place}.${key}`, found);
  return found;
}

function problemsOf(plan) {
  const bad = badNumbers(plan, '', []);
  const found = bad.length > 0 ? [`not a number: ${bad.slice(0, 3).join(', ')}`] : [];
  const findings = [...plan.findings, ...plan.rollouts.flatMap((rollout) => rollout.findings)];
  for (const { code, messageId, data } of findings) {
    if (code === 'input/unreadable' && (messageId === 'failed' || data.problem?.kind === 'failed')) found.push(`fails: ${data.said ?? data.problem.said}`);
  }
  if (!validate(JSON.parse(JSON.stringify(plan)))) {
    found.push(...validate.errors.slice(0, 2).map(({ instancePath, message, params }) => `schema: ${instancePath} ${message} ${JSON.stringify(params)}`));
  }
  return found;
}

function outcomeOf(objects) {
  const plan = planManifests(objects);
  const problems = problemsOf(plan);
  if (JSON.stringify(planManifests(objects)) !== JSON.stringify(plan)) problems.push('a different plan for the same input');
  renderPlanText(plan);
  renderCheckText(plan);
  return { plan, problems };
}

const [folder, runs = '1000', seed = '1'] = process.argv.slice(2);
const texts = filesBelow(folder).map((file) => ({ file: path.relative(folder, file), content: readFileSync(file, 'utf8') }));
const read = texts.map((text) => readFiles([text], { kinds: FILE_KINDS }).objects).filter((objects) => objects.length > 0);
const pool = read.flat();
const seen = new Map();

function report(number, problem, input) {
  const kind = problem.replaceAll(/\d+/g, 'N').slice(0, 120);
  const count = (seen.get(kind) ?? 0) + 1;
  seen.set(kind, count);
  if (count === 1) process.stdout.write(`${number}: ${problem.slice(0, 600)}\n  ${JSON.stringify(input).slice(0, 3_000)}\n`);
}

for (let run = 0; run < Number(runs); run++) {
  const number = Number(seed) + run;
  const draw = new Draw(number);
  let input;
  try {
    if (draw.below(5) === 0) {
      const { file, content } = draw.of(texts);
      input = { file, content: mutatedText(content, draw) };
      const { objects, findings, files, locations } = readFiles([input], { kinds: FILE_KINDS });
      const plan = planInput({ objects, findings, files, locate: locations.locate, textOf: locations.textOf });
      for (const problem of problemsOf(plan)) report(number, problem, input);
      continue;
    }
    const base = [...draw.of(read).slice(0, 6), ...AROUND.filter(() => draw.below(2) === 0)];
    input = base.map((object) => (draw.below(2) === 0 ? object : mutated(object, draw, pool)));
    const { plan, problems } = outcomeOf(input);
    for (const problem of problems) report(number, problem, input);
    planChange(base, input);
    diffPlans(planManifests(base), plan);
  } catch (error) {
    report(number, `throws: ${error.stack.split('\n').slice(0, 6).join(' | ')}`, input);
  }
}
process.stdout.write(`${runs} runs from seed ${seed} over ${texts.length} files: ${[...seen].map(([kind, count]) => `\n${count} × ${kind}`).join('') || 'no problems'}\n`);

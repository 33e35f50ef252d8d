import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { JUDGES, NO_CONTROLLER } from '../upstream/recordings';
import type { Judge } from '../upstream/recordings';
import { expectGenerated, ROOT } from './generated';

const FIXTURES = path.join(ROOT, 'test/fixtures/upstream');

/** Modules that answer, by the name of what people run. */
const SYSTEMS: readonly (readonly [module: string, system: string])[] = [
  ['k8s.io/kubernetes', 'Kubernetes'],
  ['k8s.io/api', 'Kubernetes'],
  ['github.com/kserve/kserve', 'KServe'],
  ['github.com/ray-project/kuberay/ray-operator', 'KubeRay'],
  ['github.com/rancher/fleet', 'Fleet'],
  ['github.com/argoproj/argo-rollouts', 'Argo Rollouts'],
  ['github.com/argoproj/argo-cd/v3', 'Argo CD'],
  ['sigs.k8s.io/lws', 'LeaderWorkerSet'],
  ['k8s.io/apiextensions-apiserver', 'Kubernetes'],
  ['k8s.io/apimachinery', 'Kubernetes'],
  ['go', 'Go'],
];

/** Modules of Kubernetes whose versions begin with 0 where Kubernetes' begin with 1. */
const NUMBERED_0: ReadonlySet<string> = new Set(['k8s.io/api', 'k8s.io/apiextensions-apiserver', 'k8s.io/apimachinery']);

interface Recording {
  readonly upstream: Readonly<Record<string, string>>;
  readonly cases: readonly unknown[];
}

function recordingOf(name: string): Recording {
  return JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8')) as Recording;
}

/** What answered, and its version, as the recording itself says. */
function systemOf({ upstream }: Recording): string {
  const [module, system] = SYSTEMS.find(([name]) => name in upstream)!;
  return `${system} ${upstream[module]!.replaceAll('v0.', NUMBERED_0.has(module) ? 'v1.' : 'v0.').replaceAll(/\b(?:v|go)(?=[0-9])/g, '')}`;
}

function countOf({ casesOf = () => 1 }: Judge, { cases }: Recording): number {
  return cases.reduce((sum: number, line) => sum + casesOf(line), 0);
}

function rowOf(judge: Judge): { readonly system: string; readonly count: number; readonly differing: number; readonly cells: string[] } {
  const recording = recordingOf(judge.recording);
  const count = countOf(judge, recording);
  const differing = judge.differing?.count ?? 0;
  const remarks = [...(judge.differing ? [`${differing}: ${judge.differing.why}`] : []), ...(judge.note ? [judge.note] : [])];
  const system = judge.system ?? systemOf(recording);
  const link = `[${judge.recording}](../test/upstream/${judge.heldBy})`;
  const cells = [system, judge.answered, link, String(count), String(count - differing), remarks.join('; ') || 'none'];
  return { system, count, differing, cells };
}

function conformancePage(): string {
  const rows = JUDGES.map(rowOf);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const differing = rows.reduce((sum, row) => sum + row.differing, 0);
  return [
    '# Conformance',
    '',
    'What the plan says is compared with what upstream’s own code answers. The programs under [oracle/](../oracle/README.md) import that code,',
    'run it over many inputs, and record its answers. The tests under `test/upstream/` compare our functions with every recorded case,',
    'so a difference that is not named here fails a test. `npm test` runs these tests, but for `*.long.test.ts`, which `npm run test:long` runs.',
    'This page is made from the recordings (`npm run docs`).',
    '',
    `${total.toLocaleString('en')} cases, ${(total - differing).toLocaleString('en')} of them answered alike.`,
    '',
    '| what answered | by | recording, and its test | cases | alike | differences that remain, and what else to know |',
    '|---|---|---|---|---|---|',
    ...rows.map(({ cells }) => `| ${cells.join(' | ')} |`),
    '',
    '## What is not recorded',
    '',
    '- **KubeRay 1.7.0**: its module could not be fetched where the recordings were made. Where it differs from 1.6.2 was read in its',
    '  code, and stands in `src/systems/kuberay/versions.ts` and `served-fields.ts`; its upgrade loop is the one recorded at 1.6.2.',
    '- **LeaderWorkerSet 0.10.0**: its module could not be fetched either. Its code was read: that of rollouts is the code of 0.9.',
    '- **KServe 0.18.0**, for LLMInferenceServices: its module could not be fetched. Its code was read: it has no field for a strategy, and the strategies of 0.19.0.',
    '- **KServe 0.19.0**, for InferenceServices: its recordings would be those of 0.17.0 and 0.20.0, which are the same: what makes Deployments and their strategies is the',
    '  same code, file by file, in all three. From 0.19 on its webhooks refuse the variable PYTHONPATH in the containers of a service and of a runtime; the plan does not.',
    '- **Knative**, for InferenceServices in that mode: its code was read.',
    '- **Fleet**: the package that computes targets is internal, so no program of ours can import it. A program inside Fleet’s own module made',
    '  the recordings, which are kept in our form.',
    '- **Real time**: in the recordings every pod is ready at once, and each reconcile comes as soon as it may act.',
    '- **Upstream’s own test tables**: their figures stand beside the recordings (`*-tables.json`), and tests hold our functions to them too.',
    '',
  ].join('\n');
}

test('docs/conformance.md is made from the recordings (npm run docs writes it anew)', () => {
  expectGenerated('docs/conformance.md', conformancePage());
});

test('every recording of a controller has a row, and its test is there and reads it', () => {
  const recordings = readdirSync(FIXTURES)
    .map((file) => path.basename(file, '.json'))
    .filter((name) => 'cases' in recordingOf(name) && !NO_CONTROLLER.includes(name));
  expect(JUDGES.map(({ recording }) => recording).toSorted()).toEqual(recordings.toSorted());
  const unheld = JUDGES.filter(({ recording, heldBy }) => {
    const file = path.join(ROOT, 'test/upstream', heldBy);
    const name = recording.replace(/-[0-9]\.[0-9]+$/, '').replace(/^kubernetes-/, '');
    return !existsSync(file) || !readFileSync(file, 'utf8').includes(name);
  });
  expect(unheld).toEqual([]);
});

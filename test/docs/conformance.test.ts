import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NO_CONTROLLER, RECORDINGS } from '../upstream/recordings';
import type { RecordingEntry } from '../upstream/recordings';
import { expectGenerated, ROOT } from './generated';

const FIXTURES = path.join(ROOT, 'test/fixtures/upstream');

/** Recorded Go modules, each with the name of its system. */
const SYSTEMS: readonly (readonly [module: string, system: string])[] = [
  ['k8s.io/kubernetes', 'Kubernetes'],
  ['k8s.io/api', 'Kubernetes'],
  ['github.com/kserve/kserve', 'KServe'],
  ['github.com/ray-project/kuberay/ray-operator', 'KubeRay'],
  ['github.com/rancher/fleet', 'Fleet'],
  ['github.com/argoproj/argo-rollouts', 'Argo Rollouts'],
  ['github.com/fluxcd/flagger', 'Flagger'],
  ['github.com/argoproj/argo-cd/v3', 'Argo CD'],
  ['sigs.k8s.io/lws', 'LeaderWorkerSet'],
  ['github.com/fluxcd/flagger', 'Flagger'],
  ['k8s.io/apiextensions-apiserver', 'Kubernetes'],
  ['k8s.io/apimachinery', 'Kubernetes'],
  ['k8s.io/pod-security-admission', 'Kubernetes'],
  ['go', 'Go'],
];

/** Modules of Kubernetes whose versions start with 0 instead of 1. */
const NUMBERED_0: ReadonlySet<string> = new Set([
  'k8s.io/api',
  'k8s.io/apiextensions-apiserver',
  'k8s.io/apimachinery',
  'k8s.io/pod-security-admission',
]);

interface Recording {
  readonly upstream: Readonly<Record<string, string>>;
  /** Cases as a list, or by name. */
  readonly cases: readonly unknown[] | Readonly<Record<string, unknown>>;
}

function recordingOf(name: string): Recording {
  const file = path.join(FIXTURES, `${name}.json`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : gunzipSync(readFileSync(`${file}.gz`)).toString('utf8');
  return JSON.parse(text) as Recording;
}

/** Returns the recorded system and its version. */
function systemOf({ upstream }: Recording): string {
  const [module, system] = SYSTEMS.find(([name]) => name in upstream)!;
  return `${system} ${upstream[module]!.replaceAll('v0.', NUMBERED_0.has(module) ? 'v1.' : 'v0.').replaceAll(/\b(?:v|go)(?=[0-9])/g, '')}`;
}

function countOf({ casesOf = () => 1 }: RecordingEntry, { cases }: Recording): number {
  return Object.values(cases).reduce((sum: number, line) => sum + casesOf(line), 0);
}

function rowOf(entry: RecordingEntry): {
  readonly system: string;
  readonly count: number;
  readonly differing: number;
  readonly cells: string[];
} {
  const recording = recordingOf(entry.recording);
  const count = countOf(entry, recording);
  const differing = entry.differing?.count ?? 0;
  const remarks = [...(entry.differing ? [`${differing}: ${entry.differing.why}`] : []), ...(entry.note ? [entry.note] : [])];
  const system = entry.system ?? systemOf(recording);
  const link = `[${entry.recording}](../test/upstream/${entry.test})`;
  const cells = [system, entry.upstreamCode, link, String(count), String(count - differing), remarks.join('; ') || 'none'];
  return { system, count, differing, cells };
}

function conformancePage(): string {
  const rows = RECORDINGS.map(rowOf);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const differing = rows.reduce((sum, row) => sum + row.differing, 0);
  return [
    '# Conformance',
    '',
    'Plans are compared with the results of upstream’s own code. The programs under [oracle/](../oracle/README.md) import that code,',
    'run it on many inputs, and record the results. The tests under `test/upstream/` compare our functions with every recorded case,',
    'so a difference that is not listed here fails a test. `npm test` runs these tests, except `*.long.test.ts`, which `npm run test:long` runs.',
    'This page is generated from the recordings (`npm run docs`).',
    '',
    `${total.toLocaleString('en')} cases, ${(total - differing).toLocaleString('en')} with the same result.`,
    '',
    '| upstream | code | recording and test | cases | same | remaining differences and remarks |',
    '|---|---|---|---|---|---|',
    ...rows.map(({ cells }) => `| ${cells.join(' | ')} |`),
    '',
    '## What is not recorded',
    '',
    '- **KubeRay 1.7.0**: its module could not be downloaded for the recordings. Its differences from 1.6.2 were read from its code,',
    '  and are in `src/systems/kuberay/versions.ts` and `crd-fields.ts`; its upgrade loop is the one recorded at 1.6.2.',
    '- **LeaderWorkerSet 0.10.0**: its module could not be downloaded either. Its code was read: rollouts are the same as in 0.9.',
    '- **KServe 0.18.0**, for LLMInferenceServices: its module could not be downloaded. Its code was read: it has no strategy field, and uses the strategies of 0.19.0.',
    '- **KServe 0.19.0**, for InferenceServices: its recordings would equal those of 0.17.0 and 0.20.0: the code that creates Deployments and their strategies is the',
    '  same in all three. From 0.19 on, its webhooks refuse the variable PYTHONPATH in the containers of a service or runtime; the plan does not.',
    '- **KServe 0.21.0**: its module could not be downloaded. The code before that release was read, up to 2026-08-21, and 0.21 is planned like it.',
    '  Only the types of its Python client are from 0.21.0 itself. Upgrades to it are not answered.',
    '- **Knative**, for Services of Knative and for InferenceServices in Knative mode: its code was read, up to 1.24 (knative.dev/serving 0.51.0).',
    '  Its reconciler cannot be built: the versions of knative.dev/pkg, networking and caching that 1.22 and later need could not be downloaded.',
    '- **Routers of LLMInferenceServices**: HTTPRoutes, InferencePools and their Services are not reconciled in the recordings of upgrades. They replace no pods.',
    '- **Argo CD 3.6.1**: its code was read. It refreshes all Applications before a step of a RollingSync opens; the steps open in the order of 3.5.',
    '- **Gateway API 1.7.0**: the types of HTTPRoute and the list of its standard CRDs were compared with 1.6. Gateway and GatewayClass were not.',
    '- **Fleet**: the package that computes targets is internal and can’t be imported. A program inside Fleet’s own module made',
    '  the recordings, which are stored in our format.',
    '- **Real time**: in the recordings every pod is ready immediately, and each reconcile runs as soon as it can act.',
    '- **Upstream’s own test tables**: their figures are stored next to the recordings (`*-tables.json`), and tests compare our functions with them too.',
    '',
  ].join('\n');
}

test('docs/conformance.md is generated from the recordings (npm run docs updates it)', () => {
  expectGenerated('docs/conformance.md', conformancePage());
});

test('every recording of a controller has a row, and its test exists and reads it', () => {
  const recordings = readdirSync(FIXTURES)
    .map((file) => file.replace(/\.json(?:\.gz)?$/, ''))
    .filter((name) => 'cases' in recordingOf(name) && !NO_CONTROLLER.includes(name));
  expect(RECORDINGS.map(({ recording }) => recording).toSorted()).toEqual(recordings.toSorted());
  const untested = RECORDINGS.filter(({ recording, test }) => {
    const file = path.join(ROOT, 'test/upstream', test);
    const name = recording.replace(/-[0-9]\.[0-9]+$/, '').replace(/^kubernetes-/, '');
    return !existsSync(file) || !readFileSync(file, 'utf8').includes(name);
  });
  expect(untested).toEqual([]);
});

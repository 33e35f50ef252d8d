import { createRequire } from 'node:module';
import path from 'node:path';
import type * as TypeScript from 'typescript-6-0';

// TypeScript 7 has no API for its language service.
const ts = createRequire(__filename)('typescript-6-0') as typeof TypeScript;

/** What an editor offers at a place. */
interface Completion {
  readonly name: string;
  readonly documentation: string;
}

const ROOT = path.resolve(__dirname, '../..');
const FILE = path.join(ROOT, 'test', 'constructs', 'completed.ts');

/** Returns what the language service of TypeScript offers at `HERE` in a program, in the order in which editors show it. */
function completionsIn(program: string): Completion[] {
  const files: Readonly<Record<string, string>> = { [FILE]: program.replace('HERE', '') };
  const host: TypeScript.LanguageServiceHost = {
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = files[file] ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    // Without the standard library, because no type of it is completed and it takes most of the time.
    getCompilationSettings: () => ({
      strict: true,
      noLib: true,
      types: [],
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      module: ts.ModuleKind.ESNext,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file in files || ts.sys.fileExists(file),
    readFile: (file) => files[file] ?? ts.sys.readFile(file),
  };
  const service = ts.createLanguageService(host);
  const position = program.indexOf('HERE');
  const { entries = [] } = service.getCompletionsAtPosition(FILE, position, {}) ?? {};
  const sorted = entries.toSorted((a, b) => (a.sortText + a.name < b.sortText + b.name ? -1 : 1));
  return sorted.map(({ name }) => {
    const details = service.getCompletionEntryDetails(FILE, position, name, {}, undefined, {}, undefined);
    return { name, documentation: ts.displayPartsToString(details?.documentation) };
  });
}

describe('the props of a predictor, as an editor offers them', () => {
  const completions = completionsIn(
    "import type { PredictorProps } from '../../src/systems/kserve/types';\nexport const predictor: PredictorProps = { HERE };\n",
  );
  const names = completions.map(({ name }) => name);
  const OLDER = ['huggingface', 'lightgbm', 'onnx', 'paddle', 'pmml', 'pytorch', 'sklearn', 'tensorflow', 'triton', 'xgboost'];

  test('are few, and all of them are documented', () => {
    expect(names.length).toBeLessThan(36);
    expect(completions.filter(({ documentation }) => documentation === '')).toEqual([]);
  });

  test('have what a rollout needs before the older forms of a model, which editors sort last', () => {
    expect(names.slice(-OLDER.length)).toEqual(OLDER);
    const leading = names.slice(0, -OLDER.length);
    expect(leading).toEqual(expect.arrayContaining(['maxReplicas', 'minReplicas', 'model', 'rollout']));
    expect(leading.every((name) => !/older form/.test(completions.find((each) => each.name === name)!.documentation))).toBe(true);
  });

  test('have the fields of pods only in podSpec', () => {
    expect(names).toContain('podSpec');
    expect(names.filter((name) => ['affinity', 'nodeSelector', 'tolerations', 'volumes'].includes(name))).toEqual([]);
  });
});

test.each([
  ['ModelSpec', 'systems/kserve/types', 'modelFormat'],
  ['PodFields', 'systems/kserve/passthrough-fields', 'nodeSelector'],
  ['ContainerFields', 'systems/kserve/passthrough-fields', 'readinessProbe'],
  ['StatelessRollingUpdateProps', 'workloads/policies', 'update'],
  ['AvailabilityIntent', 'workloads/deployment/intent', 'mode'],
  ['ResourceAwareIntent', 'workloads/deployment/intent', 'mode'],
  ['RollingUpdateIntent', 'workloads/deployment/intent', 'type'],
  ['RecreateIntent', 'workloads/deployment/intent', 'type'],
  ['GoalIntent', 'workloads/deployment/intent', 'goal'],
])('every field of %s is documented', (type, file, field) => {
  const completions = completionsIn(`import type { ${type} } from '../../src/${file}';\nexport const given: ${type} = { HERE };\n`);
  expect(completions.map(({ name }) => name)).toContain(field);
  expect(completions.filter(({ documentation }) => documentation === '').map(({ name }) => name)).toEqual([]);
});

test.each([
  [
    'an upgrade',
    "import type { UpgradeGoal } from '../../src/systems/kuberay/upgrade-props';\nconst goal: UpgradeGoal = { HERE };\n",
    'extraGpus maxStep prefer startupSeconds within',
  ],
  [
    'a bundle',
    "import type { FleetGoal } from '../../src/systems/fleet/rollout-intent';\nconst goal: FleetGoal = { HERE };\n",
    'atMostClustersAtOnce stopAfterBroken waves',
  ],
  [
    'a rollout',
    "import { Rollout } from '../../src/props/rollout';\nRollout.goal({ HERE });\n",
    'available extraGpus extraPods prefer startupSeconds within',
  ],
])('the goal of %s completes to its documented limits', (_name, program, expected) => {
  const completions = completionsIn(program);
  expect(completions.map(({ name }) => name).join(' ')).toBe(expected);
  expect(completions.filter(({ documentation }) => documentation === '')).toEqual([]);
});

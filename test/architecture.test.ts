import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folderWith } from './folder';

const ROOT = path.resolve(__dirname, '..');
const OXLINT = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');

// A folder without a rule of its own is directly above core: it may import only core, and all except core may import it.
const BASE = ['core', 'a-new-folder', 'input', 'cluster'];
const WORKLOADS = ['workloads', 'workloads/deployment', 'workloads/a-new-kind'];
const SYSTEMS = ['systems/kserve', 'systems/kuberay', 'systems/a-new-system'];

/** The folders of src from the bottom up, each with the folders that it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'a-new-folder': ['core'],
  input: ['core', 'a-new-folder'],
  cluster: ['core', 'a-new-folder'],
  workloads: [...BASE, 'workloads/deployment', 'workloads/a-new-kind'],
  'workloads/deployment': [...BASE, 'workloads', 'workloads/a-new-kind'],
  'workloads/a-new-kind': [...BASE, 'workloads', 'workloads/deployment'],
  'systems/kserve': [...BASE, ...WORKLOADS],
  'systems/kuberay': [...BASE, ...WORKLOADS],
  'systems/a-new-system': [...BASE, ...WORKLOADS],
  plan: [...BASE, ...WORKLOADS, ...SYSTEMS],
  advise: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan'],
  change: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan', 'advise'],
  upgrade: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan', 'advise', 'change'],
  live: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan', 'advise', 'change'],
  props: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan', 'advise', 'change'],
  constructs: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan', 'advise', 'change', 'props', 'render'],
  pulumi: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan', 'advise', 'change', 'props', 'render'],
  render: ['core', 'a-new-folder'],
  mcp: ['core', 'a-new-folder'],
  cli: [...BASE, ...WORKLOADS, ...SYSTEMS, 'plan', 'advise', 'change', 'upgrade', 'live', 'render', 'mcp'],
};

const FOLDERS = Object.keys(MAY_IMPORT);
const ENTRIES = ['index', 'headless'];
const OURS = [...FOLDERS, ...ENTRIES].map((name) => `src/${name}`);
const CDK8S = ['cdk8s', 'cdk8s-plus-28', 'constructs'];
const PULUMI = ['@pulumi/pulumi', '@pulumi/kubernetes/types/input'];
const PACKAGES = [...CDK8S, ...PULUMI, 'rolloutkit', 'rolloutkit/plan', 'yaml'];
/** The YAML reader, a package inside input: its entry, and one of its other files. */
const YAML_READER = ['src/input/yaml', 'src/input/yaml/scalar'];
const IMPORTED = [...OURS, ...YAML_READER, ...PACKAGES];

const PROBES = [
  ...FOLDERS.flatMap((folder) => [`src/${folder}/probe.ts`, `src/${folder}/inner/probe.ts`]),
  'src/systems/a-new-system/inner/most/probe.ts',
  'src/index.ts',
  'src/headless.ts',
  'src/input/yaml/probe.ts',
  'test/input/probe.ts',
  'test/input/yaml/probe.ts',
];

/** Returns a file with one import per line, in the order of IMPORTED. */
function probe(file: string): string {
  const specifier = (name: string) => (PACKAGES.includes(name) ? name : fromFile(file, name));
  return IMPORTED.map((name) => `import '${specifier(name)}';\n`).join('');
}

/** Returns the relative import path of an entry, of the YAML reader, or of a file in a folder. */
function fromFile(file: string, ours: string): string {
  const isFile = ENTRIES.includes(path.posix.basename(ours)) || YAML_READER.includes(ours);
  const target = isFile ? ours : `${ours}/part`;
  const relative = path.posix.relative(path.posix.dirname(file), target);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

interface Report {
  readonly number_of_files: number;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly filename: string;
    readonly labels: readonly [{ readonly span: { readonly line: number } }];
  }[];
}

/** Lints all probes in one run with the rules of the project, and returns the allowed imports of each. */
function findAllowedImports(): Readonly<Record<string, readonly string[]>> {
  const sandbox = folderWith({
    '.oxlintrc.json': readFileSync(path.join(ROOT, '.oxlintrc.json')),
    ...Object.fromEntries(PROBES.map((file) => [file, probe(file)])),
  });
  const { stdout, stderr } = spawnSync(process.execPath, [OXLINT, '--format', 'json', 'src', 'test'], {
    cwd: sandbox.path,
    encoding: 'utf8',
  });
  sandbox.remove();
  const { number_of_files, diagnostics } = JSON.parse(stdout) as Report;
  if (number_of_files !== PROBES.length) throw new Error(`oxlint read ${number_of_files} of ${PROBES.length} files: ${stderr}`);
  const refused = new Set(
    diagnostics
      .filter(({ code }) => code === 'eslint(no-restricted-imports)')
      .map(({ filename, labels }) => `${filename.replaceAll('\\', '/')}:${labels[0].span.line}`),
  );
  return Object.fromEntries(PROBES.map((file) => [file, IMPORTED.filter((_, index) => !refused.has(`${file}:${index + 1}`))]));
}

const ALLOWED = findAllowedImports();

const allowedFolders = (file: string) => FOLDERS.filter((folder) => ALLOWED[file]!.includes(`src/${folder}`));

describe('imports only go downwards, for new folders too', () => {
  test.each(FOLDERS)('a file in src/%s may import its own folder, the listed folders, and no other folder of ours', (folder) => {
    expect(allowedFolders(`src/${folder}/probe.ts`)).toEqual(
      FOLDERS.filter((name) => name === folder || MAY_IMPORT[folder]!.includes(name)),
    );
  });

  test.each(FOLDERS)('a file in a folder of src/%s may import the same', (folder) => {
    expect(allowedFolders(`src/${folder}/inner/probe.ts`)).toEqual(allowedFolders(`src/${folder}/probe.ts`));
  });

  test('a file deeper in a system may import the same', () => {
    expect(allowedFolders('src/systems/a-new-system/inner/most/probe.ts')).toEqual(allowedFolders('src/systems/a-new-system/probe.ts'));
  });

  test.each(FOLDERS)('no file in src/%s may import an entry', (folder) => {
    expect(ENTRIES.filter((entry) => ALLOWED[`src/${folder}/probe.ts`]!.includes(`src/${entry}`))).toEqual([]);
  });

  test.each(['src/index.ts', 'src/headless.ts'])('%s may import every folder', (entry) => {
    expect(allowedFolders(entry)).toEqual(FOLDERS);
  });
});

describe('the YAML reader is an inner package', () => {
  const importsOfReader = (file: string) => YAML_READER.filter((name) => ALLOWED[file]!.includes(name));

  test.each(PROBES.filter((file) => !file.includes('/yaml/')))('%s may import no file of it except its index', (file) => {
    const isAboveInput = !file.startsWith('src/') || ALLOWED[file]!.includes('src/input');
    expect(importsOfReader(file)).toEqual(isAboveInput ? ['src/input/yaml'] : []);
  });

  test('its own tests may import each of its files', () => {
    expect(importsOfReader('test/input/yaml/probe.ts')).toEqual(YAML_READER);
  });

  test('it may import only what all folders may import', () => {
    expect(allowedFolders('src/input/yaml/probe.ts')).toEqual(['core', 'a-new-folder']);
  });
});

describe('cdk8s belongs in src/constructs, Pulumi in src/pulumi, and the entries are for users', () => {
  const OWN: Readonly<Record<string, readonly string[]>> = { 'src/constructs/probe.ts': CDK8S, 'src/pulumi/probe.ts': PULUMI };

  test.each(PROBES.filter((file) => file.startsWith('src/') && !file.includes('/inner/')))(
    '%s may import the packages of its folder, and no others',
    (file) => {
      expect(PACKAGES.filter((name) => ALLOWED[file]!.includes(name))).toEqual([...(OWN[file] ?? []), 'yaml']);
    },
  );
});

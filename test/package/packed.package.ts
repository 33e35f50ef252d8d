import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Packed } from './packed';
import { extended, installed, packed, remove, ROOT, runIn } from './packed';

const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const version = (name: string) => `${name}@${manifest.devDependencies[name]}`;

let published: Packed;
/** A project that installs only the package. */
let alone: string;

beforeAll(async () => {
  published = await packed();
  alone = await installed(path.join(published.home, 'alone'), [published.tarball], {
    'web.yaml': MODEL,
    'plan.js': "console.log(require('rolloutkit/plan').planManifests([]).formatVersion);",
  });
}, 300_000);

afterAll(() => remove(published));

const MODEL = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
`;

const CHART = `new Deployment(chart, 'web', {
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
  },
});`;

describe('the published files', () => {
  test('include the license, the changelog, the schemas and the docs, and no tests or sources', () => {
    const ours = published.files.filter((file) => !/^(?:lib|docs|schemas)\//.test(file));

    expect(ours.toSorted()).toEqual(['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']);
    expect(published.files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([]);
    expect(published.files).toContain('schemas/plan-1.2.json');
  });

  test('include the bill of materials, which lists every dependency that is installed with the package', async () => {
    const { stdout } = await runIn(published.home, 'tar', '-xOf', published.tarball, 'package/lib/sbom.cdx.json');
    const { metadata, components } = JSON.parse(stdout) as {
      readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
      readonly components: readonly { readonly name: string }[];
    };
    const names = components.map(({ name }) => name);

    expect(metadata.component).toMatchObject({ name: 'rolloutkit', version: manifest.version });
    expect(Object.keys(manifest.dependencies).filter((name) => !names.includes(name))).toEqual([]);
    expect(names).not.toContain('jest');
  });

  test('include a compiled file for every source, nothing else except a bundle, and no source maps, which are more than half of the size', () => {
    const compiled = published.files.filter(
      (file) => file.startsWith('lib/') && file.endsWith('.js') && file !== 'lib/cli/rare-modules.js',
    );

    expect(compiled.filter((file) => !existsSync(path.join(ROOT, 'src', file.slice('lib/'.length).replace(/\.js$/, '.ts'))))).toEqual([]);
    expect(published.files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(compiled.length).toBeGreaterThan(200);
  });

  test.each(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'])('include every file that %s links to', (page) => {
    const links = [...readFileSync(path.join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, link]) => link,
    );

    expect(
      links.filter((link) => !published.files.includes(link!) && !published.files.some((file) => file.startsWith(`${link!}/`))),
    ).toEqual([]);
  });

  test('are clean for publint and arethetypeswrong', async () => {
    const { stdout, stderr } = await runIn(ROOT, process.execPath, path.join(__dirname, 'package-linters.mjs'), published.tarball);

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ publint: [], typesWrong: [] });
  }, 120_000);
});

describe('a new project', () => {
  test('that installs only the package has the command line and the headless plan, but neither cdk8s nor Pulumi', async () => {
    const checked = await runIn(alone, 'npx', 'rolloutkit', 'check', 'web.yaml');
    expect({ code: checked.code, stderr: checked.stderr.replace(/^npm warn.*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    expect((await runIn(alone, 'npx', 'rolloutkit', '--version')).stdout.trim()).toBe(manifest.version);
    expect((await runIn(alone, process.execPath, 'plan.js')).stdout.trim()).toBe('1.2');
    await runIn(alone, 'npx', 'rolloutkit', 'plan', 'web.yaml', '--format', 'json', '--output', 'plan.json');
    // A plan document is validated with the published schema.
    const { code, stdout } = await runIn(alone, 'npx', 'rolloutkit', 'diff', 'plan.json', 'plan.json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('no rollout behaves differently') });
    expect(existsSync(path.join(alone, 'node_modules/cdk8s'))).toBe(false);
    expect(existsSync(path.join(alone, 'node_modules/@pulumi'))).toBe(false);
  }, 180_000);

  test('is what the image copies: its entry point runs there as an unprivileged user, with an empty environment', async () => {
    const manifests = path.join(published.home, 'manifests');
    mkdirSync(manifests);
    writeFileSync(path.join(manifests, 'web.yaml'), MODEL);
    chmodSync(published.home, 0o755);
    const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
    expect(dockerfile).toContain('COPY --from=build /app/node_modules /app/node_modules\n');
    const [program, entry] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as [string, string];
    expect(program).toBe('/nodejs/bin/node');

    const unprivileged = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {};
    const options = { cwd: manifests, env: {}, ...unprivileged };
    const run = promisify(execFile)(process.execPath, [entry.replace('/app', alone), 'check', '.'], options);
    await expect(run).resolves.toEqual({ stdout: '1 rollout on Kubernetes 1.36 (assumed): no findings\n', stderr: '' });
  }, 180_000);

  test('with cdk8s synthesizes a policy from CommonJS and from ES modules', async () => {
    const body = `const app = new App();
const chart = new Chart(app, 'shop');
const web = ${CHART.replace('Deployment', 'KubeDeployment')}
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);
process.stdout.write(Yaml.stringify(...chart.toJson()));`;
    const names = '{ App, Chart, Yaml }';
    const folder = await extended(alone, 'with-cdk8s', [version('cdk8s'), version('constructs'), version('cdk8s-plus-28')], {
      'common.cjs': `const ${names} = require('cdk8s');\nconst { k8s: { KubeDeployment } } = require('cdk8s-plus-28');\nconst { DeploymentPolicy } = require('rolloutkit');\n${body}`,
      'module.mjs': `import ${names} from 'cdk8s';\nimport { k8s } from 'cdk8s-plus-28';\nimport { DeploymentPolicy } from 'rolloutkit';\nconst { KubeDeployment } = k8s;\n${body}`,
    });

    const common = await runIn(folder, process.execPath, 'common.cjs');
    const modules = await runIn(folder, process.execPath, 'module.mjs');
    expect(common).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining('maxUnavailable: 0\n') });
    expect(modules).toEqual(common);
  }, 180_000);

  test('with Pulumi previews a component under mocks', async () => {
    const folder = await extended(alone, 'with-pulumi', [version('@pulumi/pulumi'), version('@pulumi/kubernetes')], {
      'program.cjs': `const pulumi = require('@pulumi/pulumi');
(async () => {
  const seen = [];
  await pulumi.runtime.setMocks({ newResource: ({ type, name, inputs }) => (seen.push(type), { id: name, state: inputs }), call: () => ({}) }, 'shop', 'dev', true);
  const { InferenceServiceRollout, Rollout } = require('rolloutkit/pulumi');
  new InferenceServiceRollout('iris', {
    predictor: { minReplicas: 4, model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://bucket/iris' }, rollout: Rollout.availability('25%') },
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  console.log(seen.join('\\n'));
})();`,
    });

    const { code, stdout } = await runIn(folder, process.execPath, 'program.cjs');
    expect({ code, types: stdout.trim().split('\n') }).toEqual({
      code: 0,
      types: expect.arrayContaining(['kubernetes:serving.kserve.io/v1beta1:InferenceService']),
    });
  }, 300_000);
});

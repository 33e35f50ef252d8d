import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { rolloutkit } from '../cli/command-line';

function web(image: string, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "${image}", readinessProbe: { httpGet: { path: /, port: 80 } } }]
`;
}

const KUSTOMIZATION = 'resources: [web.yaml]\n';
/** Two clusters in one repository, with two pods in one and eight in the other; each folder is a unit. */
const UNITS = {
  'clusters/a/kustomization.yaml': KUSTOMIZATION,
  'clusters/a/web.yaml': web('web:1', 2),
  'clusters/b/kustomization.yaml': KUSTOMIZATION,
  'clusters/b/web.yaml': web('web:1', 8),
};
/** The folders from above, without markers of a unit. */
const PLAIN = { 'clusters/a/web.yaml': web('web:1', 2), 'clusters/b/web.yaml': web('web:1', 8) };

type Row = readonly [effect: string, before: number | undefined, file: string | undefined];

function differing(rows: readonly Row[]): Row[] {
  return rows.filter(([effect]) => effect !== 'none');
}

/** Returns what happens to each object of NEW with its file, and the pods of the matched object of OLD. */
async function pairs(files: Readonly<Record<string, string>>, args: string, change: (folder: string) => void): Promise<Row[]> {
  const { stdout } = await rolloutkit(`plan --format json ${args}`, {
    files,
    prepare: (folder) => {
      const git = (...of: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...of], { cwd: folder });
      git('init', '-q', '-b', 'main');
      git('add', '-A');
      git('commit', '-q', '-m', 'first');
      execFileSync('cp', ['-r', 'clusters', 'old'], { cwd: folder });
      change(folder);
    },
  });
  const { change: planned } = JSON.parse(stdout) as PlanDocument;
  const workloads = planned!.objects.filter(({ resource }) => resource.kind === 'Deployment');
  return workloads.map(({ effect, pods, source }) => [effect, pods?.before, source?.file]);
}

const SOURCES = [
  ['.', 'git:HEAD'],
  ['clusters', 'git:HEAD'],
  ['clusters', 'git:HEAD:clusters'],
  ['clusters/', 'git:HEAD:clusters/'],
  ['clusters', 'old'],
  ['.', 'git:HEAD:.'],
] as const;

describe.each(SOURCES)('PATH %s and --from %s', (path, from) => {
  const args = `--from ${from} ${path}${path === '.' ? ' --exclude old' : ''}`;
  const fileOf = (cluster: string) => (path === '.' ? `./clusters/${cluster}/web.yaml` : `clusters/${cluster}/web.yaml`);
  const written = (folder: string, cluster: string, replicas: number) =>
    writeFileSync(join(folder, 'clusters', cluster, 'web.yaml'), web('web:2', replicas));

  test.each([
    ['units', UNITS],
    ['plain folders', PLAIN],
  ])('%s: each cluster is compared with itself', async (_, files) => {
    const both = await pairs(files, args, (folder) => {
      written(folder, 'a', 2);
      written(folder, 'b', 8);
    });
    expect(both).toEqual([
      ['roll', 2, fileOf('a')],
      ['roll', 8, fileOf('b')],
    ]);
  });

  test.each([
    ['units', UNITS],
    ['plain folders', PLAIN],
  ])('%s: if one of them is removed, the other is compared with itself', async (_, files) => {
    for (const [gone, left, replicas] of [
      ['a', 'b', 8],
      ['b', 'a', 2],
    ] as const) {
      const other = await pairs(files, args, (folder) => {
        rmSync(join(folder, 'clusters', gone), { recursive: true });
        written(folder, left, replicas);
      });
      expect(differing(other)).toEqual([['roll', replicas, fileOf(left)]]);
    }
  });

  test.each([
    ['units', UNITS],
    ['plain folders', PLAIN],
  ])('%s: a new cluster is matched with no old one', async (_, files) => {
    const three = await pairs(files, args, (folder) => {
      execFileSync('cp', ['-r', 'clusters/b', 'clusters/0'], { cwd: folder });
      written(folder, '0', 5);
      written(folder, 'b', 8);
    });
    expect(differing(three)).toEqual([
      ['create', 0, fileOf('0')],
      ['roll', 8, fileOf('b')],
    ]);
  });
});

test('an object that moved to another folder is compared with its old version', async () => {
  const moved = await pairs({ 'clusters/a/web.yaml': web('web:1', 2) }, '--from git:HEAD:clusters clusters', (folder) => {
    execFileSync('mv', ['clusters/a', 'clusters/c'], { cwd: folder });
    writeFileSync(join(folder, 'clusters/c/web.yaml'), web('web:2', 2));
  });
  expect(moved).toEqual([['roll', 2, 'clusters/c/web.yaml']]);
});

describe('a copy in another folder does not take the place of the file of OLD', () => {
  const [before, after] = [web('web:1', 2), web('web:2', 2)];
  const FLEET = 'namespace: shop\n';

  test.each<[what: string, old: Readonly<Record<string, string>>, next: Readonly<Record<string, string>>, file: string]>([
    ['before it', { 'd/n.yaml': before }, { 'a/d/n.yaml': before, 'd/n.yaml': after }, 'd/n.yaml'],
    ['below it', { 'd/n.yaml': before }, { 'd/d/n.yaml': before, 'd/n.yaml': after }, 'd/n.yaml'],
    ['next to a file at the root', { 'n.yaml': before }, { 'a/n.yaml': before, 'n.yaml': after }, 'n.yaml'],
    ['next to another name of the file', { 'd/n.yaml': before }, { 'a/d/n.yaml': before, 'd/m.yaml': after }, 'd/m.yaml'],
    ['next to a new unit', { 'd/n.yaml': before }, { 'd/n.yaml': after, 'd/fleet.yaml': FLEET, 'e/n.yaml': before }, 'd/n.yaml'],
    [
      'with several copies',
      { 'd/m.yaml': before, 'd/n.yaml': before },
      { 'a/d/m.yaml': before, 'a/d/n.yaml': before, 'd/n.yaml': after },
      'd/n.yaml',
    ],
  ])('%s', async (_, old, next, file) => {
    for (const from of ['git:HEAD:clusters', 'git:HEAD', 'old']) {
      const path = from === 'git:HEAD' ? '.' : 'clusters';
      const found = await pairs(toFiles('clusters/', old), `--from ${from} ${path}`, (folder) => {
        rmSync(join(folder, 'clusters'), { recursive: true });
        if (path === '.') rmSync(join(folder, 'old'), { recursive: true });
        for (const [name, text] of Object.entries(toFiles('clusters/', next))) {
          mkdirSync(join(folder, dirname(name)), { recursive: true });
          writeFileSync(join(folder, name), text);
        }
      });
      expect([from, found.find(([effect]) => effect === 'roll')?.[2]?.replace(/^\.\//, '')]).toEqual([from, `clusters/${file}`]);
    }
  });

  test('and a colon in the name of a file is no folder', async () => {
    const found = await pairs({ 'clusters/web.yaml': before }, '--from git:HEAD clusters', (folder) =>
      writeFileSync(join(folder, 'clusters/x:web.yaml'), after),
    );
    expect(differing(found)).toEqual([['roll', 2, 'clusters/x:web.yaml']]);
  });
});

function toFiles(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}${name}`, text]));
}

describe('each folder may be for a cluster of its own', () => {
  type Images = Readonly<Record<string, string>>;

  /** Returns what happens to each object, by its file of NEW. An image with a namespace is that of an object which writes it: `web:1@shop`. */
  async function compare(old: Images, next: Images): Promise<string[]> {
    const toManifests = (images: Images) =>
      Object.entries(images).map(([file, text]) => {
        const [image, namespace] = text.split('@');
        return [file, namespace ? web(image!, 2).replace('name: web }', `name: web, namespace: ${namespace} }`) : web(image!, 2)];
      });
    const files = { ...toFiles('old/', Object.fromEntries(toManifests(old))), ...toFiles('new/', Object.fromEntries(toManifests(next))) };
    const { stdout } = await rolloutkit('plan --prune --format json --from old new', { files });
    const { change } = JSON.parse(stdout) as PlanDocument;
    return change!.objects.map(({ effect, source, because }) =>
      [
        source?.file ?? 'only in OLD',
        effect,
        ...because.map(({ old: before, new: after }) => `${String(before)} -> ${String(after)}`),
      ].join(' '),
    );
  }

  test('a second copy in a folder is compared with the object of this folder, not with one of a folder that NEW lacks', async () => {
    expect(
      await compare({ 'prod/web.yaml': 'web:1', 'staging/copy.yaml': 'web:2' }, { 'prod/copy.yaml': 'web:2', 'prod/web.yaml': 'web:1' }),
    ).toEqual(['new/prod/copy.yaml roll web:1 -> web:2', 'new/prod/web.yaml none', 'only in OLD delete']);
  });

  test('the last copy in a folder of OLD counts, whatever other folders of NEW contain', async () => {
    expect(await compare({ 'd1/a.yaml': 'web:1', 'd1/b.yaml': 'web:2' }, { 'd1/a.yaml': 'web:1', 'd2/b.yaml': 'web:2' })).toEqual([
      'new/d1/a.yaml roll web:2 -> web:1',
      'new/d2/b.yaml create',
    ]);
  });

  test('a copy less in a folder deletes nothing, since the cluster keeps the last one', async () => {
    expect(await compare({ 'a.yaml': 'web:1', 'b.yaml': 'web:2', 'c.yaml': 'web:3' }, { 'a.yaml': 'web:1', 'd.yaml': 'web:3' })).toEqual([
      'new/a.yaml none',
      'new/d.yaml none',
    ]);
  });

  test('a folder that moved is compared with the one whose path has the same end, whatever its files are named', async () => {
    expect(
      await compare({ 'x/eu/a.yaml': 'web:1', 'x/us/b.yaml': 'web:2' }, { 'y/app/eu/b.yaml': 'web:1', 'y/app/us/a.yaml': 'web:2' }),
    ).toEqual(['new/y/app/eu/b.yaml none', 'new/y/app/us/a.yaml none']);
  });

  test('two folders that get a namespace are each compared with themselves', async () => {
    expect(await compare({ 'eu/a.yaml': 'web:1', 'us/a.yaml': 'web:2' }, { 'eu/a.yaml': 'web:3@shop', 'us/a.yaml': 'web:4@shop' })).toEqual(
      ['new/eu/a.yaml roll web:1 -> web:3', 'new/us/a.yaml roll web:2 -> web:4'],
    );
  });
});

describe('a bundle of Fleet is the one with its name, or of its folder below the PATH', () => {
  test.each<[what: string, old: Readonly<Record<string, string>>, next: Readonly<Record<string, string>>, effects: readonly string[]]>([
    ['in the same folder', { 'a/fleet.yaml': '' }, { 'a/fleet.yaml': '' }, ['none Bundle a']],
    ['in another folder', { 'a/fleet.yaml': '' }, { 'b/fleet.yaml': '' }, ['create Bundle b', 'delete Bundle a']],
    ['in another folder of this name', { 'a/c/fleet.yaml': '' }, { 'b/c/fleet.yaml': '' }, ['create Bundle c', 'delete Bundle c']],
    ['in another folder with its name', { 'a/fleet.yaml': 'name: x' }, { 'b/fleet.yaml': 'name: x' }, ['none Bundle x']],
    ['with a new name', { 'a/fleet.yaml': '' }, { 'a/fleet.yaml': 'name: x' }, ['create Bundle x', 'delete Bundle a']],
    ['without the name', { 'a/fleet.yaml': 'name: x' }, { 'a/fleet.yaml': '' }, ['create Bundle a', 'delete Bundle x']],
    ['in the other file that Fleet reads', { 'a/fleet.yaml': '' }, { 'a/fleet.yml': '' }, ['none Bundle a']],
  ])('%s', async (_, old, next, effects) => {
    const { stdout } = await rolloutkit('plan --from old new --prune --format json', {
      files: { ...toFiles('old/', old), ...toFiles('new/', next) },
    });
    const { objects } = (JSON.parse(stdout) as PlanDocument).change!;
    expect(objects.map(({ effect, resource }) => `${effect} ${resource.kind} ${resource.name}`)).toEqual(effects);
  });
});

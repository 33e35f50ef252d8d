/** Objects with almost 1,000 levels. Each level needs a part of the stack of Node.js, whose default is 984 kB. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { folderWith } from '../folder';

const KINDS = [
  ['apps/v1', 'Deployment'],
  ['ray.io/v1', 'RayService'],
  ['x.io/v1', 'Widget'],
] as const;

const LEVELS = 985;

/** Writes objects of each kind with a deep field of the spec, of the pods, of a container or of the object itself. */
function formatObjects(leaf: string): string {
  const deep = `${'{"a":'.repeat(LEVELS)}"${leaf}"${'}'.repeat(LEVELS)}`;
  const list = `${'['.repeat(LEVELS)}"${leaf}"${']'.repeat(LEVELS)}`;
  const positions = ['object', 'spec', 'pods', 'container'].flatMap((position) => [deep, list].map((value) => ({ position, value })));
  const objects = KINDS.flatMap(([apiVersion, kind]) =>
    positions.map(({ position, value }, index) => {
      const at = (name: string) => (name === position ? `,"deep":${value}` : '');
      const pods = `{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"c","image":"a:1"${at('container')}}]${at('pods')}}}`;
      return `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a${index}"}${at('object')},"spec":{"selector":{"matchLabels":{"app":"a"}},"template":${pods}${at('spec')}}}`;
    }),
  );
  return objects.join('\n---\n');
}

/** Options of Node.js for a stack of three quarters of the default. Without its compilers, V8 needs the most for each call. */
const SMALL_STACK = ['--no-opt', '--no-sparkplug', '--no-maglev', '--stack-size=740'];

function checkChange(cwd: string, flags: readonly string[] = []): string {
  const program = join(__dirname, '../../lib/cli/main.js');
  return execFileSync(process.execPath, [...flags, program, 'check', '--no-config', '--fail-on', 'never', '--from', 'old', 'new'], {
    cwd,
    encoding: 'utf8',
  });
}

test('a change of them is planned in three quarters of the stack, so that the result never depends on what V8 has compiled', () => {
  const folder = folderWith({ 'old/a.yaml': formatObjects('x'), 'new/a.yaml': formatObjects('y') });
  const printed = checkChange(folder.path, SMALL_STACK);
  expect(printed).not.toContain('call stack');
  expect(printed).toBe(checkChange(folder.path));
  folder.remove();
}, 120_000);

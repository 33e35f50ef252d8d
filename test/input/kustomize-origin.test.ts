import { realpathSync } from 'node:fs';
import path from 'node:path';
import { KustomizeOrigins } from '../../src/input/kustomize/kustomize-origin';
import { folderWith } from '../folder';

const deployment = (name: string, image = 'web:1') => ({
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas: 2, template: { spec: { containers: [{ name: 'web', image }] } } },
});

/** Returns where kustomize reads a field of an object from: `prod/kustomization.yaml:3`. */
function originOf(overlay: string, object: ReturnType<typeof deployment>, trail: readonly (string | number)[]): string {
  const files = folderWith({
    'base/kustomization.yaml': 'resources: [all.yaml]\n',
    'base/all.yaml': ['web', 'web-admin'].map((name) => JSON.stringify(deployment(name))).join('\n---\n'),
    'prod/kustomization.yaml': `namePrefix: prod-\nresources: [../base]\n${overlay}`,
  });
  const id = path.join(files.path, 'prod');
  const unit = { id, name: 'prod', isNamedInput: true, hasMarkerFile: true };
  const origins = new KustomizeOrigins(unit, path.join(id, 'kustomization.yaml'), () => realpathSync(files.path));
  const { file, line } = origins.find({ object, documentText: '' }, trail);
  files.remove();
  return `${file}:${line}`;
}

const REPLICAS = ['spec', 'replicas'];
const IMAGE = ['spec', 'template', 'spec', 'containers', 0, 'image'];

describe('an entry of a kustomization decides only the fields of the object that it names', () => {
  test.each([
    ['replicas', 'replicas: [{name: web, count: 2}]\n', REPLICAS],
    ['a patch', 'patches:\n- patch: "{kind: Deployment, metadata: {name: web}, spec: {replicas: 2}}"\n', REPLICAS],
    ['a patch with a target', 'patches:\n- {target: {name: web}, patch: "{spec: {replicas: 2}}"}\n', REPLICAS],
  ])('%s', (_, overlay, trail) => {
    expect(originOf(overlay, deployment('prod-web'), trail)).toMatch(/^prod\/kustomization.yaml:[34]$/);
    expect(originOf(overlay, deployment('prod-web-admin'), trail)).toBe('base/all.yaml:3');
  });

  test('an image, whatever its registry, tag and digest', () => {
    const overlay = 'images:\n- {name: web, newName: reg:5000/web, newTag: "2"}\n';
    const own = ['reg:5000/web', 'reg:5000/web:2', 'reg:5000/web@sha256:0', 'reg:5000/web:2@sha256:0'];
    expect(own.map((image) => originOf(overlay, deployment('prod-web', image), IMAGE))).toEqual(own.map(() => 'prod/kustomization.yaml:4'));
    expect(originOf(overlay, deployment('prod-web', 'reg:5000/web-admin:2'), IMAGE)).toBe('base/all.yaml:1');
  });
});

import { Deadline, DeadlineError } from '../../src/core/budget/deadline';
import { readText } from './reading';

function locationOf(text: string, path: string, object = 0): string {
  const { objects, locations } = readText(text);
  const source = locations.locate(objects[object]!, path);
  return source ? `${source.file}:${source.line}:${source.column}` : 'nowhere';
}

const TEXT = `# a comment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    serving.kserve.io/deploymentMode: Standard
spec:
  strategy: {rollingUpdate: {maxSurge: 1}}
  template:
    spec:
      containers:
        - name: a
        - image: b
---
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Pod
    metadata: &meta
      name: one
  - apiVersion: v1
    kind: Pod
    metadata:
      <<: *meta
      namespace: shop
`;

describe('the location of a field is that of its key', () => {
  test.each([
    ['', 'app.yaml:2:1'],
    ['metadata.name', 'app.yaml:5:3'],
    ['metadata.annotations[serving.kserve.io/deploymentMode]', 'app.yaml:7:5'],
    ['spec.strategy.rollingUpdate.maxSurge', 'app.yaml:9:30'],
    ['spec.template.spec.containers[1]', 'app.yaml:14:11'],
    ['spec.template.spec.containers[1].image', 'app.yaml:14:11'],
  ])('%p is at %s', (path, location) => {
    expect(locationOf(TEXT, path)).toBe(location);
  });

  test('the location of a missing field is that of the deepest existing map or list around it', () => {
    expect(locationOf(TEXT, 'spec.strategy.rollingUpdate.maxUnavailable')).toBe('app.yaml:9:14');
    expect(locationOf(TEXT, 'spec.template.spec.containers[7].readinessProbe')).toBe('app.yaml:12:7');
    expect(locationOf(TEXT, 'status')).toBe('app.yaml:2:1');
  });

  test('items of a list have their own locations, and a merged field has that of its anchor', () => {
    expect(locationOf(TEXT, '', 1)).toBe('app.yaml:19:5');
    expect(locationOf(TEXT, 'metadata.name', 2)).toBe('app.yaml:22:7');
    expect(locationOf(TEXT, 'metadata.namespace', 2)).toBe('app.yaml:27:7');
  });

  test('items of a PodList have locations too, although their kind is added', () => {
    expect(locationOf('apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a}\n', 'metadata.name')).toBe('app.yaml:4:14');
  });

  test('lines and columns are correct in JSON, after a byte order mark and with Windows line breaks', () => {
    expect(locationOf('{"apiVersion": "v1",\n "kind": "Pod",\n "spec": {"x": 1}}', 'spec.x')).toBe('app.yaml:3:11');
    expect(locationOf('\ufeffkind: Pod\r\napiVersion: v1\r\nspec:\r\n  x: 1\r\n', 'spec.x')).toBe('app.yaml:4:3');
    expect(locationOf('\ufeffkind: Pod\r\napiVersion: v1\r\n', 'kind')).toBe('app.yaml:1:1');
  });
});

test('an object that was not read from a file has no location', () => {
  expect(readText(TEXT).locations.locate({}, 'spec')).toBeUndefined();
});

test('a document is not read again for a location after the deadline', () => {
  const { objects, locations } = readText('kind: A\napiVersion: v1\n---\nkind: B\napiVersion: v1\n');
  let now = 0;
  const deadline = new Deadline(1, () => now);

  expect(deadline.limit(() => locations.locate(objects[0]!, 'kind')?.line)).toBe(1);
  now = 2_000;
  expect(deadline.limit(() => locations.locate(objects[0]!, 'kind')?.line)).toBe(1);
  expect(() => deadline.limit(() => locations.locate(objects[1]!, 'kind'))).toThrow(DeadlineError);
});

import { toFieldPath } from '../manifest/field-path';
import { ObjectNameMap } from '../manifest/object-name-map';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding, Source } from '../findings/finding';
import { describeObject } from '../manifest/manifest';
import type { Manifest } from '../manifest/manifest';

interface DuplicateData {
  /** `Deployment shop/web`. */
  readonly resource: string;
  /** Location of the first one; absent if it is not known. */
  readonly first?: { readonly file: string; readonly line: number };
}

interface ConstructData {
  /** `Deployment shop/web`. */
  readonly resource: string;
  /** Path of the construct that creates the other object. */
  readonly constructPath: string;
}

/** Two objects with the same name. */
export const duplicateResource = defineRule({
  code: 'input/duplicate-resource',
  since: '0.1.0',
  severity: 'error',
  fires: 'Two objects in one file, stream or rendered output have the same group, kind, namespace and name.',
  why:
    'A cluster has only one object with that name: the later document overwrites the earlier one, or an apply of both fails. ' +
    'Both are planned, since the input does not say which one is intended. Two separate files may contain the same object, as a base and its overlay do.',
  fix: 'Delete one of the two, or give it a different name or namespace.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-canary
spec:
  replicas: 5
  selector:
    matchLabels:
      app: web-canary
  template:
    metadata:
      labels:
        app: web-canary
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    duplicate: defineMessage<DuplicateData>({
      text: ({ resource, first }) =>
        `${resource} appears twice in one file or stream (${first === undefined ? 'the first is above it' : `the first is at ${first.file}:${first.line}`}), but a cluster has only one object with that name.`,
      help: () => 'Delete one of the two, or give it a different name or namespace.',
      sample: { resource: 'Deployment web', first: { file: 'web.yaml', line: 4 } },
      variants: [{ resource: 'Deployment shop/web' }],
    }),
    madeByConstruct: defineMessage<ConstructData>({
      text: ({ resource, constructPath }) =>
        `${resource} is also created at ${constructPath}, but a cluster has only one object with that name.`,
      help: () => 'Give one of the two a different name or namespace, or put charts for different clusters into separate apps.',
      sample: { resource: 'Deployment shop/web', constructPath: 'shop/web/Resource' },
    }),
  },
});

type Locate = (object: Manifest, path: string) => Source | undefined;

const NAME_PATH = toFieldPath`metadata.name`;

function createDuplicateResourceFinding(object: Manifest, location: Source | undefined, locate: Locate): Finding {
  return duplicateResource.createFinding('duplicate', {
    path: NAME_PATH,
    data: { resource: describeObject(object), ...(location && { first: { file: location.file, line: location.line } }) },
    source: locate(object, NAME_PATH),
  });
}

/**
 * Returns one finding for every object with the same name as an earlier one of its stream.
 * Two separate files may contain the same object: a base and its overlay, or manifests for two clusters.
 *
 * @param streamOf the file or stream that contains an object; undefined if it was read from none
 */
export function checkDuplicateResource(
  objects: readonly Manifest[],
  streamOf: (object: Manifest) => object | undefined,
  locate: Locate,
): Finding[] {
  const streams = new Map<object | undefined, ObjectNameMap<Manifest>>();
  const copies = new Map<Manifest, Manifest>();
  for (const object of objects) {
    const stream = streamOf(object);
    const byName = streams.get(stream) ?? new ObjectNameMap<Manifest>();
    streams.set(stream, byName);
    const first = byName.addIfAbsent(object, object);
    if (first) copies.set(object, first);
  }
  const firsts = new Set(copies.values());
  // To locate objects of two documents in turn would read both again each time, so all of the first objects are located before their copies.
  const locations = new Map(objects.filter((object) => firsts.has(object)).map((object) => [object, locate(object, NAME_PATH)]));
  return [...copies].map(([object, first]) => createDuplicateResourceFinding(object, locations.get(first), locate));
}

import { toFieldPath } from '../field-path';
import { ObjectNameMap } from '../object-name-map';
import { defineMessage, defineRule } from '../finding';
import type { Finding, Source } from '../finding';
import { describeObject } from '../manifest';
import type { Manifest } from '../manifest';

interface DuplicateData {
  /** `Deployment shop/web`. */
  readonly resource: string;
  /** Where the first one stands; absent where that is not known. */
  readonly first?: { readonly file: string; readonly line: number };
}

interface ConstructData {
  /** `Deployment shop/web`. */
  readonly resource: string;
  /** The construct that makes the other one, by its path. */
  readonly constructPath: string;
}

/** Two objects of one name. */
export const duplicateResource = defineRule({
  code: 'input/duplicate-resource',
  since: '0.1.0',
  severity: 'error',
  fires: 'Two objects of one file, one stream or one rendered output have the same group, kind, namespace and name.',
  why:
    'A cluster holds one object of that name: the later document overwrites the earlier one, or an apply of both fails. ' +
    'Both are planned, since the input does not say which one is meant. Two files may hold one object, as a base and its overlay do.',
  fix: 'Delete one of the two, or give it a name or namespace of its own.',
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
        `${resource} stands in one file or stream twice; the first ${first === undefined ? 'comes before it' : `is at ${first.file}:${first.line}`}, and a cluster holds one object of that name.`,
      help: () => 'Delete one of the two, or give it a name or namespace of its own.',
      sample: { resource: 'Deployment web', first: { file: 'web.yaml', line: 4 } },
      variants: [{ resource: 'Deployment shop/web' }],
    }),
    madeByConstruct: defineMessage<ConstructData>({
      text: ({ resource, constructPath: other }) => `${resource} is made at ${other} too, and a cluster holds one object of that name.`,
      help: () => 'Give one of the two another name or namespace, or put charts for several clusters into apps of their own.',
      sample: { resource: 'Deployment shop/web', constructPath: 'shop/web/Resource' },
    }),
  },
});

type Locate = (object: Manifest, path: string) => Source | undefined;

function createDuplicateResourceFinding(object: Manifest, first: Manifest, locate: Locate): Finding {
  const path = toFieldPath`metadata.name`;
  const location = locate(first, path);
  return duplicateResource.createFinding('duplicate', {
    path,
    data: { resource: describeObject(object), ...(location && { first: { file: location.file, line: location.line } }) },
    source: locate(object, path),
  });
}

/**
 * One finding for every object that is the same as an earlier one of its stream. Two files may well hold one object:
 * a base and its overlay, or what is applied to two clusters.
 *
 * @param streamOf the file or stream that holds an object; undefined where it was read from none
 */
export function checkDuplicateResource(
  objects: readonly Manifest[],
  streamOf: (object: Manifest) => object | undefined,
  locate: Locate,
): Finding[] {
  const streams = new Map<object | undefined, ObjectNameMap<Manifest>>();
  const findings: Finding[] = [];
  for (const object of objects) {
    const stream = streamOf(object);
    const byName = streams.get(stream) ?? new ObjectNameMap<Manifest>();
    streams.set(stream, byName);
    const first = byName.addIfAbsent(object, object);
    if (first) findings.push(createDuplicateResourceFinding(object, first, locate));
  }
  return findings;
}

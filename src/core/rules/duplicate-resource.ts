import { message, rule } from '../finding';

interface TwiceData {
  /** `Deployment shop/web`. */
  readonly resource: string;
  /** Where the first one stands; absent where that is not known. */
  readonly first?: { readonly file: string; readonly line: number };
}

interface ServicesData {
  readonly name: string;
}

/** Two objects of one name. */
export const duplicateResource = rule({
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
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-canary
spec:
  replicas: 5
`,
  messages: {
    twice: message<TwiceData>({
      text: ({ resource, first }) =>
        `${resource} stands in one file or stream twice; the first ${first === undefined ? 'comes before it' : `is at ${first.file}:${first.line}`}, and a cluster holds one object of that name.`,
      help: () => 'Delete one of the two, or give it a name or namespace of its own.',
      sample: { resource: 'Deployment web', first: { file: 'web.yaml', line: 4 } },
      variants: [{ resource: 'Deployment shop/web' }],
    }),
    services: message<ServicesData>({
      text: ({ name }) => `Both services are named "${name}", so they would be one and the same RayService.`,
      help: () => 'Give the next service a name of its own, such as one that ends in its version.',
      sample: { name: 'llm' },
    }),
  },
});

import type { FieldPath } from '../field-path';
import { message, rule } from '../finding';
import type { Finding, Source } from '../finding';

interface KeyData {
  readonly key: string;
  /** The line of the one before, which does not count. */
  readonly first: number;
}

/** A key that stands twice in one map. */
export const duplicateKey = rule({
  code: 'input/duplicate-key',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A key stands twice in one map of an object.',
  why: 'kubectl takes the last of them without a word, and so does the plan; other tools refuse the file.',
  fix: 'Delete the one that is not meant.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
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
  fixed: `apiVersion: apps/v1
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
  messages: {
    twice: message<KeyData>({
      text: ({ key, first }) =>
        `The key "${key}" stands twice in this map; the one at line ${first} does not count, for kubectl takes the last.`,
      help: () => 'Delete the one that is not meant.',
      sample: { key: 'replicas', first: 6 },
    }),
  },
});

/** Says of a key that it stands twice. */
export function duplicateKeyFinding(path: FieldPath, data: KeyData, source: Source): Finding {
  return duplicateKey.finding('twice', { path, data, source });
}

import { ROOT_PATH } from '../field-path';
import type { FieldPath } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding, Severity, Source } from '../finding';
import { pluralize } from '../text-format';

interface KeyData {
  readonly key: string;
  /** The line of the one before, which does not count. */
  readonly first: number;
}

interface OmittedKeysData {
  readonly file: string;
  /** How many were told one by one. */
  readonly listed: number;
  readonly omitted: number;
}

/** A key that stands twice in one map. */
export const duplicateKey = defineRule({
  code: 'input/duplicate-key',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires:
    'A key stands twice in one map of an object; an error in a file that a kustomization names among its resources. ' +
    'Of one file the first 100 are told one by one, and the others together.',
  why:
    'kubectl takes the last of them without a word before anything is validated, `--validate=strict` or not, and so does the plan. ' +
    '`kustomize build`, and what builds with it, reads strictly: "mapping key already defined". So does the API server for a client that sends the file itself ' +
    'with `fieldValidation=Strict`; where yours does, make it an error in `rolloutkit.yaml`.',
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
  fixedExample: `apiVersion: apps/v1
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
    duplicate: defineMessage<KeyData>({
      text: ({ key, first }) =>
        `The key "${key}" stands twice in this map; the one at line ${first} does not count, for kubectl takes the last.`,
      help: () => 'Delete the one that is not meant.',
      sample: { key: 'replicas', first: 6 },
    }),
    refused: defineMessage<KeyData>({
      text: ({ key, first }) =>
        `The key "${key}" stands twice in this map, at line ${first} and here, and kustomize build refuses the file, which a kustomization names.`,
      help: () => 'Delete the one that is not meant.',
      sample: { key: 'replicas', first: 6 },
    }),
    omitted: defineMessage<OmittedKeysData>({
      text: ({ file, listed: told, omitted: more }) =>
        `In the file ${file} ${pluralize(more, 'more key stands', 'more keys stand')} twice in a map; the first ${told} are told one by one.`,
      help: () => 'Delete those that are not meant.',
      sample: { file: 'web.yaml', listed: 100, omitted: 999_900 },
      variants: [{ file: 'web.yaml', listed: 100, omitted: 1 }],
    }),
  },
});

/** Says how many keys of a file stand twice beside those that are told. */
export function createOmittedDuplicateKeysFinding(data: OmittedKeysData, source: Source, severity: Severity): Finding {
  return duplicateKey.createFinding('omitted', { path: ROOT_PATH, data, source, severity });
}

/**
 * Says of a key that it stands twice.
 *
 * @param isStrict - does a strict reader take the file, which refuses it? Source: kustomize 5.5, kyaml, by go.yaml.in/yaml/v3
 */
export function createDuplicateKeyFinding(path: FieldPath, data: KeyData, source: Source, isStrict: boolean): Finding {
  return duplicateKey.createFinding(isStrict ? 'refused' : 'duplicate', { path, data, source, severity: isStrict ? 'error' : 'warning' });
}

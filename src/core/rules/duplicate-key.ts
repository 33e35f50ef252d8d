import { ROOT_PATH } from '../manifest/field-path';
import type { FieldPath } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding, Severity, Source } from '../findings/finding';
import { pluralize } from '../text/text-format';

interface KeyData {
  readonly key: string;
  /** Line of the earlier occurrence, which is ignored. */
  readonly first: number;
}

interface OmittedKeysData {
  readonly file: string;
  /** Number of findings that are listed individually. */
  readonly listed: number;
  readonly omitted: number;
}

/** A key that appears twice in one map. */
export const duplicateKey = defineRule({
  code: 'input/duplicate-key',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires: 'A key appears twice in one map of an object (an error in a file that a kustomization lists as a resource, otherwise a warning).',
  why:
    'kubectl silently uses the last value before anything is validated, even with `--validate=strict`, and so does the plan. ' +
    '`kustomize build`, and every tool that builds with it, reads strictly: "mapping key already defined". So does the API server for a client that sends the file itself ' +
    'with `fieldValidation=Strict`; if your client does, make it an error in `rolloutkit.yaml`. ' +
    'The first 100 keys of a file are listed individually, and the others together in one finding.',
  fix: 'Delete the key that is not intended.',
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
        `The key "${key}" appears twice in this map; kubectl uses the last one, so the one at line ${first} has no effect.`,
      help: () => 'Delete the key that is not intended.',
      sample: { key: 'replicas', first: 6 },
    }),
    refused: defineMessage<KeyData>({
      text: ({ key, first }) =>
        `The key "${key}" appears twice in this map, at line ${first} and here: a kustomization lists this file, and kustomize build refuses it.`,
      help: () => 'Delete the key that is not intended.',
      sample: { key: 'replicas', first: 6 },
    }),
    omitted: defineMessage<OmittedKeysData>({
      text: ({ file, listed, omitted }) =>
        `In the file ${file}, ${pluralize(omitted, 'more key appears', 'more keys appear')} twice in a map; only the first ${listed} are listed.`,
      help: () => 'Delete the keys that are not intended.',
      sample: { file: 'web.yaml', listed: 100, omitted: 999_900 },
      variants: [{ file: 'web.yaml', listed: 100, omitted: 1 }],
    }),
  },
});

/** Creates the finding for the duplicate keys of a file that are not listed individually. */
export function createOmittedDuplicateKeysFinding(data: OmittedKeysData, source: Source, severity: Severity): Finding {
  return duplicateKey.createFinding('omitted', { path: ROOT_PATH, data, source, severity });
}

/**
 * Creates the finding for a key that appears twice.
 *
 * @param isStrict - whether a strict reader, which refuses the file, reads it. Source: kustomize 5.5, kyaml, by go.yaml.in/yaml/v3
 */
export function createDuplicateKeyFinding(path: FieldPath, data: KeyData, source: Source, isStrict: boolean): Finding {
  return duplicateKey.createFinding(isStrict ? 'refused' : 'duplicate', { path, data, source, severity: isStrict ? 'error' : 'warning' });
}

import { suggestManualFix, suggestAutomaticFix, renameField } from '../suggested-fix';
import { getFieldName, buildFieldPath, parseFieldPath } from '../field-path';
import type { FieldPath } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { isFields } from '../manifest';
import { findClosestName } from '../did-you-mean';
import { filterProblems, findSchemaProblems } from '../schema';
import type { ProblemOf } from '../schema';
import { getProduct } from '../versions';
import type { Product } from '../versions';

export interface UnknownFieldData {
  /** The map that has no such field, as a path: `spec.strategy`; empty for a whole file. */
  readonly parentPath: string;
  readonly field: string;
  /** Who drops it: `the API server`. */
  readonly reader: string;
  /** The known name that was likely meant. */
  readonly nearest?: string;
  readonly knownFields: readonly string[];
}

interface TooNewData {
  readonly field: string;
  /** `Kubernetes`. */
  readonly product: string;
  /** As `--versions` names it: `kubernetes`. */
  readonly option: string;
  readonly version: string;
  readonly since: string;
}

interface RemovedFieldData {
  readonly field: string;
  readonly product: string;
  readonly version: string;
  readonly until: string;
}

/** Who drops what an object has beside its type. */
const API_SERVER = 'the API server';

/** What to write instead of an unknown field. */
export function formatUnknownFieldHelp({ nearest, knownFields }: UnknownFieldData): string {
  return nearest === undefined ? `Delete the field; known here: ${knownFields.join(', ')}.` : `Write ${nearest}, or delete the field.`;
}

/** The same letters, whatever their case and what parts the words. */
function isSpellingVariant(one: string, other: string): boolean {
  const letters = (name: string) => name.replaceAll(/[-_ ]/g, '').toLowerCase();
  return letters(one) === letters(other);
}

/** A field that its reader does not know and drops. */
export const unknownField = defineRule({
  code: 'input/unknown-field',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An object or file holds a field that its consumer does not know: a misspelt one, or one in the wrong place.',
  why:
    'kubectl refuses an object with an unknown field by default (`--validate=strict`). From every other client (Argo CD, Flux, Helm, Pulumi) ' +
    'the API server drops it, and the controller never sees it, so what was meant does not happen: `repicas: 3` is one replica. ' +
    'Looked for in the whole of a Deployment, StatefulSet or DaemonSet, and elsewhere where a rollout is configured: ' +
    'in strategies of any system, and in the other fields that decide how a change goes. ' +
    'With `--crds` and the CRDs of its system, every field of a custom resource is looked at, such as `minReplica` of an InferenceService.',
  fix: 'Write the field as the API spells it, or delete it.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate:
      max_surge: 1
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
  strategy:
    rollingUpdate:
      maxSurge: 1
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
    unknown: defineMessage<UnknownFieldData>({
      text: ({ parentPath: holder, field, reader }) =>
        reader === API_SERVER
          ? `${holder || 'the object'} has no field "${field}": kubectl refuses the object by default, and from any other client ${reader} drops the field, so it has no effect.`
          : `${holder || 'the file'} has no field "${field}"; ${reader} drops it, so it has no effect.`,
      help: formatUnknownFieldHelp,
      suggestedFix: ({ field, nearest }, path) => {
        if (nearest === undefined) return undefined;
        // Go's names in other letters, as `max_surge`, can mean nothing else; what is misspelt may.
        return isSpellingVariant(field, nearest)
          ? suggestAutomaticFix(renameField(path, nearest))
          : suggestManualFix(renameField(path, nearest));
      },
      sample: {
        parentPath: 'spec.strategy.rollingUpdate',
        field: 'max_surge',
        reader: 'the API server',
        nearest: 'maxSurge',
        knownFields: ['maxSurge', 'maxUnavailable'],
      },
      variants: [{ parentPath: 'spec', field: 'partitons', reader: 'the operator', nearest: 'partitions', knownFields: ['partitions'] }],
    }),
    tooNew: defineMessage<TooNewData>({
      text: ({ product, version, field, since }) =>
        `${product} ${version} does not know ${field}, which came with ${since}, and drops it in silence.`,
      help: ({ product, since, option }) => `Delete the field, or plan for ${product} ${since} or later: --versions ${option}=${since}.`,
      sample: { field: 'ordinals', product: 'Kubernetes', option: 'kubernetes', version: '1.25', since: '1.26' },
    }),
    removed: defineMessage<RemovedFieldData>({
      text: ({ product, version, field, until }) => `${product} ${version} drops ${field} in silence: it went with ${until}.`,
      help: () => 'Delete the field.',
      sample: { field: 'source', product: 'Kubernetes', version: '1.34', until: '1.31' },
    }),
  },
});

/** What a finding keeps of an unknown field. */
export function buildUnknownFieldData({ path, knownFields }: ProblemOf<'unknown'>, reader = API_SERVER): UnknownFieldData {
  const parts = parseFieldPath(path);
  const field = String(parts.at(-1));
  const nearest = findClosestName(field, knownFields);
  return { parentPath: buildFieldPath(...parts.slice(0, -1)), field, reader, ...(nearest !== undefined && { nearest }), knownFields };
}

/** A field that its reader does not know and drops. */
export function createUnknownFieldFinding(problem: ProblemOf<'unknown'>, reader?: string): Finding {
  return unknownField.createFinding('unknown', { path: problem.path, data: buildUnknownFieldData(problem, reader) });
}

/** Every field of the map at `path` that is not among the known ones; nothing where there is no map. */
export function checkUnknownField(value: unknown, path: FieldPath, knownFields: readonly string[], reader?: string): Finding[] {
  if (!isFields(value) || Object.keys(value).every((name) => knownFields.includes(name))) return [];
  const fields = Object.fromEntries(knownFields.map((name) => [name, { type: 'any' } as const]));
  const problems = findSchemaProblems(value, { type: 'map', fields, isClosed: true }, path);
  return filterProblems(problems, 'unknown').map((problem) => createUnknownFieldFinding(problem, reader));
}

/** Says of a field that a later version of its product knows it first. */
export function createTooNewFieldFinding({ path, since }: ProblemOf<'too-new'>, product: Product, version: string): Finding {
  const data = { field: getFieldName(path), product: getProduct(product).name, option: product, version, since };
  return unknownField.createFinding('tooNew', { path, data });
}

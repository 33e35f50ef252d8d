import { byChoice, plainly, rename } from '../advice';
import { fieldName, fieldPath, fieldPathParts } from '../field-path';
import type { FieldPath } from '../field-path';
import { message, rule } from '../finding';
import type { Finding } from '../finding';
import { isFields } from '../manifest';
import { nearestName } from '../nearest-name';
import { ofKind, schemaProblems } from '../schema';
import type { ProblemOf } from '../schema';
import { knownProduct } from '../versions';
import type { Product } from '../versions';

export interface UnknownFieldData {
  /** The map that has no such field, as a path: `spec.strategy`; empty for a whole file. */
  readonly holder: string;
  readonly field: string;
  /** Who drops it: `the API server`. */
  readonly reader: string;
  /** The known name that was likely meant. */
  readonly nearest?: string;
  readonly known: readonly string[];
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

interface GoneData {
  readonly field: string;
  readonly product: string;
  readonly version: string;
  readonly until: string;
}

/** Who drops what an object has beside its type. */
const API_SERVER = 'the API server';

/** What to write instead of an unknown field. */
export function knownFieldAdvice({ nearest, known }: UnknownFieldData): string {
  return nearest === undefined ? `Delete the field; known here: ${known.join(', ')}.` : `Write ${nearest}, or delete the field.`;
}

/** The same letters, whatever their case and what parts the words. */
function isSpelling(one: string, other: string): boolean {
  const letters = (name: string) => name.replaceAll(/[-_ ]/g, '').toLowerCase();
  return letters(one) === letters(other);
}

/** A field that its reader does not know and drops. */
export const unknownField = rule({
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
  fixed: `apiVersion: apps/v1
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
    unknown: message<UnknownFieldData>({
      text: ({ holder, field, reader }) =>
        reader === API_SERVER
          ? `${holder || 'the object'} has no field "${field}": kubectl refuses the object by default, and from any other client ${reader} drops the field, so it has no effect.`
          : `${holder || 'the file'} has no field "${field}"; ${reader} drops it, so it has no effect.`,
      help: knownFieldAdvice,
      advice: ({ field, nearest }, path) => {
        if (nearest === undefined) return undefined;
        // Go's names in other letters, as `max_surge`, can mean nothing else; what is misspelt may.
        return isSpelling(field, nearest) ? plainly(rename(path, nearest)) : byChoice(rename(path, nearest));
      },
      sample: {
        holder: 'spec.strategy.rollingUpdate',
        field: 'max_surge',
        reader: 'the API server',
        nearest: 'maxSurge',
        known: ['maxSurge', 'maxUnavailable'],
      },
      variants: [{ holder: 'spec', field: 'partitons', reader: 'the operator', nearest: 'partitions', known: ['partitions'] }],
    }),
    tooNew: message<TooNewData>({
      text: ({ product, version, field, since }) =>
        `${product} ${version} does not know ${field}, which came with ${since}, and drops it in silence.`,
      help: ({ product, since, option }) => `Delete the field, or plan for ${product} ${since} or later: --versions ${option}=${since}.`,
      sample: { field: 'ordinals', product: 'Kubernetes', option: 'kubernetes', version: '1.25', since: '1.26' },
    }),
    gone: message<GoneData>({
      text: ({ product, version, field, until }) => `${product} ${version} drops ${field} in silence: it went with ${until}.`,
      help: () => 'Delete the field.',
      sample: { field: 'source', product: 'Kubernetes', version: '1.34', until: '1.31' },
    }),
  },
});

/** What a finding keeps of an unknown field. */
export function unknownFieldData({ path, known }: ProblemOf<'unknown'>, reader = API_SERVER): UnknownFieldData {
  const parts = fieldPathParts(path);
  const field = String(parts.at(-1));
  const nearest = nearestName(field, known);
  return { holder: fieldPath(...parts.slice(0, -1)), field, reader, ...(nearest !== undefined && { nearest }), known };
}

/** A field that its reader does not know and drops. */
export function unknownFieldFinding(problem: ProblemOf<'unknown'>, reader?: string): Finding {
  return unknownField.finding('unknown', { path: problem.path, data: unknownFieldData(problem, reader) });
}

/** Every field of the map at `path` that is not among the known ones; nothing where there is no map. */
export function unknownFieldFindings(value: unknown, path: FieldPath, known: readonly string[], reader?: string): Finding[] {
  if (!isFields(value) || Object.keys(value).every((name) => known.includes(name))) return [];
  const fields = Object.fromEntries(known.map((name) => [name, { type: 'any' } as const]));
  const problems = schemaProblems(value, { type: 'map', fields, isWhole: true }, path);
  return ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem, reader));
}

/** Says of a field that a later version of its product knows it first. */
export function tooNewFinding({ path, since }: ProblemOf<'too-new'>, product: Product, version: string): Finding {
  const data = { field: fieldName(path), product: knownProduct(product).name, option: product, version, since };
  return unknownField.finding('tooNew', { path, data });
}

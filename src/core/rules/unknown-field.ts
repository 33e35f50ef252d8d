import { suggestManualFix, suggestAutomaticFix, renameField } from '../findings/suggested-fix';
import { getFieldName, buildFieldPath, parseFieldPath } from '../manifest/field-path';
import type { FieldPath } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { isFields } from '../manifest/manifest';
import { createCountedFindings } from '../findings/finding-limits';
import { findClosestName } from '../errors/did-you-mean';
import { filterProblems, findSchemaProblems } from '../values/schema';
import type { ProblemOf, SchemaProblem } from '../values/schema';
import { getProduct } from '../values/versions';
import type { Product } from '../values/versions';

export interface UnknownFieldData {
  /** Path of the map that has no such field: `spec.strategy`; empty for an entire file. */
  readonly parentPath: string;
  readonly field: string;
  /** Component that drops the field: `the API server`. */
  readonly reader: string;
  /** Known name that was probably intended. */
  readonly nearest?: string;
  readonly knownFields: readonly string[];
}

interface TooNewData {
  readonly field: string;
  /** Name of the product: `Kubernetes`. */
  readonly product: string;
  /** Name of the product for `--versions`: `kubernetes`. */
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

/** Component that drops unknown fields, unless another reader is given. */
const API_SERVER = 'the API server';

/** Largest number of known fields that advice lists. A pod has more than anyone reads. */
const MAX_KNOWN_FIELDS = 20;

function joinKnownFields(names: readonly string[]): string {
  const omitted = names.length - MAX_KNOWN_FIELDS;
  return names.slice(0, MAX_KNOWN_FIELDS).join(', ') + (omitted > 0 ? ` and ${omitted} more` : '');
}

/** Formats what to write instead of an unknown field. */
export function formatUnknownFieldHelp({ nearest, knownFields }: UnknownFieldData): string {
  if (nearest !== undefined) return `Write ${nearest}, or delete the field.`;
  return knownFields.length === 0 ? 'Delete the field.' : `Delete the field; the known fields here are ${joinKnownFields(knownFields)}.`;
}

/** Reports whether two names differ only in case and in how words are separated. */
function isSpellingVariant(one: string, other: string): boolean {
  const letters = (name: string) => name.replaceAll(/[-_ ]/g, '').toLowerCase();
  return letters(one) === letters(other);
}

/** A field that its reader does not know and drops. */
export const unknownField = defineRule({
  code: 'input/unknown-field',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An object or file has a field that its reader does not know, because it is misspelled or in the wrong place.',
  why:
    'kubectl refuses an object with an unknown field by default (`--validate=strict`), and a server-side apply is refused: ' +
    'by Helm 4 and Pulumi, and by Flux for a custom resource. For every other client, such as Argo CD and Helm 3, ' +
    'the API server drops the field and the controller never sees it, so it has no effect: with `repicas: 3` there is one replica. ' +
    'All fields of the built-in kinds that `kubernetes/refused-object` names are checked, and those of a Deployment, StatefulSet or DaemonSet. ' +
    'So are those of an InferenceService, such as `minReplica`, and those of a RayService, RayCluster, LeaderWorkerSet and Rollout, ' +
    'a Bundle, HelmOp and GitRepo of Fleet, a ScaledObject of KEDA, a Canary of Flagger, a ServingRuntime, a ClusterServingRuntime and a Service of Knative. ' +
    'Some fields are reported only if a known one is similar, because a later version may have them: ' +
    'those of pods and containers in most custom resources, those of an LLMInferenceService, ' +
    'and those of an InferenceService from the fifth part of their path on, such as `spec.predictor.model.resources.limit`. ' +
    'Some places are open: in a Ray cluster, the spec of a Service and the ports and peers of a network policy; ' +
    'in a Rollout, the analyses, experiments, routers, affinities and metadata of its strategy; ' +
    'in an LLMInferenceService, maps such as `baseRefs`, `model.lora`, `scaling.wva`, `tracing` and the references of its router. ' +
    'In other custom resources, only the fields that configure a rollout are checked: ' +
    'the strategies of every system, and the other fields that decide how a change rolls out. ' +
    'With `--crds` and the CRDs of its system, every field of a custom resource is checked.',
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
      text: ({ parentPath, field, reader }) =>
        reader === API_SERVER && field.startsWith('$')
          ? `${parentPath || 'the object'} has ${field}, a directive of a strategic merge patch: kubectl refuses it in a new object, and deletes or keeps parts of a live object because of it. For any other client ${reader} drops the field.`
          : reader === API_SERVER
            ? `${parentPath || 'the object'} has no field "${field}": kubectl refuses the object by default, and so does a server-side apply; for any other client ${reader} drops the field, so it has no effect.`
            : `${parentPath || 'the file'} has no field "${field}"; ${reader} drops it, so it has no effect.`,
      help: formatUnknownFieldHelp,
      suggestedFix: ({ field, nearest }, path) => {
        if (nearest === undefined) return undefined;
        // A different spelling of the same letters, such as `max_surge`, is unambiguous; a misspelled name is not.
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
      variants: [
        { parentPath: 'spec.strategy', field: '$patch', reader: 'the API server', knownFields: ['rollingUpdate', 'type'] },
        { parentPath: 'spec', field: 'partitons', reader: 'the operator', nearest: 'partitions', knownFields: ['partitions'] },
        { parentPath: 'spec.rolloutStrategy.autoPartitionSize', field: 'size', reader: 'the API server', knownFields: [] },
      ],
    }),
    tooNew: defineMessage<TooNewData>({
      text: ({ product, version, field, since }) =>
        `${product} ${version} does not know ${field}, which was added in ${since}, and silently drops it.`,
      help: ({ product, since, option }) => `Delete the field, or plan for ${product} ${since} or later: --versions ${option}=${since}.`,
      sample: { field: 'ordinals', product: 'Kubernetes', option: 'kubernetes', version: '1.25', since: '1.26' },
    }),
    removed: defineMessage<RemovedFieldData>({
      text: ({ product, version, field, until }) => `${product} ${version} silently drops ${field}, which was removed in ${until}.`,
      help: () => 'Delete the field.',
      sample: { field: 'source', product: 'Kubernetes', version: '1.34', until: '1.31' },
    }),
  },
});

/** Builds the data of a finding from an unknown field. */
export function buildUnknownFieldData({ path, knownFields }: ProblemOf<'unknown'>, reader = API_SERVER): UnknownFieldData {
  const parts = parseFieldPath(path);
  const field = String(parts.at(-1));
  const nearest = findClosestName(field, knownFields);
  return { parentPath: buildFieldPath(...parts.slice(0, -1)), field, reader, ...(nearest !== undefined && { nearest }), knownFields };
}

/** Creates the findings for the fields that their reader does not know and drops, before `capFindingsPerRule`. */
export function createUnknownFieldFindings(problems: readonly SchemaProblem[], reader?: string): Finding[] {
  return createCountedFindings(filterProblems(problems, 'unknown'), (problem) =>
    unknownField.createFinding('unknown', { path: problem.path, data: buildUnknownFieldData(problem, reader) }),
  );
}

/** Returns a finding for every unknown field of the map at `path`; none if the value is not a map. */
export function checkUnknownField(value: unknown, path: FieldPath, knownFields: readonly string[], reader?: string): Finding[] {
  if (!isFields(value) || Object.keys(value).every((name) => knownFields.includes(name))) return [];
  const fields = Object.fromEntries(knownFields.map((name) => [name, { type: 'any' } as const]));
  const problems = findSchemaProblems(value, { type: 'map', fields, isClosed: true }, path);
  return createUnknownFieldFindings(problems, reader);
}

/** Creates the finding for a field that only a later version of its product knows. */
export function createTooNewFieldFinding({ path, since }: ProblemOf<'too-new'>, product: Product, version: string): Finding {
  const data = { field: getFieldName(path), product: getProduct(product).name, option: product, version, since };
  return unknownField.createFinding('tooNew', { path, data });
}

function createRemovedFieldFinding({ path, until }: ProblemOf<'gone'>, product: Product, version: string): Finding {
  return unknownField.createFinding('removed', {
    path,
    data: { field: getFieldName(path), product: getProduct(product).name, version, until },
  });
}

/** Creates the findings for the fields that a version of their product drops: unknown, too new, and removed ones. */
export function createDroppedFieldFindings(problems: readonly SchemaProblem[], product: Product, version: string): Finding[] {
  return [
    ...createUnknownFieldFindings(problems),
    ...filterProblems(problems, 'too-new').map((problem) => createTooNewFieldFinding(problem, product, version)),
    ...filterProblems(problems, 'gone').map((problem) => createRemovedFieldFinding(problem, product, version)),
  ];
}

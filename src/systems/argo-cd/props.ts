import { toFieldPath, appendToPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { IntOrPercent } from '../../core/int-or-percent';
import { IntentError } from '../../core/intent-error';
import { isFields } from '../../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { describeValue } from '../../core/display-value';

/** What is written. */
export const APPLICATION_SET = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' } as const;

/** What makes Applications, one of its fields a generator, as Argo CD has them. The plan looks into `clusters` and `list`. */
export interface ApplicationGenerator {
  /** One Application for each cluster, `{}` for every one and the cluster that Argo CD itself runs on. @default - none */
  readonly clusters?: Fields;
  /** One Application for each of its `elements`. @default - none */
  readonly list?: Fields;
  readonly [generator: string]: unknown;
}

/** Name and labels of the Applications; `{{name}}` and the like stand for a generator's parameters. */
export interface ApplicationMetadata {
  /** A name for each Application. */
  readonly name: string;
  /** Where the Applications stand. @default - the namespace of the ApplicationSet */
  readonly namespace?: string;
  /** What steps select the Applications by. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** What controllers and tools read beside the spec. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Such as `resources-finalizer.argocd.argoproj.io`. @default - none */
  readonly finalizers?: readonly string[];
}

/** What each Application is made from. */
export interface ApplicationTemplate {
  /** Name and labels of the Applications. */
  readonly metadata: ApplicationMetadata;
  /** Project, source, destination and sync policy, as an Application has them. */
  readonly spec: Fields;
}

/** A requirement on a label of an Application. */
export interface StepMatchExpression {
  /** The label. */
  readonly key: string;
  /** Without the label In does not match, and NotIn does; the controller knows no others. */
  readonly operator: 'In' | 'NotIn';
  /** The values to compare with. */
  readonly values: readonly string[];
}

/** Applications that sync before those of the next step do; a step without requirements selects all. */
export interface SyncStep {
  /** Labels that the Applications must have, each with this value or one of these: written as In. @default - any labels */
  readonly match?: Readonly<Record<string, string | readonly string[]>>;
  /** Further requirements on labels; all of them must hold. @default - none */
  readonly matchExpressions?: readonly StepMatchExpression[];
  /**
   * How many may sync at once: a number from 1 up, or a percentage of the step's Applications, which is rounded down and is at least 1.
   *
   * @default - all of them
   */
  readonly maxUpdate?: IntOrPercent;
}

/** What an ApplicationSet is and in which steps its Applications sync. */
export interface ApplicationSetIntent {
  /** Name, namespace, labels, annotations. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** What makes the Applications. */
  readonly generators: readonly ApplicationGenerator[];
  /** What each Application is made from. */
  readonly template: ApplicationTemplate;
  /** The steps, in order: an Application belongs to the first that selects it. One that none selects is never synced, and is an error. */
  readonly steps: readonly SyncStep[];
  /** How Applications are deleted with their set: Reverse goes through the steps from the last. @default AllAtOnce */
  readonly deletionOrder?: 'AllAtOnce' | 'Reverse';
  /** Are the placeholders Go templates, such as `{{.name}}`? @default false */
  readonly goTemplate?: boolean;
  /** Options of the Go templates, such as `missingkey=error`. @default - none */
  readonly goTemplateOptions?: readonly string[];
  /** A patch of each Application, as text; with one the plan can't tell the Applications. @default - none */
  readonly templatePatch?: string;
  /** What the set may do with its Applications, as Argo CD has it. @default - create, update and delete them */
  readonly syncPolicy?: Fields;
  /** Fields of Applications that the set leaves alone. @default - none */
  readonly ignoreApplicationDifferences?: readonly Fields[];
  /** Labels and annotations of Applications that the set leaves alone. @default - none */
  readonly preservedFields?: Fields;
}

function dropUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function readLabelValues(value: unknown, path: FieldPath): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!values.every((one) => typeof one === 'string')) {
    throw new IntentError(`${path} is ${describeValue(value)}: write the value of the label, or a list of values`);
  }
  return values;
}

/** A step as the ApplicationSet has it: `{ env: 'dev' }` is `env In [dev]`. */
function buildStep({ match = {}, matchExpressions = [], maxUpdate }: SyncStep, path: FieldPath): Fields {
  const matched = Object.entries(match).map(([key, value]) => ({
    key,
    operator: 'In',
    values: readLabelValues(value, appendToPath(path, 'match', key)),
  }));
  const expressions = [...matched, ...matchExpressions];
  return dropUndefined({ matchExpressions: expressions.length > 0 ? expressions : undefined, maxUpdate });
}

/**
 * The ApplicationSet with a RollingSync of these steps.
 *
 * @throws IntentError for steps that are no list of maps, and for a label that is matched with anything but texts
 */
export function buildApplicationSet(name: string, props: ApplicationSetIntent): Manifest {
  const { metadata, generators, template, steps, deletionOrder, ...others } = props;
  const path = toFieldPath`steps`;
  if (!Array.isArray(steps)) throw new IntentError(`${path} is ${describeValue(steps)}: write a list of steps`);
  if (!Array.isArray(generators)) throw new IntentError(`generators is ${describeValue(generators)}: write a list of generators`);
  const written = steps.map((step: unknown, index) => {
    if (!isFields(step))
      throw new IntentError(`${appendToPath(path, index)} is ${describeValue(step)}: write a map, such as { match: { env: 'dev' } }`);
    return buildStep(step, appendToPath(path, index));
  });
  return {
    ...APPLICATION_SET,
    metadata: { ...metadata, name: metadata?.name ?? name },
    spec: dropUndefined({
      ...others,
      generators,
      template,
      strategy: dropUndefined({ type: 'RollingSync', rollingSync: { steps: written }, deletionOrder }),
    }),
  };
}

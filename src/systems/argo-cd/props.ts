import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import { IntentError } from '../../core/errors/intent-error';
import { findClosestName } from '../../core/errors/did-you-mean';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest/manifest';
import { describeValue } from '../../core/text/display-value';

/** The apiVersion and kind of the generated object. */
export const APPLICATION_SET = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' } as const;

/** A generator of Applications: one of its fields is set, as in Argo CD. The plan evaluates `clusters` and `list`. */
export interface ApplicationGenerator {
  /** Creates one Application per cluster. `{}` selects all clusters, including the cluster Argo CD itself runs on. @default - none */
  readonly clusters?: Fields;
  /** Creates one Application per item of `elements`. @default - none */
  readonly list?: Fields;
  /** Creates Applications from the folders or files of a repository. @default - none */
  readonly git?: Fields;
  /** Creates Applications from the repositories of an organization. @default - none */
  readonly scmProvider?: Fields;
  /** Creates Applications from the decision of a custom resource. @default - none */
  readonly clusterDecisionResource?: Fields;
  /** Creates an Application per pull request. @default - none */
  readonly pullRequest?: Fields;
  /** Combines the items of two generators. @default - none */
  readonly matrix?: Fields;
  /** Merges the items of generators by key. @default - none */
  readonly merge?: Fields;
  /** Creates Applications from the answer of a plugin. @default - none */
  readonly plugin?: Fields;
  /** Selects items of the generator by their parameters. @default - all of them */
  readonly selector?: Fields;
}

/** Name and labels of the Applications. Placeholders such as `{{name}}` are replaced with a generator's parameters. */
export interface ApplicationMetadata {
  /** The name of each Application. */
  readonly name: string;
  /** The namespace of the Applications. @default - the namespace of the ApplicationSet */
  readonly namespace?: string;
  /** The labels that steps select Applications by. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** The annotations, for controllers and tools. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The finalizers, such as `resources-finalizer.argocd.argoproj.io`. @default - none */
  readonly finalizers?: readonly string[];
}

/** The template of each Application. */
export interface ApplicationTemplate {
  /** Name and labels of the Applications. */
  readonly metadata: ApplicationMetadata;
  /** The project, source, destination and sync policy of an Application. */
  readonly spec: Fields;
}

/** A requirement on a label of an Application. */
export interface StepMatchExpression {
  /** The label. */
  readonly key: string;
  /** The operator. If the label is missing, In does not match and NotIn does. The controller supports no other operator. */
  readonly operator: 'In' | 'NotIn';
  /** The values to compare with. */
  readonly values: readonly string[];
}

/** A step: its Applications sync before those of the next step. A step without requirements selects all Applications. */
export interface SyncStep {
  /** The labels that the Applications must have, each with this value or one of these values. Written as In. @default - any labels */
  readonly match?: Readonly<Record<string, string | readonly string[]>>;
  /** Additional label requirements. All of them must match. @default - none */
  readonly matchExpressions?: readonly StepMatchExpression[];
  /**
   * How many Applications may sync at once: a number from 1, or a percentage of the step's Applications. A percentage is rounded down, to
   * at least 1.
   *
   * @default - all of them
   */
  readonly maxUpdate?: IntOrPercent;
}

/** An ApplicationSet and the steps in which its Applications sync. */
export interface ApplicationSetIntent {
  /** The metadata. @default - the adapter's id or name as the name */
  readonly metadata?: ObjectMeta;
  /** The generators that create the Applications. */
  readonly generators: readonly ApplicationGenerator[];
  /** The template of each Application. */
  readonly template: ApplicationTemplate;
  /**
   * The steps, in order. An Application belongs to the first step that selects it. An Application that no step selects is never synced and
   * reported as an error.
   */
  readonly steps: readonly SyncStep[];
  /** The order in which Applications are deleted with their ApplicationSet. Reverse starts with the last step. @default AllAtOnce */
  readonly deletionOrder?: 'AllAtOnce' | 'Reverse';
  /** Whether the placeholders are Go templates, such as `{{.name}}`. @default false */
  readonly goTemplate?: boolean;
  /** Options of Go templates, such as `missingkey=error`. @default - none */
  readonly goTemplateOptions?: readonly string[];
  /** A patch for each Application, as text. With a patch the plan cannot determine the Applications. @default - none */
  readonly templatePatch?: string;
  /** The sync policy: which operations the ApplicationSet may perform on its Applications. @default - create, update and delete them */
  readonly syncPolicy?: Fields;
  /** The Application fields that the ApplicationSet does not overwrite. @default - none */
  readonly ignoreApplicationDifferences?: readonly Fields[];
  /** The Application labels and annotations that the ApplicationSet preserves. @default - none */
  readonly preservedFields?: Fields;
}

function dropUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function readLabelValues(value: unknown, path: FieldPath): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!values.every((item) => typeof item === 'string')) {
    throw new IntentError(`${path} is ${describeValue(value)}: write a label value or a list of label values`);
  }
  return values;
}

/** Returns the labels that the template of Applications sets. Undefined if they cannot be known from it. */
function listTemplateLabels({ template, templatePatch, generators, preservedFields }: ApplicationSetIntent): readonly string[] | undefined {
  const labels = Object.keys(getFieldsAt(template, 'metadata', 'labels'));
  const hasOwnTemplate = generators.some((generator) =>
    Object.values(getFieldsAt(generator)).some((each) => getValueAt(each, 'template') !== undefined),
  );
  if (templatePatch !== undefined || hasOwnTemplate || labels.some((label) => label.includes('{{'))) return undefined;
  return [...labels, ...getListAt(preservedFields, 'labels').filter((label) => typeof label === 'string')];
}

/** Finds steps that require a label that no Application has. Returns one line each. */
function findUnknownLabels(props: ApplicationSetIntent): string[] {
  const labels = listTemplateLabels(props);
  // A template without labels may be one that is still to be written.
  if (labels === undefined || labels.length === 0) return [];
  return props.steps.flatMap((step, index) => {
    const required = [
      ...Object.keys(getFieldsAt(step, 'match')).map((key) => [key, toFieldPath`steps[${index}].match.${key}`] as const),
      ...getListAt(step, 'matchExpressions').flatMap((expression, position) => {
        const { key, operator } = getFieldsAt(expression);
        return typeof key === 'string' && operator === 'In'
          ? [[key, toFieldPath`steps[${index}].matchExpressions[${position}].key`] as const]
          : [];
      }),
    ];
    return required.flatMap(([key, path]) => {
      if (labels.includes(key)) return [];
      const closest = findClosestName(key, labels) ?? (labels.length === 1 ? labels[0] : undefined);
      const write =
        closest === undefined
          ? `write ${key} into template.metadata.labels`
          : `write ${closest}, or set ${key} in template.metadata.labels`;
      return [
        `${path}: no Application has the label ${JSON.stringify(key)}, which template.metadata.labels does not set, so the step selects none; ${write}`,
      ];
    });
  });
}

/** An expression of a template that is only a parameter: `{{name}}` or `{{.name}}`. */
const PARAMETER = /\{\{\s*(\.?)([A-Za-z][-\w./]*)\s*\}\}/g;

/** Finds parameters in the name and the labels that are written for the other kind of template. Returns one line each. */
function findOtherTemplates({ template, goTemplate = false }: ApplicationSetIntent): string[] {
  const { name, labels } = getFieldsAt(template, 'metadata');
  const texts = [
    [toFieldPath`template.metadata.name`, name] as const,
    ...Object.entries(getFieldsAt({ labels }, 'labels')).map(
      ([key, value]) => [toFieldPath`template.metadata.labels.${key}`, value] as const,
    ),
  ];
  return texts.flatMap(([path, text]) => {
    const parameters = typeof text === 'string' ? [...text.matchAll(PARAMETER)] : [];
    const other = parameters.find(([, dot]) => (dot === '.') !== goTemplate);
    if (!other) return [];
    const [written, , parameter = ''] = other;
    return goTemplate
      ? [`${path} has ${written}, which is no Go template, while goTemplate is true; write {{.${parameter}}}`]
      : [
          `${path} has ${written}, a Go template, which Argo CD leaves as it is without goTemplate; write goTemplate: true, or {{${parameter}}}`,
        ];
  });
}

/** Builds a step of the ApplicationSet: `{ env: 'dev' }` becomes `env In [dev]`. */
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
 * Builds the ApplicationSet with a RollingSync of these steps.
 *
 * @throws IntentError if the steps are not a list of maps, or a label is matched with anything but strings
 */
export function buildApplicationSet(name: string, props: ApplicationSetIntent): Manifest {
  const { metadata, generators, template, steps, deletionOrder, ...others } = props;
  const path = toFieldPath`steps`;
  if (!Array.isArray(steps)) throw new IntentError(`${path} is ${describeValue(steps)}: write a list of steps`);
  if (!Array.isArray(generators)) throw new IntentError(`generators is ${describeValue(generators)}: write a list of generators`);
  const builtSteps = steps.map((step: unknown, index) => {
    if (!isFields(step))
      throw new IntentError(`${appendToPath(path, index)} is ${describeValue(step)}: write a map, such as { match: { env: 'dev' } }`);
    return buildStep(step, appendToPath(path, index));
  });
  const problems = [...findUnknownLabels(props), ...findOtherTemplates(props)];
  if (problems.length > 0) throw new IntentError(problems.join('\n'));
  return {
    ...APPLICATION_SET,
    metadata: { ...metadata, name: metadata?.name ?? name },
    spec: dropUndefined({
      ...others,
      generators,
      template,
      strategy: dropUndefined({ type: 'RollingSync', rollingSync: { steps: builtSteps }, deletionOrder }),
    }),
  };
}

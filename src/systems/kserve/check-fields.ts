import { ROOT_PATH, parseFieldPath, toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { checkUnknownField } from '../../core/rules/unknown-field';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import { buildTypeFinding } from '../../cluster/rules/type-errors';
import { reportTooNewKserveField } from './rules/unknown-field';
import { INFERENCE_SERVICE_SCHEMA, KNOWN_COMPONENT_FIELDS, KNOWN_MODEL_FIELDS, KNOWN_SETTINGS_FIELDS } from './schema';
import type { KserveService } from './service';

/** The findings about the fields of a service. */
export interface KserveFieldFindings {
  /** Fields whose type differs from the CRD. For each of them the API server refuses the entire service. */
  readonly errors: readonly Finding[];
  /** Fields that no KServe has, or only a later one, which the API server drops. */
  readonly dropped: readonly Finding[];
}

/** Reports whether a path is the ancestor itself or below it. */
function isAtOrBelow(path: FieldPath, ancestor: FieldPath): boolean {
  const parts = parseFieldPath(path);
  return parseFieldPath(ancestor).every((part, index) => parts[index] === part);
}

/** Reports misspelled fields of the components, of their logger and batcher, and of the model. */
function checkComponentFields(object: Manifest): Finding[] {
  const components = COMPONENTS.flatMap((component) =>
    checkUnknownField(getValueAt(object, 'spec', component), toFieldPath`spec.${component}`, KNOWN_COMPONENT_FIELDS[component]),
  );
  const model = getValueAt(object, 'spec', 'predictor', 'model');
  const settings = COMPONENTS.flatMap((component) =>
    Object.entries(KNOWN_SETTINGS_FIELDS).flatMap(([name, fields]) =>
      checkUnknownField(getValueAt(object, 'spec', component, name), toFieldPath`spec.${component}.${name}`, fields),
    ),
  );
  return [...components, ...settings, ...checkUnknownField(model, toFieldPath`spec.predictor.model`, KNOWN_MODEL_FIELDS)];
}

const COMPONENTS = ['predictor', 'transformer', 'explainer'] as const;

/** Checks the fields of a service. Fields that the API server drops are not checked further. */
export function checkKserveFields({ object, version }: KserveService): KserveFieldFindings {
  const problems = findSchemaProblems(object, INFERENCE_SERVICE_SCHEMA, ROOT_PATH, { version });
  const unknown = checkComponentFields(object);
  if (problems.length === 0) return { errors: [], dropped: unknown };
  const tooNew = filterProblems(problems, 'too-new');
  const mistyped = filterProblems(problems, 'wrong-type').filter(({ path }) => !tooNew.some((field) => isAtOrBelow(path, field.path)));
  return {
    errors: mistyped.map((problem) => buildTypeFinding(problem)),
    dropped: [...tooNew.filter(({ value }) => value !== null).map(reportTooNewKserveField), ...unknown],
  };
}

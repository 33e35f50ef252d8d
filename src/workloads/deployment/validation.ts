import { checkIntOrPercent, buildTypeFinding, checkFieldTypes } from '../../cluster/rules/type-errors';
import type { RejectionSource } from '../../cluster/rejections/rejection-source';
import { checkNonNegativeFields } from '../../cluster/rules/invalid-strategy';
import { KUBERNETES_FIELD_NAMES } from '../../cluster/rollout/strategy-field-names';
import type { NestedStrategyFieldNames } from '../../cluster/rollout/strategy-field-names';
import { toFieldPath, appendToPath, parseFieldPath, appendLazily } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, isFields, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import {
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  STRING,
  defineMap,
  filterProblems,
  findSchemaProblems,
  closeSchema,
} from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';
import { joinLists } from '../../core/text/join-lists';
import { defineWorkloadSchema } from '../workload-schema';
import { reportUnusedLimits, reportUnknownType } from '../rules/invalid-strategy-type';
import { validateLimitsNotBothZero, validateProgressDeadline } from './rules/invalid-strategy';
import { DEFAULT_DEPLOYMENT_ROLLING_UPDATE } from './strategy';

const DEPLOYMENT_SCHEMA = defineWorkloadSchema({ replicas: INT32, progressDeadlineSeconds: INT32, paused: BOOLEAN });

const STRATEGY_TYPES = ['Recreate', 'RollingUpdate'];

const NON_NEGATIVE_FIELDS = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'];

/** Where a strategy that ends up in a Deployment is written, and how it is read. */
export interface StrategySource extends RejectionSource {
  /** `spec.strategy`, `spec.predictor.deploymentStrategy` */
  readonly path: FieldPath;
  /** The field names that the object uses. @default - the names of Kubernetes */
  readonly names?: NestedStrategyFieldNames;
  /** Converts a value as its reader does: an operator reads a quoted number as a number. @default - unchanged */
  readonly read?: (value: unknown) => unknown;
  /** The component that drops unknown fields. @default the API server */
  readonly reader?: string;
}

/** Reports whether a value is missing, null or empty, so that the API server fills in the default. */
export function isUnset(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function passThrough(value: unknown): unknown {
  return value;
}

/**
 * Reports everything that the API server refuses or drops in a Deployment's strategy:
 * wrong types, quoted numbers, unknown fields, and violations of `ValidateDeploymentStrategy`.
 * A strategy without errors may be passed to `defaultDeploymentStrategy`.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go.
 */
export function validateDeploymentStrategy(strategy: unknown, source: StrategySource): readonly Finding[] {
  const { path, names = KUBERNETES_FIELD_NAMES, read = passThrough, reader, by, writer } = source;
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [buildTypeFinding({ kind: 'wrong-type', path, value: strategy, expected: 'map' }, source)];
  const problems = findSchemaProblems(readStrategy(strategy, names, source.read), getStrategySchema(names), path);
  return joinLists(
    filterProblems(problems, 'wrong-type').map((problem) => {
      const below = parseFieldPath(problem.path).slice(parseFieldPath(path).length);
      return buildTypeFinding({ ...problem, rawValue: getValueAt(strategy, ...below) }, source);
    }),
    createUnknownFieldFindings(problems, reader),
    validateTypeAndLimits(strategy.type, strategy[names.rollingUpdate], { path, names, read, by, writer }),
  );
}

/** Converts the limits of a strategy as their reader does. */
function readStrategy(strategy: Fields, names: NestedStrategyFieldNames, read: StrategySource['read']): Fields {
  const limits = strategy[names.rollingUpdate];
  if (!read || !isFields(limits)) return strategy;
  return { ...strategy, [names.rollingUpdate]: Object.fromEntries(Object.entries(limits).map(([field, value]) => [field, read(value)])) };
}

function buildStrategySchema({ rollingUpdate, maxSurge, maxUnavailable }: NestedStrategyFieldNames): FieldSchema {
  return closeSchema(
    defineMap({ type: STRING, [rollingUpdate]: closeSchema(defineMap({ [maxSurge]: INT_OR_PERCENT, [maxUnavailable]: INT_OR_PERCENT })) }),
  );
}

const KUBERNETES_SCHEMA = buildStrategySchema(KUBERNETES_FIELD_NAMES);

function getStrategySchema(names: NestedStrategyFieldNames): FieldSchema {
  return names === KUBERNETES_FIELD_NAMES ? KUBERNETES_SCHEMA : buildStrategySchema(names);
}

type ResolvedStrategySource = Omit<StrategySource, 'reader'> & Required<Pick<StrategySource, 'names' | 'read'>>;

function validateTypeAndLimits(type: unknown, limits: unknown, source: ResolvedStrategySource): readonly Finding[] {
  const { path, names } = source;
  if (isUnset(type) || type === 'RollingUpdate') return isFields(limits) ? validateRollingUpdate(limits, source) : [];
  if (typeof type !== 'string') return [];
  if (type !== 'Recreate') return [reportUnknownType(path, type, STRATEGY_TYPES, source)];
  return isFields(limits) ? [reportUnusedLimits(appendToPath(path, names.rollingUpdate), names.rollingUpdate, type, source)] : [];
}

function validateRollingUpdate(limits: Fields, source: ResolvedStrategySource): readonly Finding[] {
  const { path, names, read, by, writer } = source;
  const limitsLocation = appendLazily(path, names.rollingUpdate);
  const readLimit = (name: 'maxSurge' | 'maxUnavailable') => {
    const specified = limits[names[name]] ?? DEFAULT_DEPLOYMENT_ROLLING_UPDATE[name];
    return { path: appendLazily(limitsLocation, names[name]), value: read(specified), rawValue: specified, by, writer };
  };
  const maxSurge = readLimit('maxSurge');
  const maxUnavailable = readLimit('maxUnavailable');
  const malformed = joinLists(checkIntOrPercent(maxSurge), checkIntOrPercent(maxUnavailable, 'at most 100%'));
  return malformed.length > 0 ? malformed : validateLimitsNotBothZero(maxSurge, maxUnavailable, names);
}

const SPEC_PATH = toFieldPath`spec`;
const DEPLOYMENT_STRATEGY_SOURCE: StrategySource = { path: toFieldPath`spec.strategy` };

/** Reports everything that the API server refuses in a Deployment's rollout. Source: `ValidateDeploymentSpec`. */
export function validateDeployment(deployment: Manifest): readonly Finding[] {
  const spec = getFieldsAt(deployment, 'spec');
  return joinLists(
    checkFieldTypes(deployment, DEPLOYMENT_SCHEMA),
    checkNonNegativeFields(spec, NON_NEGATIVE_FIELDS, SPEC_PATH),
    validateProgressDeadline(spec),
    validateDeploymentStrategy(spec.strategy, DEPLOYMENT_STRATEGY_SOURCE),
  );
}

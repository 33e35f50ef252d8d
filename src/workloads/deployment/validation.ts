import { intOrPercentFindings, typeFinding, typeFindings } from '../../cluster/refusals';
import type { Refused } from '../../cluster/refuser';
import { negativeFields } from '../../cluster/rules/invalid-strategy';
import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import type { LevelledNames } from '../../cluster/strategy-terms';
import { at, childPath, fieldPathParts } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { inside } from '../../core/place';
import { unknownFieldFinding } from '../../core/rules/unknown-field';
import { BOOLEAN, INT32, INT_OR_PERCENT, STRING, map, ofKind, schemaProblems, whole } from '../../core/schema';
import type { FieldSchema } from '../../core/schema';
import { together } from '../../core/together';
import { workloadSchema } from '../workload-schema';
import { strayLimitsFinding, unknownTypeFinding } from '../rules/invalid-type';
import { bothZeroFindings, deadlineBelowMinReadyFindings } from './rules/invalid-strategy';
import { DEFAULT_ROLLING_UPDATE } from './strategy';

const DEPLOYMENT = workloadSchema({ replicas: INT32, progressDeadlineSeconds: INT32, paused: BOOLEAN });

const TYPES = ['Recreate', 'RollingUpdate'];

const COUNTS = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'];

/** Where a strategy that becomes a Deployment's is written, and how it is read there. */
export interface StrategyPlace extends Refused {
  /** `spec.strategy`, `spec.predictor.deploymentStrategy` */
  readonly path: FieldPath;
  /** What the object calls the fields. @default - Kubernetes' names */
  readonly names?: LevelledNames;
  /** A value as its reader takes it: an operator reads a number in quotes as a number. @default - as it is */
  readonly read?: (value: unknown) => unknown;
  /** Who drops fields that it does not know. @default the API server */
  readonly reader?: string;
}

/** A missing, null or empty value, which the API server fills in. */
export function isLeftOut(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function asItIs(value: unknown): unknown {
  return value;
}

/**
 * Everything that the API server refuses in a Deployment's strategy, and what it drops:
 * types, quoted numbers, unknown fields, and the rules of `ValidateDeploymentStrategy`.
 * A strategy without an error may be given to `storedDeploymentStrategy`.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go.
 */
export function deploymentStrategyFindings(strategy: unknown, place: StrategyPlace): readonly Finding[] {
  const { path, names = KUBERNETES_NAMES, read = asItIs, reader, by, writer } = place;
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [typeFinding({ kind: 'wrong-type', path, value: strategy, expected: 'map' }, place)];
  const problems = schemaProblems(readStrategy(strategy, names, place.read), strategySchema(names), path);
  return together(
    ofKind(problems, 'wrong-type').map((problem) => {
      const below = fieldPathParts(problem.path).slice(fieldPathParts(path).length);
      return typeFinding({ ...problem, written: valueAt(strategy, ...below) }, place);
    }),
    ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem, reader)),
    strategyRules(strategy.type, strategy[names.rollingUpdate], { path, names, read, by, writer }),
  );
}

/** A strategy with its values as they are read. */
function readStrategy(strategy: Fields, names: LevelledNames, read: StrategyPlace['read']): Fields {
  const limits = strategy[names.rollingUpdate];
  if (!read || !isFields(limits)) return strategy;
  return { ...strategy, [names.rollingUpdate]: Object.fromEntries(Object.entries(limits).map(([field, value]) => [field, read(value)])) };
}

function namedSchema({ rollingUpdate, maxSurge, maxUnavailable }: LevelledNames): FieldSchema {
  return whole(map({ type: STRING, [rollingUpdate]: whole(map({ [maxSurge]: INT_OR_PERCENT, [maxUnavailable]: INT_OR_PERCENT })) }));
}

const KUBERNETES_SCHEMA = namedSchema(KUBERNETES_NAMES);

function strategySchema(names: LevelledNames): FieldSchema {
  return names === KUBERNETES_NAMES ? KUBERNETES_SCHEMA : namedSchema(names);
}

type KnownPlace = Omit<StrategyPlace, 'reader'> & Required<Pick<StrategyPlace, 'names' | 'read'>>;

function strategyRules(type: unknown, limits: unknown, place: KnownPlace): readonly Finding[] {
  const { path, names } = place;
  if (isLeftOut(type) || type === 'RollingUpdate') return isFields(limits) ? rollingUpdateRules(limits, place) : [];
  if (typeof type !== 'string') return [];
  if (type !== 'Recreate') return [unknownTypeFinding(path, type, TYPES, place)];
  return isFields(limits) ? [strayLimitsFinding(childPath(path, names.rollingUpdate), names.rollingUpdate, type, place)] : [];
}

function rollingUpdateRules(limits: Fields, place: KnownPlace): readonly Finding[] {
  const { path, names, read, by, writer } = place;
  const limitsPlace = inside(path, names.rollingUpdate);
  const judged = (name: 'maxSurge' | 'maxUnavailable') => {
    const written = limits[names[name]] ?? DEFAULT_ROLLING_UPDATE[name];
    return { path: inside(limitsPlace, names[name]), value: read(written), written, by, writer };
  };
  const maxSurge = judged('maxSurge');
  const maxUnavailable = judged('maxUnavailable');
  const malformed = together(intOrPercentFindings(maxSurge), intOrPercentFindings(maxUnavailable, 'at most 100%'));
  return malformed.length > 0 ? malformed : bothZeroFindings(maxSurge, maxUnavailable, names);
}

const SPEC = at`spec`;
const PLACE: StrategyPlace = { path: at`spec.strategy` };

/** Everything that the API server refuses in a Deployment's rollout. Source: `ValidateDeploymentSpec`. */
export function deploymentFindings(deployment: Manifest): readonly Finding[] {
  const spec = fieldsAt(deployment, 'spec');
  return together(
    typeFindings(deployment, DEPLOYMENT),
    negativeFields(spec, COUNTS, SPEC),
    deadlineBelowMinReadyFindings(spec),
    deploymentStrategyFindings(spec.strategy, PLACE),
  );
}

import type { Finding } from '../../core/finding';
import { isDigitString, isInt32 } from '../../core/int-or-percent';
import { fieldsAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import type { Shape } from '../../core/shape';
import { unknownFieldFindings } from '../../core/unknown-fields';
import { negativeFindings, typeFinding, typeFindings } from '../../cluster/numbers';
import { deploymentStrategyFindings } from '../../workloads/validation';
import { bawFinding } from './catalogue';
import type { Mount } from './mount';
import { ROLLING_UPDATE_FIELDS, STRATEGY_FIELDS, deploymentStrategyOf, inOperatorWords, unquoted } from './strategy';

const OPERATOR = 'the operator';

/** What every object of the API is read as, whatever its definition keeps unchecked. */
const OBJECT_SHAPE: Shape = {
  metadata: 'map',
  'metadata.name': 'string',
  'metadata.namespace': 'string',
  'metadata.labels': 'string-map',
  'metadata.annotations': 'string-map',
};

/** What is wrong with a CR as an object, wherever its strategies stand. */
export function objectFindings(object: Manifest): Finding[] {
  return typeFindings(object, OBJECT_SHAPE);
}

/** The API server takes the CR, whose definition keeps unknown fields as they are; what it refuses is the Deployment. */
function aboutDeployment(text: string): string {
  return text
    .replace('which the API server refuses:', 'which the API server refuses in the Deployment that the operator writes:')
    .replace('here and refuses the whole object', 'in the Deployment that the operator writes, and refuses that Deployment');
}

/** Numbers that the CR has in quotes, as they stand there: `replicas is -2` becomes `replicas is "-2"`. */
function asQuoted(text: string, { strategy, holder }: Mount): string {
  const numbers = Object.entries({ ...fieldsAt(strategy, 'rolling_update'), replicas: holder.replicas });
  return numbers
    .filter(([, value]) => isDigitString(value))
    .reduce((known, [field, value]) => known.replace(`${field} is ${Number(value)}`, `${field} is ${describeValue(value)}`), text);
}

/** Where a CR has the number of pods to which a strategy applies. */
export function replicasPathOf({ holderPath }: Mount): string {
  return `${holderPath}.replicas`;
}

/** A finding about the Deployment that the operator writes, as one about the CR: its field names, its values, whose object is refused. */
export function asOperatorFinding(finding: Finding, mount: Mount): Finding {
  const { path } = mount;
  const reworded = (text: string) => asQuoted(aboutDeployment(inOperatorWords(text)), mount);
  return {
    ...finding,
    path: finding.path.startsWith(path) ? `${path}${inOperatorWords(finding.path.slice(path.length))}` : finding.path,
    message: reworded(finding.message),
    ...(finding.help !== undefined && { help: reworded(finding.help) }),
  };
}

function quotedFindings(holder: Fields, holderPath: string, fields: readonly string[]): Finding[] {
  return fields.flatMap((field) => {
    const value = holder[field];
    const number = unquoted(value);
    if (!isDigitString(value) || !isInt32(number) || number < 0) return [];
    return [
      bawFinding('baw/quoted-integer', {
        path: `${holderPath}.${field}`,
        message:
          `${field} is ${describeValue(value)}, a number in quotes: fine in this resource, where the operator reads it as ${number}; ` +
          'a Deployment with it would be refused.',
        help: `Leave it, or write ${number} without quotes; write it without quotes wherever you copy it into a Deployment.`,
      }),
    ];
  });
}

/** What is wrong with a number of pods, in quotes or not. */
function countFindings(value: unknown, path: string): Finding[] {
  const count = unquoted(value);
  if (count === undefined || count === null) return [];
  return isInt32(count) ? negativeFindings(count, path) : [typeFinding(path, 'int32', count)];
}

function unknownMountFindings({ path }: Mount): Finding[] {
  return [
    bawFinding('baw/unknown-mount', {
      path,
      message: `${path} stands more than one level below spec: which replicas it applies to can't be known, so its waves can't be shown.`,
      help: 'Put strategy beside replicas, at spec or one level below it, if the operator reads it there.',
    }),
  ];
}

/** What is wrong with a CR's strategy, what the operator drops of it, and what it reads otherwise than a Deployment would. */
export function strategyFindings(mount: Mount): Finding[] {
  const { strategy, path, holder, holderPath, hasKnownReplicas } = mount;
  const rollingUpdate = fieldsAt(strategy, 'rolling_update');
  const ofDeployment = [
    ...deploymentStrategyFindings(deploymentStrategyOf(strategy), path),
    ...(hasKnownReplicas ? countFindings(holder.replicas, replicasPathOf(mount)) : []),
  ];
  return [
    ...unknownFieldFindings(strategy, path, STRATEGY_FIELDS, OPERATOR),
    ...unknownFieldFindings(rollingUpdate, `${path}.rolling_update`, ROLLING_UPDATE_FIELDS, OPERATOR),
    ...ofDeployment.map((finding) => asOperatorFinding(finding, mount)),
    ...quotedFindings(rollingUpdate, `${path}.rolling_update`, ROLLING_UPDATE_FIELDS),
    ...(hasKnownReplicas ? quotedFindings(holder, holderPath, ['replicas']) : unknownMountFindings(mount)),
  ];
}

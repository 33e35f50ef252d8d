import type { Finding } from '../../core/finding';
import { isDigitString, isInt32 } from '../../core/int-or-percent';
import { fieldsAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { unknownFieldFindings } from '../../core/unknown-fields';
import { negativeFindings, typeFinding } from '../kubernetes/numbers';
import { deploymentStrategyFindings } from '../kubernetes/validation';
import { bawFinding } from './catalogue';
import { hasKnownReplicas } from './mount';
import type { Mount } from './mount';
import { ROLLING_UPDATE_FIELDS, STRATEGY_FIELDS, deploymentStrategyOf, inOperatorWords, unquoted } from './strategy';

const OPERATOR = 'the operator';

function reworded(text: string): string {
  return inOperatorWords(text).replace(
    'which the API server refuses:',
    'which the API server refuses in the Deployment that the operator writes:',
  );
}

/** A finding about the Deployment that the operator writes, as one about the CR: its field names and whose object is refused. */
export function asOperatorFinding(finding: Finding, { path }: Mount): Finding {
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

function replicasFindings({ holder, holderPath }: Mount): Finding[] {
  const path = `${holderPath}.replicas`;
  const replicas = unquoted(holder.replicas);
  if (replicas === undefined || replicas === null) return [];
  return isInt32(replicas) ? negativeFindings(replicas, path) : [typeFinding(path, 'int32', replicas)];
}

function mountFindings(mount: Mount): Finding[] {
  if (hasKnownReplicas(mount)) return [];
  return [
    bawFinding('baw/unknown-mount', {
      path: mount.path,
      message:
        `${mount.path} has a rolling update, but stands more than one level below spec: which replicas it applies to can't be known, ` +
        "so its waves can't be shown.",
      help: 'Put strategy beside replicas, at spec or one level below it, if the operator reads it there.',
    }),
  ];
}

/** What is wrong with a CR's strategy, what the operator drops of it, and what it reads otherwise than a Deployment would. */
export function strategyFindings(mount: Mount): Finding[] {
  const { strategy, path } = mount;
  const rollingUpdate = fieldsAt(strategy, 'rolling_update');
  return [
    ...unknownFieldFindings(strategy, path, STRATEGY_FIELDS, OPERATOR),
    ...unknownFieldFindings(rollingUpdate, `${path}.rolling_update`, ROLLING_UPDATE_FIELDS, OPERATOR),
    ...deploymentStrategyFindings(deploymentStrategyOf(strategy), path).map((finding) => asOperatorFinding(finding, mount)),
    ...(hasKnownReplicas(mount) ? replicasFindings(mount) : []),
    ...quotedFindings(rollingUpdate, `${path}.rolling_update`, ROLLING_UPDATE_FIELDS),
    ...(hasKnownReplicas(mount) ? quotedFindings(mount.holder, mount.holderPath, ['replicas']) : []),
    ...mountFindings(mount),
  ];
}

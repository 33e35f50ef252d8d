import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import { isDigitString, MAX_INT32 } from '../../core/int-or-percent';
import { annotationOf, fieldsAt, isFields, nameOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { describeType, describeValue, fieldName, mismatchesOf } from '../../core/shape';
import type { Mismatch, Shape } from '../../core/shape';
import { kuberayFinding } from './catalogue';
import { rayClusterRefusals } from './ray-cluster';
import { OPTIONS_PATH } from './strategy';
import { strategyRefusals } from './strategy-validation';

const SHAPE: Shape = {
  metadata: 'map!',
  'metadata.name': 'string',
  'metadata.namespace': 'string',
  'metadata.labels': 'string-map',
  'metadata.annotations': 'string-map',
  spec: 'map!',
  'spec.serveConfigV2': 'string',
  'spec.upgradeStrategy': 'map',
  'spec.upgradeStrategy.type': 'string',
  [OPTIONS_PATH]: 'map',
  [`${OPTIONS_PATH}.maxSurgePercent`]: 'int32',
  [`${OPTIONS_PATH}.stepSizePercent`]: 'int32',
  [`${OPTIONS_PATH}.intervalSeconds`]: 'int32',
  [`${OPTIONS_PATH}.gatewayClassName`]: 'string',
  'spec.rayClusterDeletionDelaySeconds': 'int32',
  'spec.excludeHeadPodFromServeSvc': 'boolean',
  'spec.suspend': 'boolean',
  'spec.rayClusterConfig': 'map',
  'spec.rayClusterConfig.enableInTreeAutoscaling': 'boolean',
  'spec.rayClusterConfig.headGroupSpec': 'map',
  'spec.rayClusterConfig.headGroupSpec.template': 'map',
  'spec.rayClusterConfig.workerGroupSpecs': 'list',
  'spec.rayClusterConfig.workerGroupSpecs[]': 'map',
  'spec.rayClusterConfig.workerGroupSpecs[].groupName': 'string',
  'spec.rayClusterConfig.workerGroupSpecs[].replicas': 'int32',
  'spec.rayClusterConfig.workerGroupSpecs[].minReplicas': 'int32',
  'spec.rayClusterConfig.workerGroupSpecs[].maxReplicas': 'int32',
  'spec.rayClusterConfig.workerGroupSpecs[].numOfHosts': 'int32',
  'spec.rayClusterConfig.workerGroupSpecs[].template': 'map',
};

const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const MAX_NAME = 47;

/** A Go duration as the annotation takes it: `5m`, `1h30m`; or plain seconds. */
const DURATION = /^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$/;

/**
 * Everything for which the API server, the webhook or the operator refuses a RayService, in the order in which they look.
 *
 * Source: the CRD, and KubeRay v1.7.0 `utils/validation.go` (ValidateRayServiceMetadata, ValidateRayServiceSpec); versions differ in
 * stepSizePercent above maxSurgePercent, which is refused from 1.7 on.
 *
 * @param version of KubeRay
 */
export function rayServiceRefusals(object: Manifest, version: string): Finding[] {
  const mismatches = mismatchesOf(object, SHAPE);
  if (mismatches.length > 0) return mismatches.map(typeFinding);
  return [
    ...nameRefusals(object),
    ...timeoutRefusals(object),
    ...missingClusterRefusals(object),
    ...rayClusterRefusals(valueAt(object, 'spec', 'rayClusterConfig')),
    ...strategyRefusals(object, version),
  ];
}

function typeFinding({ path, expected, seen }: Mismatch): Finding {
  const field = fieldName(path);
  if (expected === 'int32' && typeof seen === 'number' && Number.isInteger(seen)) {
    return kuberayFinding('kuberay/out-of-range', {
      path,
      message: `${field} is ${seen}, which does not fit into 32 bits (at most ${MAX_INT32}), so the API server refuses the object.`,
      help: 'Write a smaller number.',
    });
  }
  return inputFinding('input/wrong-type', {
    path,
    message: `${field} is ${describeValue(seen)}, but the API wants ${describeType(expected)} here and refuses the whole object.`,
    help: expected === 'int32' && isDigitString(seen) ? `Write ${Number(seen)} without quotes.` : `Write ${describeType(expected)}.`,
  });
}

function nameRefusals(object: Manifest): Finding[] {
  const name = nameOf(object);
  if (name === '' || (name.length <= MAX_NAME && DNS_1035.test(name))) return [];
  const seen = name.length > MAX_NAME ? `has ${name.length} characters, more than ${MAX_NAME}` : 'is no DNS-1035 label';
  return [
    kuberayFinding('kuberay/name-too-long', {
      path: 'metadata.name',
      message: `The name ${describeValue(name)} ${seen}, so KubeRay's webhook and operator refuse the RayService.`,
      help: `Write at most ${MAX_NAME} lower-case letters, digits and dashes, a letter first.`,
    }),
  ];
}

function timeoutRefusals(object: Manifest): Finding[] {
  const timeout = annotationOf(object, 'ray.io/initializing-timeout');
  if (timeout === undefined || (DURATION.test(timeout) && /[1-9]/.test(timeout)) || (/^\+?[0-9]+$/.test(timeout) && Number(timeout) > 0))
    return [];
  return [
    kuberayFinding('kuberay/out-of-range', {
      path: 'metadata.annotations[ray.io/initializing-timeout]',
      message: `The annotation ray.io/initializing-timeout is ${describeValue(timeout)}, and KubeRay takes a time above 0 alone.`,
      help: 'Write seconds ("300") or a duration ("5m").',
    }),
  ];
}

function missingClusterRefusals(object: Manifest): Finding[] {
  const spec = fieldsAt(object, 'spec');
  if (!('rayClusterSpec' in spec) || isFields(spec.rayClusterConfig)) return [];
  return [
    kuberayFinding('kuberay/ray-cluster-spec', {
      path: 'spec.rayClusterSpec',
      message:
        'A RayService has no field rayClusterSpec, and rayClusterConfig, which it must have, is missing: the API server refuses the ' +
        'object.',
      help: 'Write rayClusterConfig instead of rayClusterSpec.',
    }),
  ];
}

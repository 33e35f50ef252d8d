import { describeEffect, workload } from './effects';

test.each([
  ['DaemonSet', 'deprecated.daemonset.template.generation', 'x', 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['DaemonSet', 'deprecated.daemonset.template.generation', '', 'strconv.ParseInt: parsing "": invalid syntax'],
  [
    'DaemonSet',
    'deprecated.daemonset.template.generation',
    '9223372036854775808',
    'strconv.ParseInt: parsing "9223372036854775808": value out of range',
  ],
  ['DaemonSet', 'deprecated.daemonset.template.generation', '+9223372036854775807', undefined],
  [
    'Deployment',
    'deprecated.deployment.rollback.to',
    'v1',
    'failed to parse annotation[deprecated.deployment.rollback.to]=v1 as int64: strconv.ParseInt: parsing "v1": invalid syntax',
  ],
  ['Deployment', 'deprecated.deployment.rollback.to', '', undefined],
  ['StatefulSet', 'deprecated.deployment.rollback.to', 'v1', undefined],
] as const)('an annotation of a %s that the server converts to a number: %s "%s"', (kind, name, text, message) => {
  const effect = describeEffect(workload(kind), workload(kind, {}, {}, { annotations: { [name]: text } }));
  expect(/^refused \| : (.*)/.exec(effect)?.[1]).toBe(message);
});

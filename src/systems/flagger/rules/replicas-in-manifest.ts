import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { getValueAt, nameOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { pluralize } from '../../../core/text/text-format';
import { primaryNameOf } from '../canary';
import { renderCanary } from './examples';

interface ReplicasData {
  readonly replicas: number;
  readonly canary: string;
  readonly primary: string;
}

/** Replicas in the manifest of a target that Flagger keeps at 0. */
export const flaggerReplicasInManifest = defineRule({
  code: 'flagger/replicas-in-manifest',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The target of a Canary sets replicas.',
  why:
    'Flagger keeps the target at 0 pods, and every apply of the manifest starts the pods again. They serve nothing and use capacity until the next promotion. ' +
    'With an autoscalerRef the number does not even reach the primary.',
  fix: 'Delete replicas. Flagger then starts as many pods for an analysis as the primary has, or the minimum of its autoscaler.',
  example: renderCanary('  replicas: 3\n'),
  fixedExample: renderCanary(''),
  messages: {
    replicas: defineMessage<ReplicasData>({
      text: ({ replicas, canary, primary }) =>
        `replicas is ${replicas}, but Canary "${canary}" of Flagger keeps this workload at 0 and serves from "${primary}": every apply starts ${pluralize(replicas, 'idle pod')}.`,
      help: () => 'Delete spec.replicas: Flagger chooses the number of pods for an analysis.',
      sample: { replicas: 3, canary: 'web', primary: 'web-primary' },
    }),
  },
});

/** Warns about replicas in the manifest of a target. */
export function checkReplicasInManifest(target: Manifest, canary: Manifest): Finding[] {
  const replicas = getValueAt(target, 'spec', 'replicas');
  if (!isInt32(replicas) || replicas === 0) return [];
  return [
    flaggerReplicasInManifest.createFinding('replicas', {
      path: toFieldPath`spec.replicas`,
      data: { replicas, canary: nameOf(canary), primary: primaryNameOf(target) },
    }),
  ];
}

import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { ROLLOUT_DEFAULTS } from './strategy';
import type { ArgoRolloutStrategy } from './strategy';

function buildEntry(field: string, value: unknown, isWritten: boolean): Provenance {
  const reason = isWritten ? 'written in the Rollout' : 'the default of the controller';
  return { field, value, layer: isWritten ? 'user' : 'argo-rollouts-default', reason, overridden: [] };
}

/** Returns the source of each strategy field. */
export function buildArgoRolloutProvenance(rollout: Manifest, strategy: ArgoRolloutStrategy): Provenance[] {
  const written = getFieldsAt(rollout, 'spec', 'strategy', strategy.type);
  const isWritten = (name: string) => written[name] !== undefined && written[name] !== null;
  const kind = buildEntry('type', strategy.type, true);
  if (strategy.type === 'blueGreen') {
    return [
      kind,
      buildEntry(
        'scaleDownDelaySeconds',
        written.scaleDownDelaySeconds ?? ROLLOUT_DEFAULTS.scaleDownDelaySeconds,
        isWritten('scaleDownDelaySeconds'),
      ),
    ];
  }
  if (strategy.isRouted) return [kind];
  return [
    kind,
    ...(['maxSurge', 'maxUnavailable'] as const).map((name) => buildEntry(name, written[name] ?? ROLLOUT_DEFAULTS[name], isWritten(name))),
  ];
}

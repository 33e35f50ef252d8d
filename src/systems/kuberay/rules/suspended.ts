import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import { VALID_RAY_SERVICE_TEXT } from './examples';

/** Reports a service that runs no clusters. */
export const suspended = defineRule({
  code: 'kuberay/suspended',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'A RayService has suspend: true (since KubeRay 1.7), so nothing rolls out. Or its rayClusterConfig has it (warning), so a new cluster never becomes ready.',
  why:
    'The operator deletes the clusters, the Gateway and the HTTPRoute of a suspended service, and creates them again once `suspend` is removed. ' +
    'Source: KubeRay v1.7.0 rayservice_controller.go.',
  fix: 'Remove suspend to start the service.',
  example: VALID_RAY_SERVICE_TEXT.replace('  rayClusterConfig', '  suspend: true\n  rayClusterConfig'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    suspended: defineMessage<Record<string, never>>({
      text: () => 'suspend is true: the operator deletes the clusters of the service, and nothing rolls out.',
      help: () => 'Remove suspend to start the service.',
      sample: {},
    }),
    cluster: defineMessage<Record<string, never>>({
      text: () =>
        'rayClusterConfig.suspend is true: a cluster with it has no pods, so a new one never becomes ready, and an upgrade to it never finishes.',
      help: () => 'Remove suspend from rayClusterConfig.',
      sample: {},
    }),
  },
});

/** Returns the finding about a suspended service. */
export function reportSuspended(): Finding {
  return suspended.createFinding('suspended', { path: toFieldPath`spec.suspend`, data: {} });
}

/** Returns the finding about a service whose clusters are suspended. */
export function reportSuspendedCluster(): Finding {
  return suspended.createFinding('cluster', { path: toFieldPath`spec.rayClusterConfig.suspend`, severity: 'warning', data: {} });
}

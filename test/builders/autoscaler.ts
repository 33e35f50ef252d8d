/** Builds a HorizontalPodAutoscaler with this spec. Its target is the Deployment "web" unless the spec sets another one. */
export function autoscaler(spec: object, { name = 'web', namespace }: { name?: string; namespace?: string } = {}) {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
  };
}

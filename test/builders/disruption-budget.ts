/** Builds a PodDisruptionBudget with this spec. It selects pods with the label app: web unless the spec sets another selector. */
export function disruptionBudget(spec: object, { name = 'budget', namespace }: { name?: string; namespace?: string } = {}) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  };
}

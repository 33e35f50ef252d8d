/** Builds a ResourceQuota with these limits, further fields of its spec, and its status. */
export function quota(
  hard: object,
  { name = 'compute', namespace, spec = {}, status }: { name?: string; namespace?: string; spec?: object; status?: object } = {},
) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { hard, ...spec },
    ...(status && { status }),
  };
}

/** Builds a LimitRange with these limits: `{ type: 'Container', max: { cpu: 1 } }`. */
export function limitRange(limits: readonly object[], { name = 'defaults', namespace }: { name?: string; namespace?: string } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { limits },
  };
}

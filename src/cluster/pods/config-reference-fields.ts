import type { ConfigKind } from '../../core/document/change';

/** Fields of a pod spec that name a ConfigMap or Secret: in a variable, as the source of all variables, and in a volume with the field of the name. */
export const REFERENCE_FIELDS: Readonly<
  Record<ConfigKind, { readonly env: string; readonly envFrom: string; readonly volume: string; readonly name: string }>
> = {
  ConfigMap: { env: 'configMapKeyRef', envFrom: 'configMapRef', volume: 'configMap', name: 'name' },
  Secret: { env: 'secretKeyRef', envFrom: 'secretRef', volume: 'secret', name: 'secretName' },
};

import { addToGroup } from '../core/collections/group-by';
import { getFieldsAt, groupOf, isFields, getListAt, nameOf, getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import type { SchemaNode } from './schema-node';

/** One version of a kind that a CRD defines. */
export interface DefinedKind {
  /** Name of the CRD: `rayservices.ray.io`. */
  readonly crd: string;
  /** `ray.io/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly served: boolean;
  /** @default - every object is valid */
  readonly schema?: SchemaNode;
}

/** Reports whether an object is a CustomResourceDefinition. */
export function isCustomResourceDefinition(object: Manifest): boolean {
  return object.kind === 'CustomResourceDefinition' && groupOf(object) === 'apiextensions.k8s.io';
}

function keyOf(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

/** Kinds that CRDs define, by apiVersion and kind. */
export class CrdRegistry {
  private readonly byKey = new Map<string, DefinedKind>();
  /** Served apiVersions of each kind, by group and kind. */
  private readonly servedByKind = new Map<string, string[]>();
  private readonly kinds = new Set<string>();

  /**
   * @param kubernetesVersion - version of the cluster. @default - the default version of Kubernetes
   * @param areAccepted - whether the API server accepts these CRDs, whatever their rules cost. @default false
   */
  constructor(
    objects: readonly Manifest[],
    readonly kubernetesVersion: string = DEFAULT_VERSIONS.kubernetes,
    readonly areAccepted = false,
  ) {
    for (const object of objects.filter(isCustomResourceDefinition)) this.add(object);
  }

  private add(crd: Manifest): void {
    const group = getValueAt(crd, 'spec', 'group');
    const kind = getValueAt(crd, 'spec', 'names', 'kind');
    if (typeof group !== 'string' || typeof kind !== 'string') return;
    this.kinds.add(keyOf(group, kind));
    for (const version of getListAt(crd, 'spec', 'versions')) {
      const name = getValueAt(version, 'name');
      if (typeof name !== 'string') continue;
      const apiVersion = `${group}/${name}`;
      const schema = getValueAt(version, 'schema', 'openAPIV3Schema');
      const served = getValueAt(version, 'served') === true;
      this.byKey.set(keyOf(apiVersion, kind), {
        crd: nameOf(crd),
        apiVersion,
        kind,
        served,
        ...(isFields(schema) && { schema: getFieldsAt(version, 'schema', 'openAPIV3Schema') }),
      });
      if (served) addToGroup(this.servedByKind, keyOf(group, kind), apiVersion);
    }
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Reports whether a CRD defines the kind of an object, in any version. */
  definesKind({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): boolean {
    return this.kinds.has(keyOf(groupOf({ apiVersion }), kind));
  }

  get({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): DefinedKind | undefined {
    return this.byKey.get(keyOf(apiVersion, kind));
  }

  /** Returns the apiVersions in which the kind of an object is served; empty if no CRD defines the kind. */
  servedVersions({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): readonly string[] {
    return this.servedByKind.get(keyOf(groupOf({ apiVersion }), kind)) ?? [];
  }
}

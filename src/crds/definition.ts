import { fieldsAt, groupOf, isFields, listAt, nameOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { DEFAULT_VERSIONS } from '../core/versions';
import type { SchemaNode } from './schema-node';

/** One version of a kind that a CRD defines. */
export interface DefinedKind {
  /** The CRD's name: `rayservices.ray.io`. */
  readonly crd: string;
  /** `ray.io/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly served: boolean;
  /** @default - whatever stands in an object passes */
  readonly schema?: SchemaNode;
}

/** Is this a CustomResourceDefinition? */
export function isDefinition(object: Manifest): boolean {
  return object.kind === 'CustomResourceDefinition' && groupOf(object) === 'apiextensions.k8s.io';
}

function keyOf(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

/** The kinds that CRDs define, by apiVersion and kind. */
export class Definitions {
  private readonly byKey = new Map<string, DefinedKind>();
  /** The apiVersions that are served of each kind, by group and kind. */
  private readonly served = new Map<string, string[]>();
  private readonly kinds = new Set<string>();

  /** @param kubernetesVersion - of the cluster. @default - the one that is assumed */
  constructor(
    objects: readonly Manifest[],
    readonly kubernetesVersion: string = DEFAULT_VERSIONS.kubernetes,
  ) {
    for (const object of objects.filter(isDefinition)) this.add(object);
  }

  private add(crd: Manifest): void {
    const group = valueAt(crd, 'spec', 'group');
    const kind = valueAt(crd, 'spec', 'names', 'kind');
    if (typeof group !== 'string' || typeof kind !== 'string') return;
    this.kinds.add(keyOf(group, kind));
    for (const version of listAt(crd, 'spec', 'versions')) {
      const name = valueAt(version, 'name');
      if (typeof name !== 'string') continue;
      const apiVersion = `${group}/${name}`;
      const schema = valueAt(version, 'schema', 'openAPIV3Schema');
      const served = valueAt(version, 'served') === true;
      this.byKey.set(keyOf(apiVersion, kind), {
        crd: nameOf(crd),
        apiVersion,
        kind,
        served,
        ...(isFields(schema) && { schema: fieldsAt(version, 'schema', 'openAPIV3Schema') }),
      });
      if (served) this.served.set(keyOf(group, kind), [...(this.served.get(keyOf(group, kind)) ?? []), apiVersion]);
    }
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Does a CRD define the kind of an object, in whatever version? */
  isKind({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): boolean {
    return this.kinds.has(keyOf(groupOf({ apiVersion }), kind));
  }

  of({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): DefinedKind | undefined {
    return this.byKey.get(keyOf(apiVersion, kind));
  }

  /** The apiVersions in which the kind of an object is served; none where no CRD defines the kind. */
  servedVersions({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): readonly string[] {
    return this.served.get(keyOf(groupOf({ apiVersion }), kind)) ?? [];
  }
}

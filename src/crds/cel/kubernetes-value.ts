import type * as Cel from '@bufbuild/cel';
import type { CelMap } from '@bufbuild/cel';
import type { Address, Network } from './address';
import type { ParsedQuantity } from '../../core/values/parsed-quantity';
import type { SemanticVersion } from './semantic-version';
import type { GoUrl } from './go-url';

/** A value of a type that Kubernetes adds to the language. */
export type KubernetesValue =
  | { readonly type: 'ip'; readonly value: Address }
  | { readonly type: 'cidr'; readonly value: Network }
  | { readonly type: 'quantity'; readonly value: ParsedQuantity; readonly isComputed: boolean }
  | { readonly type: 'semver'; readonly value: SemanticVersion }
  | { readonly type: 'url'; readonly value: GoUrl }
  | { readonly type: 'format'; readonly value: string };

const KUBERNETES_VALUE = Symbol('own value');

/** Carrier of a Kubernetes value. The evaluator knows only its own types, so each carrier is a map to it. */
interface ValueCarrier {
  readonly [KUBERNETES_VALUE]?: KubernetesValue;
}

export function wrapKubernetesValue(cel: typeof Cel, value: KubernetesValue): CelMap {
  return Object.assign(cel.celMap(new Map()), { [KUBERNETES_VALUE]: value });
}

/** Returns the Kubernetes value that a map of the evaluator carries; undefined for any other value. */
export function unwrapKubernetesValue(value: unknown): KubernetesValue | undefined {
  return typeof value === 'object' && value !== null ? (value as ValueCarrier)[KUBERNETES_VALUE] : undefined;
}

/** Returns a Kubernetes value of one type. @throws if it has another type */
export function unwrapKubernetesValueAs<Type extends KubernetesValue['type']>(
  value: unknown,
  type: Type,
): Extract<KubernetesValue, { readonly type: Type }> {
  const unwrapped = unwrapKubernetesValue(value);
  if (unwrapped?.type !== type) throw new Error('no such overload');
  return unwrapped as Extract<KubernetesValue, { readonly type: Type }>;
}

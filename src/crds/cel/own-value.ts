import type * as Cel from '@bufbuild/cel';
import type { CelMap } from '@bufbuild/cel';
import type { Address, Network } from './address';
import type { Amount } from '../../core/amount';
import type { SemanticVersion } from './semantic-version';
import type { GoUrl } from './go-url';

/** A value of a type that Kubernetes adds to the language. */
export type OwnValue =
  | { readonly type: 'ip'; readonly is: Address }
  | { readonly type: 'cidr'; readonly is: Network }
  | { readonly type: 'quantity'; readonly is: Amount; readonly isComputed: boolean }
  | { readonly type: 'semver'; readonly is: SemanticVersion }
  | { readonly type: 'url'; readonly is: GoUrl }
  | { readonly type: 'format'; readonly is: string };

const OWN = Symbol('own value');

/** The evaluator knows its own types alone: to it, each of these is a map. */
interface Holder {
  readonly [OWN]?: OwnValue;
}

export function held(cel: typeof Cel, value: OwnValue): CelMap {
  return Object.assign(cel.celMap(new Map()), { [OWN]: value });
}

/** What the evaluator holds as a map, where it is a value of Kubernetes' own. */
export function ownOf(value: unknown): OwnValue | undefined {
  return typeof value === 'object' && value !== null ? (value as Holder)[OWN] : undefined;
}

/** The value of one type. @throws where it is of another. */
export function ownOfType<Type extends OwnValue['type']>(value: unknown, type: Type): Extract<OwnValue, { readonly type: Type }> {
  const own = ownOf(value);
  if (own?.type !== type) throw new Error('no such overload');
  return own as Extract<OwnValue, { readonly type: Type }>;
}

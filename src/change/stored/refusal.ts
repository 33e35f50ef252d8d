import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import type { Refusal, StoredObject } from './types';

/** What the server says to an update of an object; undefined where it takes it. */
export function refusal(before: StoredObject, after: StoredObject, _versions: Versions): Refusal | undefined {
  const selector = valueAt(after, 'spec', 'selector');
  if (after.kind !== 'Deployment' || isDeepStrictEqual(valueAt(before, 'spec', 'selector'), selector)) return undefined;
  return { path: 'spec.selector', message: `Invalid value: ${JSON.stringify(selector)}: field is immutable` };
}

import type { Manifest } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { refusal } from './refusal';
import { storedForm } from './stored-form';
import type { Applied, ApplyMode, OldObject } from './types';

/** What the server holds once NEW's object was applied over OLD's in a mode. */
export function applied(old: OldObject, next: Manifest, _mode: ApplyMode, versions: Versions): Applied {
  const stored = storedForm(next, versions);
  const refused = refusal(old.stored, stored, versions);
  return refused ? { refusal: refused } : { stored };
}

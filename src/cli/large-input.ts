import type { DiscoveredFile } from '../input/discovered-file';
import type { Io } from './io';

/** Bytes of files from which on there is enough to do for the engine to prepare for it. */
const LARGE = 512 * 1024;

/** Passes the files on; tells once that they are large, all together, before the file that makes them so. */
export function* notifyOnLargeInput(
  files: Iterable<DiscoveredFile>,
  { onLargeInput }: Pick<Io, 'onLargeInput'>,
): Generator<DiscoveredFile> {
  let bytes = 0;
  for (const file of files) {
    const before = bytes;
    if ('content' in file) bytes += file.content.length;
    if (before < LARGE && bytes >= LARGE) onLargeInput?.();
    yield file;
  }
}

import { readSync } from 'node:fs';

/** As many bytes as a pipe of Linux holds. */
const ROOM = 65_536;
/** A pipe that nobody opens to write to it for so long is taken to have no writer. */
const MOST_SECONDS_WITHOUT_WRITER = 2;
const MILLISECONDS_BETWEEN_LOOKS = 10;

function waitForData(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MILLISECONDS_BETWEEN_LOOKS);
}

/** Bytes read into some room, 0 at the end; undefined where there are none yet. */
function readAvailable(file: number, room: Buffer): number | undefined {
  try {
    return readSync(file, room);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/**
 * What an open pipe or device gives, which may have no end, block by block: each until the next one is asked for, since all are read into one room.
 *
 * @param needsWriter - may it be a pipe that nobody writes to, which would be waited for without end?
 * @throws what the file system says where it can't be read
 */
export function* readBlocks(file: number, needsWriter = false): Generator<Uint8Array> {
  const room = Buffer.allocUnsafe(ROOM);
  const patience = performance.now() + MOST_SECONDS_WITHOUT_WRITER * 1_000;
  let hasWriter = !needsWriter;
  for (;;) {
    const length = readAvailable(file, room);
    hasWriter ||= length !== 0;
    if (length === 0 && hasWriter) return;
    if (!hasWriter && performance.now() > patience) throw new Error('it is a pipe, and nobody writes to it');
    if (length) yield room.subarray(0, length);
    else waitForData();
  }
}

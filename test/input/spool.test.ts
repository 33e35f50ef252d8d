import fs, { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isChunked, fileTextOf } from '../../src/input/file-content';
import { readFiles } from '../../src/input/read';
import { Spool, readStreamContent } from '../../src/input/spool';
import { folderWith } from '../folder';

const MANY = Array.from(
  { length: 3_000 },
  (_, index) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c-${index}}\ndata: {text: "né ${'x'.repeat(500)}"}\n`,
).join('---\n');

/** One room for all blocks, as a pipe is read. */
function* blocksOf(text: string, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  const room = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) yield room.subarray(0, bytes.copy(room, 0, at));
}

/** Runs something with a folder for temporary files of its own. */
async function inTemporary(name: string, run: (folder: string) => Promise<void>): Promise<void> {
  const folder = folderWith({});
  const spied = jest.spyOn(os, 'tmpdir').mockReturnValue(path.join(folder.path, name));
  try {
    await run(folder.path);
  } finally {
    spied.mockRestore();
    folder.remove();
  }
}

function namesIn(content: ReturnType<Spool['content']>): unknown[] {
  return readFiles([{ file: '-', content }]).objects.map(({ metadata }) => metadata!.name);
}

const NAMES = Array.from({ length: 3_000 }, (_, index) => `c-${index}`);

test('a large stream is put into a file, which nobody else can open, and is read piece by piece', async () => {
  await inTemporary('', async (folder) => {
    const content = await readStreamContent(blocksOf(MANY, 65_536), MANY.length * 2, true);
    expect({ inPieces: isChunked(content), left: readdirSync(folder) }).toEqual({ inPieces: true, left: [] });
    expect(content).toHaveLength(Buffer.byteLength(MANY));
    expect(namesIn(content)).toEqual(NAMES);
    expect(fileTextOf(content) === MANY).toBe(true);
  });
});

test.each([
  ['a small one', MANY.slice(0, 20_000), true],
  ['one that is asked for as a whole', MANY, false],
  ['JSON, whatever its size', `{"apiVersion": "v1", "kind": "List", "items": [${' '.repeat(2_000_000)}]}`, true],
])('%s is held', async (_, text, mayWrite) => {
  const content = await readStreamContent(blocksOf(text, 65_536), MANY.length * 2, mayWrite);
  expect(isChunked(content)).toBe(false);
  expect(fileTextOf(content) === text).toBe(true);
});

test('where there is nowhere to write to, all is held', async () => {
  await inTemporary('no/such/folder', async () => {
    const content = await readStreamContent(blocksOf(MANY, 65_536), MANY.length * 2, true);
    expect(isChunked(content)).toBe(false);
    expect(namesIn(content)).toEqual(NAMES);
  });
});

test.each([0, 1, 7])('where no space is left after %p writes, so is what has been written', async (writes) => {
  await inTemporary('', async (folder) => {
    const write = fs.writeSync;
    let count = 0;
    const full = jest.spyOn(fs, 'writeSync').mockImplementation((...given: unknown[]) => {
      if (count++ >= writes) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return (write as (...all: unknown[]) => number)(...given);
    });
    try {
      const content = await readStreamContent(blocksOf(MANY, 65_536), MANY.length * 2, true);
      expect({ inPieces: isChunked(content), count, left: readdirSync(folder) }).toEqual({ inPieces: false, count: writes + 1, left: [] });
      expect(fileTextOf(content) === MANY).toBe(true);
    } finally {
      full.mockRestore();
    }
  });
});

test('no more is read of one that is too long than is needed to tell', async () => {
  let given = 0;
  function* endless(): Generator<Uint8Array> {
    for (;;) {
      given += 65_536;
      yield Buffer.alloc(65_536, 'x');
    }
  }
  const content = await readStreamContent(endless(), 3_000_000, true);
  expect([given, content.length]).toEqual([46 * 65_536, 46 * 65_536]);
});

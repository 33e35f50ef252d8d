import { readStream } from '../../src/input/read-limited';

test('a stream is read to its end', async () => {
  const chunks = ['kind: A\n', 'apiVersion: "n', 'é"\n'].map((text) => Buffer.from(text));
  expect(Buffer.from(await readStream(chunks, 1_000)).toString()).toBe('kind: A\napiVersion: "né"\n');
});

test('a stream that exceeds the limit is read only until that is known', async () => {
  let yielded = 0;
  function* endless(): Generator<Uint8Array> {
    for (;;) {
      yielded += 65_536;
      yield Buffer.alloc(65_536, 'x');
    }
  }
  const content = await readStream(endless(), 3_000_000);
  expect([yielded, content.length]).toEqual([46 * 65_536, 46 * 65_536]);
});

import { inflateSync } from 'node:zlib';

/** Bytes per pixel of each color type that librsvg writes: RGB, and RGB with opacity. Source: PNG specification, table 11.1. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** The predictor of filter type 4. Source: PNG specification, section 9.4. */
function predictPaeth(left: number, above: number, aboveLeft: number): number {
  const estimate = left + above - aboveLeft;
  const toLeft = Math.abs(estimate - left);
  const toAbove = Math.abs(estimate - above);
  const toAboveLeft = Math.abs(estimate - aboveLeft);
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left;
  return toAbove <= toAboveLeft ? above : aboveLeft;
}

/** The predictors of all filter types. Source: PNG specification, section 9.2. */
const PREDICTORS: readonly ((left: number, above: number, aboveLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  predictPaeth,
];

function readImageData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return inflateSync(Buffer.concat(parts));
}

/** Counts the pixels of a PNG with 8 bits per channel by color, `#0072b2`, without regard to opacity. */
export function countPixels(png: Buffer): ReadonlyMap<string, number> {
  const [width, height, size] = [png.readUInt32BE(16), png.readUInt32BE(20), PIXEL_BYTES[png[25]!]!];
  const bytes = readImageData(png);
  const rowBytes = width * size;
  const counts = new Map<number, number>();
  let above = new Uint8Array(rowBytes);
  for (let row = 0; row < height; row += 1) {
    const start = row * (rowBytes + 1);
    const predict = PREDICTORS[bytes[start]!]!;
    const line = new Uint8Array(bytes.subarray(start + 1, start + 1 + rowBytes));
    for (let index = 0; index < rowBytes; index += 1) {
      const isFirst = index < size;
      line[index]! += predict(isFirst ? 0 : line[index - size]!, above[index]!, isFirst ? 0 : above[index - size]!);
    }
    for (let index = 0; index < rowBytes; index += size) {
      const color = (line[index]! << 16) | (line[index + 1]! << 8) | line[index + 2]!;
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    above = line;
  }
  return new Map([...counts].map(([color, count]) => [`#${color.toString(16).padStart(6, '0')}`, count]));
}

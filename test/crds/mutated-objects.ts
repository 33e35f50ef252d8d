import type { Manifest } from '../../src/core/manifest';

/** An object of the CRD in test/fixtures/crds that the server takes. */
export const SOUND: Manifest = {
  apiVersion: 'shop.example/v1',
  kind: 'Cache',
  metadata: { name: 'front', namespace: 'shop' },
  spec: {
    mode: 'Large',
    size: 8,
    share: 0.5,
    step: 10,
    surge: '25%',
    name: 'été',
    since: '2026-01-02T03:04:05Z',
    address: '10.0.0.1',
    network: '10.0.0.0/8',
    id: '0a0a0a0a-1111-4222-8333-abcdefabcdef',
    paused: null,
    limits: { cpu: '1', 'example.com/gpu': '2' },
    zones: ['zone-a', 'zone-b'],
    ports: [{ name: 'http' }, { name: 'metrics', number: 9090 }],
    free: { any: { thing: [1, 'two'] } },
    from: 1,
    to: 2,
    namespace: 'shop',
    'dashed-name': 'dash',
    choice: { a: 'yes' },
    never: { x: 1 },
  },
};

/** Values of every type, and at the edges of what a schema says. */
const VALUES: readonly unknown[] = [
  null,
  true,
  'text',
  '',
  'Large',
  'Small',
  'zone-c',
  'a-very-long-text-indeed',
  '0',
  '101%',
  '25',
  '10.0.0.256',
  'kube-system',
  'no',
  'é',
  0,
  -1,
  1,
  2,
  5,
  7,
  64,
  65,
  99,
  100,
  7e4,
  3e9,
  0.25,
  1.5,
  [],
  ['zone-a'],
  ['zone-a', 'zone-a'],
  ['a', 'b', 'c', 'd'],
  [
    {
      name: 'x',
      number: 0,
    },
  ],
  [{ number: 1 }],
  [{ name: 'x' }, { name: 'x' }],
  {},
  { a: 'b' },
  { b: 'x' },
  {
    a: 'x',
    b: 'y',
  },
  {
    x: 1,
    y: 2,
  },
  { cpu: '0' },
  { cpu: '123456' },
  {
    a: '1',
    b: '2',
    c: '3',
  },
];

/** Numbers that look random, and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Holder = Record<string | number, unknown>;

/** Every place of a value that can be changed, as what holds it and its key. */
function placesOf(value: unknown, found: [Holder, string | number][] = []): [Holder, string | number][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    found.push([value as Holder, key]);
    placesOf((value as Holder)[key], found);
  }
  return found;
}

function mutate(object: Manifest, next: (below: number) => number): void {
  const places = placesOf(object.spec);
  const [holder, key] = places[next(places.length)] ?? [];
  if (holder === undefined || key === undefined) return;
  const way = next(8);
  if (way === 0 && !Array.isArray(holder)) delete holder[key];
  else if (way === 1 && Array.isArray(holder)) holder.push(structuredClone(holder[key]));
  else if (way === 2 && !Array.isArray(holder)) holder[`${key}X`] = VALUES[next(VALUES.length)];
  else holder[key] = structuredClone(VALUES[next(VALUES.length)]);
}

/** The object with one to three of its places changed, so many times. */
export function mutatedObjects(sound: Manifest, count: number, seed = 20_261_122): Manifest[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const object = structuredClone(sound) as Manifest & { metadata: { name: string } };
    object.metadata.name = `m${index}`;
    for (let times = 1 + next(3); times > 0; times--) mutate(object, next);
    return object;
  });
}

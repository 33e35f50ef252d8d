import type { Manifest } from '../../src/core/manifest/manifest';

/** An object of the CRD in test/fixtures/crds that the server accepts. */
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

/** Values of every type, and at the limits of a schema. */
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

/** Creates a generator of pseudo-random numbers, which are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Container = Record<string | number, unknown>;

/** Returns every position of a value that can be changed, as its container and key. */
function positionsOf(value: unknown, found: [Container, string | number][] = []): [Container, string | number][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    found.push([value as Container, key]);
    positionsOf((value as Container)[key], found);
  }
  return found;
}

function mutate(object: Manifest, next: (below: number) => number): void {
  const positions = positionsOf(object.spec);
  const [container, key] = positions[next(positions.length)] ?? [];
  if (container === undefined || key === undefined) return;
  const way = next(8);
  if (way === 0 && !Array.isArray(container)) delete container[key];
  else if (way === 1 && Array.isArray(container)) container.push(structuredClone(container[key]));
  else if (way === 2 && !Array.isArray(container)) container[`${key}X`] = VALUES[next(VALUES.length)];
  else container[key] = structuredClone(VALUES[next(VALUES.length)]);
}

/** Returns copies of an object, each with one to three of its positions changed. */
export function mutatedObjects(sound: Manifest, count: number, seed = 20_261_122): Manifest[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const object = structuredClone(sound) as Manifest & { metadata: { name: string } };
    object.metadata.name = `m${index}`;
    for (let times = 1 + next(3); times > 0; times--) mutate(object, next);
    return object;
  });
}

/** What the suffixes of Kubernetes quantities multiply by. Source: apimachinery `resource.Quantity`. */
const SUFFIXES: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const QUANTITY = /^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([numkMGTPE]|[KMGTPE]i)?$/;

/** An amount of a resource as Kubernetes writes it: `1`, `"500m"`, `"16Gi"`. */
export type Quantity = number | string;

/** The number that a quantity stands for, in its base unit (cores, bytes, devices); undefined where it is none. `quantityOf("500m")` is 0.5. */
export function quantityOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const match = typeof value === 'string' ? QUANTITY.exec(value) : null;
  return match ? Number(match[1]) * SUFFIXES[match[2] ?? '']! : undefined;
}

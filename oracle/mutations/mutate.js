'use strict';

/** Pseudorandom numbers. The same seed gives the same numbers (mulberry32). */
class Draw {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  below(end) {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (((mixed ^ (mixed >>> 14)) >>> 0) % end) >>> 0;
  }

  of(values) {
    return values[this.below(values.length)];
  }
}

const LONG = 'x'.repeat(5_000);

/** Unexpected values for any field. */
const STRANGE = [
  null, true, false, 0, -0, 1, -1, -4, 2, 7, 0.5, 1.5, -0.1, 100, 101, 1e6, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 1e22, Number('12345678901234567890123'), 1e308, -1e308,
  Infinity, -Infinity, NaN, '', ' ', 'x', '0', '1', '-1', '1.5', '25%', '0%', '100%', '101%', '-10%', '1e9', '1e400', '9'.repeat(40), '500m', '16Gi', '-4', 'inf', 'NaN',
  '\u0000', '\u202e', '::error::', '##vso[task.complete]', '__proto__', 'constructor', LONG, [], {}, [null], [{}], [[]], [1, 'a', null], { a: null }, { '': '' },
  { key: 'app' }, { operator: 'In' }, { matchLabels: null }, { matchExpressions: [{ operator: 'In' }, null, 3] }, { matchExpressions: 7 }, { maxSurge: -1 }, { name: {} }, { toString: 1, valueOf: 1 },
];

const NAMES = ['spec', 'metadata', 'name', 'namespace', 'labels', 'annotations', 'kind', 'replicas', 'strategy', 'type', 'rollingUpdate', 'maxSurge', 'maxUnavailable', 'selector',
  'matchLabels', 'matchExpressions', 'key', 'operator', 'values', 'template', 'containers', 'initContainers', 'resources', 'requests', 'limits', 'cpu', 'memory', 'nvidia.com/gpu',
  'minReplicas', 'maxReplicas', 'nodeSelector', 'affinity', 'tolerations', 'volumes', 'items', 'targets', 'partitions', '__proto__', 'toString', '', 'length'];

function isBranch(value) {
  return typeof value === 'object' && value !== null;
}

function branchesOf(value) {
  const found = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isBranch(next)) continue;
    found.push(next);
    pending.push(...Object.values(next));
  }
  return found;
}

function put(branch, key, value) {
  Object.defineProperty(branch, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Makes one change at a random position. */
function change(root, draw, others) {
  const branch = draw.of(branchesOf(root));
  const keys = Object.keys(branch);
  const key = keys.length > 0 ? draw.of(keys) : undefined;
  const strange = () => structuredClone(draw.of(STRANGE));
  switch (draw.below(10)) {
    case 0:
    case 1:
    case 2:
      if (key !== undefined) put(branch, key, strange());
      break;
    case 3:
      if (key !== undefined && !Array.isArray(branch)) delete branch[key];
      else if (key !== undefined) branch.splice(Number(key), 1);
      break;
    case 4:
      if (Array.isArray(branch)) branch.push(branch.length > 0 ? structuredClone(draw.of(branch)) : strange());
      else put(branch, draw.of(NAMES), strange());
      break;
    case 5: {
      const other = draw.of(branchesOf(root));
      if (key !== undefined) put(branch, key, structuredClone(other));
      break;
    }
    case 6:
      if (key !== undefined) put(branch, key, [branch[key]]);
      break;
    case 7:
      if (key !== undefined && typeof branch[key] === 'number') put(branch, key, draw.of([-branch[key], branch[key] * 1e9, branch[key] / 3, String(branch[key])]));
      else if (key !== undefined && typeof branch[key] === 'string') put(branch, key, draw.of([branch[key].repeat(3), branch[key].slice(1), `${branch[key]}\n::x`, Number(branch[key])]));
      break;
    case 8:
      if (key !== undefined && !Array.isArray(branch)) {
        const value = branch[key];
        delete branch[key];
        put(branch, draw.of(NAMES), value);
      }
      break;
    default:
      if (key !== undefined && others.length > 0) put(branch, key, structuredClone(draw.of(branchesOf(draw.of(others)))));
  }
}

function mutated(value, draw, others = []) {
  const copy = { root: structuredClone(value) };
  for (let changes = 1 + draw.below(4); changes > 0; changes--) change(copy, draw, others);
  return copy.root;
}

const PIECES = ['\n', '\r', '\t', ' ', ':', '-', '- ', '---\n', '...\n', '#', '"', "'", '|', '>', '&a ', '*a', '!!binary ', '<<: ', '{', '}', '[', ']', ',', '?', '%', '@', '\u0085', '\u2028', '\u0000', '\ufeff', '0', '-1', '.inf', '~', 'null'];

function mutatedText(text, draw) {
  let changed = text;
  for (let changes = 1 + draw.below(4); changes > 0; changes--) {
    const at = draw.below(changed.length + 1);
    const end = Math.min(changed.length, at + draw.below(30));
    const piece = draw.of([draw.of(PIECES), draw.of(PIECES), '', changed.slice(at, end).repeat(2), changed.slice(0, draw.below(200))]);
    changed = changed.slice(0, at) + piece + changed.slice(draw.of([at, end]));
  }
  return changed;
}

module.exports = { Draw, mutated, mutatedText };

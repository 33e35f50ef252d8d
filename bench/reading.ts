import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';

import { atMostRatio } from './figure';
import type { Figure } from './figure';
import { deployment, many } from './manifests';

const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

/** Properties of a schema as controller-gen writes them, `depth` levels of them. */
function properties(indent: string, depth: number): string {
  return Array.from({ length: 6 }, (_, index) => {
    const inner =
      depth > 0 && index < 3
        ? `${indent}  properties:\n${properties(`${indent}    `, depth - 1)}${indent}  type: object\n`
        : `${indent}  type: string\n${indent}  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'\n${indent}  enum: [a, b, c]\n`;
    return `${indent}field${depth}x${index}:\n${indent}  description: |-\n${indent}    Says what the field does,\n${indent}    in a sentence or two.\n${inner}`;
  }).join('');
}

const SCHEMA = properties('                ', 4);

function definition(index: number): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things${index}.example.com
spec:
  group: example.com
  names: { kind: Thing${index}, plural: things${index} }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          description: 'Thing is what
            this API is about.'
          type: object
          properties:
            spec:
              type: object
              properties:
${SCHEMA}`;
}

const MEGABYTE = 1_000_000;
/** The size of a real checkout. */
const CHECKOUT = 121 * MEGABYTE;
const PER_FILE = Math.ceil((4 * MEGABYTE) / definition(0).length);

/** What a process took: seconds of the processor, and megabytes at its peak. */
interface Cost {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Runs a script in a process of its own, which a file is piped into. */
function costOfPiped(file: string, script: string, ...args: readonly string[]): Cost {
  const report = `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.error(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1e3 })); });`;
  const given = openSync(file, 'r');
  const { stderr } = spawnSync(process.execPath, ['-e', report + script, '--', ...args], {
    stdio: [given, 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  closeSync(given);
  return JSON.parse(stderr.trim().split('\n').at(-1)!) as Cost;
}

/** Runs a script in a process of its own. */
function costOf(script: string, ...args: readonly string[]): Cost {
  return costOfPiped(devNull, script, ...args);
}

const CHECK = `process.argv.splice(1, 0, ''); require(${JSON.stringify(MAIN)});`;

/** `rolloutkit check PATH`. */
function check(target: string, ...options: readonly string[]): Cost {
  return costOf(CHECK, 'check', '--format', 'json', target, ...options);
}

/** `rolloutkit check - < FILE`. */
function checkPiped(file: string): Cost {
  return costOfPiped(file, CHECK, 'check', '--format', 'json', '-');
}

/** The yardstick: what the `yaml` package takes to parse a file. */
function parse(file: string): Cost {
  const yaml = JSON.stringify(require.resolve('yaml'));
  return costOf(`require(${yaml}).parseAllDocuments(require('fs').readFileSync(process.argv[1], 'utf8'));`, file);
}

const CACHE_CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: caches.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Cache, plural: caches }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [mode]
              properties:
                mode: { type: string, enum: [Small, Large] }
                from: { type: integer, minimum: 0 }
                to: { type: integer }
                zones: { type: array, x-kubernetes-list-type: set, items: { type: string, pattern: '^zone-' } }
                ports: { type: array, items: { type: object, required: [name], properties: { name: { type: string }, number: { type: integer, default: 80 } } } }
              x-kubernetes-validations:
                - { rule: self.from <= self.to }
                - { rule: "self.mode != 'Large' || self.to >= 8" }
                - { rule: "self.zones.all(z, z.startsWith('zone-'))" }
                - { rule: 'self.ports.filter(p, p.number == 80).size() <= 1' }
`;

function cache(index: number): string {
  return `apiVersion: example.com/v1
kind: Cache
metadata:
  name: cache-${index}
  namespace: shop
  labels:
    app: shop
spec:
  mode: Large
  from: ${index}
  to: ${index + 8}
  zones:
    - zone-a
    - zone-b
  ports:
    - name: http
    - name: metrics
      number: 9090
`;
}

function underMegabytes(name: string, bound: number, { megabytes }: Cost): Figure {
  return { name, measured: `${megabytes.toFixed(0)} MB`, promised: `under ${bound} MB`, holds: megabytes < bound };
}

function writeCheckout(folder: string): void {
  mkdirSync(folder);
  for (let size = 0, index = 0; size < CHECKOUT; index++) {
    const text = many((each) => definition(index * PER_FILE + each), PER_FILE);
    writeFileSync(path.join(folder, `crds-${index}.yaml`), text);
    size += text.length;
  }
}

function figuresIn(folder: string): Figure[] {
  const deployments = path.join(folder, 'deployments.yaml');
  const definitions = path.join(folder, 'definitions.yaml');
  const checkout = path.join(folder, 'checkout');
  const tenTimes = path.join(folder, 'ten-times.yaml');
  writeFileSync(deployments, many(deployment, 10_000));
  writeFileSync(tenTimes, many(deployment, 100_000));
  writeFileSync(definitions, many(definition, 3 * PER_FILE));
  writeCheckout(checkout);
  const [crd, caches] = [path.join(folder, 'crd.yaml'), path.join(folder, 'caches.yaml')];
  writeFileSync(crd, CACHE_CRD);
  writeFileSync(caches, many(cache, 1_000));
  const checked = check(deployments);
  const tenTimesChecked = check(tenTimes);
  return [
    atMostRatio(
      'check of 10,000 Deployments against parsing them, in seconds of the processor',
      0.45,
      checked.seconds / parse(deployments).seconds,
    ),
    underMegabytes('check of 10,000 Deployments, memory', 150, checked),
    underMegabytes('check of 100,000 Deployments in one file, memory', 600, tenTimesChecked),
    underMegabytes('check of 100,000 Deployments that are piped in, memory', 600, checkPiped(tenTimes)),
    atMostRatio(
      'check of 100,000 Deployments against one of 10,000, in seconds of the processor',
      10,
      tenTimesChecked.seconds / checked.seconds,
    ),
    atMostRatio(
      'check of 12 MB of CustomResourceDefinitions against parsing them',
      0.2,
      check(definitions).seconds / parse(definitions).seconds,
    ),
    atMostRatio(
      'schema and CEL rules of a CRD on 1,000 objects against parsing them',
      1,
      (check(caches, '--crds', crd).seconds - check(caches).seconds) / parse(caches).seconds,
    ),
    underMegabytes('check of 121 MB of CustomResourceDefinitions, memory', 450, check(checkout)),
  ];
}

/** What large inputs cost, against the `yaml` package on the same text, and what they hold in memory. */
export function readingFigures(): Figure[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-bench-'));
  try {
    return figuresIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

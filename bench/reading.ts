import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';

import { atMostRatio } from './figure';
import type { Figure } from './figure';
import { buildYamlFile, deployment } from './manifests';

const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

/** Returns `depth` levels of schema properties, as controller-gen writes them. */
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
/** Size of a real checkout. */
const CHECKOUT = 121 * MEGABYTE;
const PER_FILE = Math.ceil((4 * MEGABYTE) / definition(0).length);

/** CPU seconds and peak memory of a process. */
interface Cost {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Runs a script in a separate process, with a file as its standard input. */
function costOfPiped(file: string, script: string, ...args: readonly string[]): Cost {
  const report = `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.error(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1e3 })); });`;
  const input = openSync(file, 'r');
  const { stderr } = spawnSync(process.execPath, ['-e', report + script, '--', ...args], {
    stdio: [input, 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  closeSync(input);
  return JSON.parse(stderr.trim().split('\n').at(-1)!) as Cost;
}

/** Runs a script in a separate process. */
function costOf(script: string, ...args: readonly string[]): Cost {
  return costOfPiped(devNull, script, ...args);
}

const CHECK = `process.argv.splice(1, 0, ''); require(${JSON.stringify(MAIN)});`;

/** Runs `rolloutkit check PATH`. */
function check(target: string, ...options: readonly string[]): Cost {
  return costOf(CHECK, 'check', '--format', 'json', target, ...options);
}

/** Runs `rolloutkit check - < FILE`. */
function checkPiped(file: string): Cost {
  return costOfPiped(file, CHECK, 'check', '--format', 'json', '-');
}

/** Parses a file with the `yaml` package, as the reference for the ratios. */
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
    const text = buildYamlFile((each) => definition(index * PER_FILE + each), PER_FILE);
    writeFileSync(path.join(folder, `crds-${index}.yaml`), text);
    size += text.length;
  }
}

function figuresIn(folder: string): Figure[] {
  const deployments = path.join(folder, 'deployments.yaml');
  const definitions = path.join(folder, 'definitions.yaml');
  const checkout = path.join(folder, 'checkout');
  const tenTimes = path.join(folder, 'ten-times.yaml');
  writeFileSync(deployments, buildYamlFile(deployment, 10_000));
  writeFileSync(tenTimes, buildYamlFile(deployment, 100_000));
  writeFileSync(definitions, buildYamlFile(definition, 3 * PER_FILE));
  writeCheckout(checkout);
  const [crd, caches] = [path.join(folder, 'crd.yaml'), path.join(folder, 'caches.yaml')];
  writeFileSync(crd, CACHE_CRD);
  writeFileSync(caches, buildYamlFile(cache, 1_000));
  const deploymentsCost = check(deployments);
  const tenTimesCost = check(tenTimes);
  return [
    atMostRatio(
      'check of 10,000 Deployments, CPU time relative to parsing them',
      0.45,
      deploymentsCost.seconds / parse(deployments).seconds,
    ),
    underMegabytes('check of 10,000 Deployments, peak memory', 150, deploymentsCost),
    underMegabytes('check of 100,000 Deployments in one file, peak memory', 600, tenTimesCost),
    underMegabytes('check of 100,000 Deployments from standard input, peak memory', 600, checkPiped(tenTimes)),
    atMostRatio('check of 100,000 Deployments, CPU time relative to a check of 10,000', 10, tenTimesCost.seconds / deploymentsCost.seconds),
    atMostRatio(
      'check of 12 MB of CustomResourceDefinitions, CPU time relative to parsing them',
      0.25,
      check(definitions).seconds / parse(definitions).seconds,
    ),
    atMostRatio(
      'schema and CEL rules of a CRD on 1,000 objects, CPU time relative to parsing them',
      1,
      (check(caches, '--crds', crd).seconds - check(caches).seconds) / parse(caches).seconds,
    ),
    underMegabytes('check of 121 MB of CustomResourceDefinitions, peak memory', 450, check(checkout)),
  ];
}

/** Measures the CPU time of large inputs, relative to the `yaml` package on the same text, and their peak memory. */
export function readingFigures(): Figure[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-bench-'));
  try {
    return figuresIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Of all systems, rules and formats a run of the command line needs few, so a module is loaded where it is first asked for.
import path from 'node:path';

/** `const plan_1 = require("../plan/plan");`, as tsc writes an import. */
const IMPORT = /^const (\w+_\d+) = ((?:__importDefault\()?require\("([^"]+)"\)\)?);$/gm;

/** Where an import is asked for one of its members, `plan_1.planInput`, or for all of them. */
const USE = /(?<!^const )\b(\w+_\d+)\b(?:\.(\w+))?/gm;

/** Further modules that one may bring with it and be loaded at once all the same. */
const FEW = 2;

/** Importers from which on nearly every run needs a module anyway. */
const MANY = 25;

/** Compiled file that an import leads to; undefined for a package. */
function fileOf(from, specifier, compiled) {
  if (!specifier.startsWith('.')) return undefined;
  const file = path.resolve(path.dirname(from), specifier);
  return [`${file}.js`, path.join(file, 'index.js')].find((name) => compiled.has(name));
}

/** The files that each file imports. */
export function importsOf(compiled) {
  const imported = (file, text) => Array.from(text.matchAll(IMPORT), ([, , , specifier]) => fileOf(file, specifier, compiled));
  return new Map(Array.from(compiled, ([file, text]) => [file, imported(file, text).filter((name) => name !== undefined)]));
}

/** All that a file brings with it where everything is loaded at once. */
function broughtBy(file, imports, brought = new Set()) {
  for (const next of imports.get(file)) {
    if (brought.has(next)) continue;
    brought.add(next);
    broughtBy(next, imports, brought);
  }
  return brought;
}

function isImportedByMany(target, imports) {
  return Array.from(imports.values()).filter((files) => files.includes(target)).length >= MANY;
}

/** What is small is asked for a thousand times an object, and loaded for nothing it costs little. */
function isLoadedAtOnce(target, file, imports) {
  if (target === undefined) return false;
  const brought = broughtBy(target, imports);
  return !brought.has(file) && (brought.size <= FEW || isImportedByMany(target, imports));
}

/**
 * The text of a module whose imports are loaded where they are first asked for: `plan_1.planInput` becomes
 * `(plan_1 ??= require("../plan/plan")).planInput`.
 *
 * What brings little with it, or is needed in any case, is loaded at once, and its members stand by themselves:
 * `const { isFields: manifest_1_isFields } = require("../core/manifest");`.
 *
 * @throws Error for a module that is asked for as a whole, whose members are not known then
 */
export function lazily(file, text, imports) {
  const atOnce = new Map();
  const later = new Map();
  for (const [, name, load, specifier] of text.matchAll(IMPORT)) {
    if (isLoadedAtOnce(fileOf(file, specifier, imports), file, imports)) atOnce.set(name, new Set());
    else later.set(name, load);
  }
  const asking = text.replaceAll(USE, (use, name, member) => {
    const members = atOnce.get(name);
    if (!members && !later.has(name)) return use;
    if (member === undefined) throw new Error(`${file} asks for all of ${name}, of which single members are loaded`);
    if (!members) return `(${name} ??= ${later.get(name)}).${member}`;
    members.add(member);
    return `${name}_${member}`;
  });
  return asking.replaceAll(IMPORT, (_, name, load) => {
    const members = atOnce.get(name);
    return members ? `const { ${Array.from(members, (member) => `${member}: ${name}_${member}`).join(', ')} } = ${load};` : `let ${name};`;
  });
}

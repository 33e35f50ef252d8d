// Makes modules load on first use, because a run of the command line needs only a few of all systems, rules and formats.
import path from 'node:path';

/** `const plan_1 = require("../plan/plan");`, as tsc writes an import. For `export … from` it writes `var`. */
const IMPORT = /^(?:const|var) (\w+_\d+) = ((?:__importDefault\()?require\("([^"]+)"\)\)?);$/gm;

/** Use of a member of an import (`plan_1.planInput`), or of the import itself. */
const USE = /(?<!^(?:const|var) )\b(\w+_\d+)\b(?:\.(\w+))?/gm;

/** Maximum number of dependencies of a module that is still loaded immediately. */
const MAX_DEPENDENCIES = 2;

/** Number of importers from which on nearly every run needs a module anyway. */
const MIN_IMPORTERS = 25;

/** Returns the compiled file that an import resolves to; undefined for a package. */
function fileOf(from, specifier, compiled) {
  if (!specifier.startsWith('.')) return undefined;
  const file = path.resolve(path.dirname(from), specifier);
  return [`${file}.js`, path.join(file, 'index.js')].find((name) => compiled.has(name));
}

/** Returns the files that each file imports. */
export function importsOf(compiled) {
  const imported = (file, text) => Array.from(text.matchAll(IMPORT), ([, , , specifier]) => fileOf(file, specifier, compiled));
  return new Map(Array.from(compiled, ([file, text]) => [file, imported(file, text).filter((name) => name !== undefined)]));
}

/** Returns the direct and indirect dependencies of a file. */
function collectDependencies(file, imports, dependencies = new Set()) {
  for (const next of imports.get(file)) {
    if (dependencies.has(next)) continue;
    dependencies.add(next);
    collectDependencies(next, imports, dependencies);
  }
  return dependencies;
}

function isImportedByMany(target, imports) {
  return Array.from(imports.values()).filter((files) => files.includes(target)).length >= MIN_IMPORTERS;
}

/**
 * Reports whether an import is loaded immediately. Small modules are used a thousand times per object, so a check at each use would
 * cost more than loading them without need.
 */
function isLoadedImmediately(target, file, imports) {
  if (target === undefined) return false;
  const dependencies = collectDependencies(target, imports);
  return !dependencies.has(file) && (dependencies.size <= MAX_DEPENDENCIES || isImportedByMany(target, imports));
}

/**
 * Returns the text of a module that loads its imports on first use: `plan_1.planInput` becomes
 * `(plan_1 ??= require("../plan/plan")).planInput`.
 *
 * Modules with few dependencies, and modules that every run needs, are loaded immediately, and their members become variables:
 * `const { isFields: manifest_1_isFields } = require("../core/manifest");`.
 *
 * @throws Error for a module that is used as an object, because its members are not known then
 */
export function lazily(file, text, imports) {
  const immediate = new Map();
  const lazy = new Map();
  for (const [, name, load, specifier] of text.matchAll(IMPORT)) {
    if (isLoadedImmediately(fileOf(file, specifier, imports), file, imports)) immediate.set(name, new Set());
    else lazy.set(name, load);
  }
  const rewritten = text.replaceAll(USE, (use, name, member) => {
    const members = immediate.get(name);
    if (!members && !lazy.has(name)) return use;
    if (member === undefined) throw new Error(`${file} uses ${name} as an object, but only its members can be loaded`);
    if (!members) return `(${name} ??= ${lazy.get(name)}).${member}`;
    members.add(member);
    return `${name}_${member}`;
  });
  return rewritten.replaceAll(IMPORT, (_, name, load) => {
    const members = immediate.get(name);
    return members ? `const { ${Array.from(members, (member) => `${member}: ${name}_${member}`).join(', ')} } = ${load};` : `let ${name};`;
  });
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';

const ROOT = path.resolve(__dirname, '../..');
const SCHEMAS = path.join(ROOT, 'schemas');

/** Names the file of the compiled schemas, which changes with them. */
function compiledFile(texts: readonly string[]): string {
  const digest = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);
  return path.join(ROOT, 'node_modules/.cache/rolloutkit', `schemas-${digest}.js`);
}

/**
 * Compiles the schemas of the documents once per run, because each of 110 test files would compile them again.
 *
 * @returns the path of a module that exports a validator per schema: `plan`, `diff`, `check` …
 */
export function compileSchemas(): string {
  const files = readdirSync(SCHEMAS).filter((file) => file.endsWith('-1.2.json'));
  const texts = files.map((file) => readFileSync(path.join(SCHEMAS, file), 'utf8'));
  const compiled = compiledFile(texts);
  if (existsSync(compiled)) return compiled;
  const schemas = texts.map((text) => JSON.parse(text) as { $id: string });
  const ajv = new Ajv2020({ strict: true, validateSchema: false, allErrors: true, code: { optimize: false, source: true }, schemas });
  const names = Object.fromEntries(files.map((file, index) => [file.replace('-1.2.json', ''), schemas[index]!.$id]));
  mkdirSync(path.dirname(compiled), { recursive: true });
  const unfinished = `${compiled}.${process.pid}`;
  writeFileSync(unfinished, standaloneCode(ajv, names));
  renameSync(unfinished, compiled);
  return compiled;
}

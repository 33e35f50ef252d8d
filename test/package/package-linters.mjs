/** Prints the problems that publint and arethetypeswrong find in a packed package, as JSON. Both are ES modules only, which jest does not load. */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const [tarball] = process.argv.slice(2);
const data = readFileSync(tarball);
const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);

const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
const types = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));

process.stdout.write(
  JSON.stringify({
    publint: messages.map((message) => formatMessage(message, pkg, { color: false })),
    typesWrong: types.types === false ? ['no types are published'] : types.problems.map((problem) => problem.kind),
  }),
);

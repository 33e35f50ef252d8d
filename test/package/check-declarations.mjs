/**
 * Prints the errors that a compiler finds in a project and in the declarations below its folder, and those of emitting its declarations.
 * The compiler itself would also check the declarations of other packages, which takes longer.
 */
import path from 'node:path';

const [compiler, config] = process.argv.slice(2);
const { default: ts } = await import(compiler);
const { options, fileNames, errors: mistakes } = ts.getParsedCommandLineOfConfigFile(config, {}, ts.sys);
const program = ts.createProgram(fileNames, options);
const folder = `${path.dirname(config)}${path.sep}`;
const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
const errors = [
  ...mistakes,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...files.flatMap((file) => program.getSyntacticDiagnostics(file)),
  ...files.flatMap((file) => program.getSemanticDiagnostics(file)),
  ...files.flatMap((file) => program.getDeclarationDiagnostics(file)),
];
const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => folder, getNewLine: () => '\n' };
process.stdout.write(ts.formatDiagnostics(errors, host));

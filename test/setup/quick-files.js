/** A jest filter for the test files of `npm test`: all except the long ones. */
module.exports = (files) => ({ filtered: files.filter((file) => !file.endsWith('.long.test.ts')) });

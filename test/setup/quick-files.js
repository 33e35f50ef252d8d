/** A filter for jest: leaves the test files of `npm test`, which are all but the long ones. */
module.exports = (files) => ({ filtered: files.filter((file) => !file.endsWith('.long.test.ts')) });

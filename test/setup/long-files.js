/** A filter for jest: leaves the test files that `npm test` leaves out, for each goes over thousands of cases. */
module.exports = (files) => ({ filtered: files.filter((file) => file.endsWith('.long.test.ts')) });

/** A jest filter for the long test files, which `npm test` leaves out because they check thousands of cases. */
module.exports = (files) => ({ filtered: files.filter((file) => file.endsWith('.long.test.ts')) });

const { readFileSync } = require('node:fs');

/** A filter for jest: leaves the test files that hold properties. */
module.exports = (files) => ({ filtered: files.filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'")) });

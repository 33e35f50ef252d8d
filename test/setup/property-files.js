const { readFileSync } = require('node:fs');

/** A jest filter for the test files with properties. */
module.exports = (files) => ({ filtered: files.filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'")) });

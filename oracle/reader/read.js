// Reads texts from standard input, one JSON string per line, and prints what rolloutkit parses from each: `{ documents, error }`.
const { createInterface } = require('node:readline');
const { DocumentText, readDocument } = require('../../lib/input/yaml');
const { readFast } = require('../../lib/input/yaml/fast-reader');

/** Returns the value of a document, and checks that the fast reader and the full YAML reader agree. */
function valueOf(file, chunk) {
  const { value } = file.valueOf(chunk);
  if (chunk.json) return value;
  const expected = readDocument(file.text.slice(chunk.at, chunk.end)).value;
  const isFast = readFast(file.text, chunk.at, chunk.end) !== undefined;
  if (isFast && JSON.stringify(expected) !== JSON.stringify(value)) throw new Error('the fast reader differs');
  return value;
}

function read(text) {
  const documents = [];
  try {
    const file = new DocumentText(text.startsWith('\ufeff') ? text.slice(1) : text);
    for (const chunk of file.chunks()) {
      if ('problem' in chunk) return { documents, error: JSON.stringify(chunk.problem) };
      const value = valueOf(file, chunk);
      if (value !== null) documents.push(value);
    }
    return { documents };
  } catch (error) {
    return { documents, error: error.problem ? JSON.stringify(error.problem) : `throws ${error.stack}` };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(read(JSON.parse(line)))}\n`);
});

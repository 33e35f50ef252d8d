'use strict';
// Records which objects kubectl lists in hostile folders: `kubectl annotate --local --recursive -f FOLDER -o name`.
//
//     node oracle/folders/record.js FOLDERS [SEED] > test/fixtures/upstream/kubectl-folders.json.gz
//
// kubectl reads 100 folders at a time; --alone reads one at a time, which gives the same answers.
const { execFileSync, spawnSync } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { gzipSync } = require('node:zlib');
const { folderOf, writeFolder } = require('./folders');

const [count = '1000', first = '1', alone] = process.argv.slice(2);
const BATCH = alone === '--alone' ? 1 : 100;

/** Returns the objects that kubectl lists in the folders of some seeds, in order. */
function namesIn(seeds) {
  const root = mkdtempSync(path.join(tmpdir(), 'folders-'));
  try {
    const args = ['annotate', '--local', '--recursive', '-o', 'name', 'a=b'];
    for (const seed of seeds) {
      writeFolder(path.join(root, String(seed), 'files'), folderOf(seed));
      args.push('-f', path.join(root, String(seed), 'files'));
    }
    const { stdout, error } = spawnSync('kubectl', args, { maxBuffer: 1e8 });
    if (error) throw error;
    return stdout.toString().split('\n').filter((line) => line !== '');
  } finally {
    rmSync(root, { recursive: true });
  }
}

const cases = {};
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) cases[seed] = [];
const seeds = Object.keys(cases).map(Number);
for (let at = 0; at < seeds.length; at += BATCH) {
  for (const name of namesIn(seeds.slice(at, at + BATCH))) {
    const seed = /\/c(\d+)-/.exec(name)?.[1];
    if (seed !== undefined) cases[seed].push(name);
  }
}
const { gitVersion } = JSON.parse(execFileSync('kubectl', ['version', '--client', '-o', 'json']).toString()).clientVersion;
const about = `The objects that kubectl ${gitVersion} lists in the folders of oracle/folders/folders.js, by seed: kubectl annotate --local --recursive -f FOLDER -o name.`;
process.stdout.write(gzipSync(JSON.stringify({ about, cases }), { level: 9 }));

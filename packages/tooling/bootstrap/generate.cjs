const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { inRoot } = require('./paths.cjs');
const { collect } = require('./run.cjs');
const { GENERATORS } = require('./steps.cjs');

function digests(target, found) {
  const stat = fs.statSync(inRoot(target), { throwIfNoEntry: false });
  if (stat === undefined) return found;
  if (stat.isDirectory()) {
    for (const name of fs.readdirSync(inRoot(target))) digests(path.join(target, name), found);
  } else {
    found.set(
      target,
      createHash('sha256')
        .update(fs.readFileSync(inRoot(target)))
        .digest('hex'),
    );
  }
  return found;
}

function snapshot() {
  const found = new Map();
  for (const { outputs } of GENERATORS) {
    for (const output of outputs) digests(output, found);
  }
  return found;
}

/** Runs every generator; returns the files that differ from what they were before. */
async function generate({ node, env }) {
  const before = snapshot();
  for (const { name, command, cwd } of GENERATORS) {
    const [program, ...args] = command;
    const binary = program === 'node' ? node : program;
    const { code, output } = await collect(binary, args, { env, cwd: inRoot(cwd ?? '.') });
    if (code !== 0) return { code, output: `${name}: ${output}`, changed: [] };
  }
  const after = snapshot();
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return { code: 0, output: '', changed: names.filter((n) => before.get(n) !== after.get(n)) };
}

module.exports = { generate };

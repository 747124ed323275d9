const fs = require('node:fs');
const path = require('node:path');
const { TOOLCHAIN } = require('./paths.cjs');

const LOCK = path.join(TOOLCHAIN, 'preparing.lock');
const POLL_MS = 200;
/** Whoever makes the lock has written its number long before. */
const UNWRITTEN_MS_MAX = 10_000;

function owner() {
  try {
    return Number(fs.readFileSync(LOCK, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Held by nobody who lives. */
function isLeft() {
  const pid = owner();
  if (pid !== 0) return pid !== undefined && !isAlive(pid);
  const made = fs.statSync(LOCK, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > UNWRITTEN_MS_MAX;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryLock() {
  try {
    fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (isLeft()) fs.rmSync(LOCK, { force: true });
  return false;
}

/** Two terminals must not install or compile the same tree at once; the second one waits. */
async function withPreparationLock(work) {
  fs.mkdirSync(TOOLCHAIN, { recursive: true });
  let told = false;
  while (!tryLock()) {
    if (!told) process.stderr.write(`tollgate: waiting for process ${owner()} to prepare\n`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(LOCK, { force: true });
  }
}

module.exports = { withPreparationLock };

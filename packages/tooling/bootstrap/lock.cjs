const fs = require('node:fs');
const path = require('node:path');
const { TOOLCHAIN } = require('./paths.cjs');

const LOCK = path.join(TOOLCHAIN, 'preparing.lock');
/** Held by who removes a lock that was left. */
const REMOVAL = `${LOCK}.removal`;
const POLL_MS = 200;
/** Whoever makes the lock has written its number long before. */
const UNWRITTEN_MS_MAX = 10_000;

function owner(lock) {
  try {
    return Number(fs.readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Held by nobody who lives. */
function isLeft(lock) {
  const pid = owner(lock);
  if (pid !== 0) return pid !== undefined && !isAlive(pid);
  const made = fs.statSync(lock, { throwIfNoEntry: false });
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

function make(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** One that was left is removed: the next call may make it. */
function tryLock() {
  if (make(LOCK)) return true;
  if (isLeft(LOCK)) removeLeft();
  return false;
}

/**
 * One process at a time removes it, after another look: of two that found it left, the slower one
 * would remove the lock that the other has made since.
 */
function removeLeft() {
  if (make(REMOVAL)) {
    try {
      if (isLeft(LOCK)) fs.rmSync(LOCK, { force: true });
    } finally {
      fs.rmSync(REMOVAL, { force: true });
    }
  } else if (isLeft(REMOVAL)) fs.rmSync(REMOVAL, { force: true });
}

/** Two terminals must not install or compile the same tree at once; the second one waits. */
async function withPreparationLock(work) {
  fs.mkdirSync(TOOLCHAIN, { recursive: true });
  let told = false;
  while (!tryLock()) {
    if (!told) process.stderr.write(`tollgate: waiting for process ${owner(LOCK)} to prepare\n`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(LOCK, { force: true });
  }
}

module.exports = { tryLock, withPreparationLock };

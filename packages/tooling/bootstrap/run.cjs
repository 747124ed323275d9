const { spawn } = require('node:child_process');
const os = require('node:os');
const { ROOT } = require('./paths.cjs');

const WINDOWS = process.platform === 'win32';

/** A failure that needs no stack: its message tells the user what to do. */
function expectedError(message) {
  return Object.assign(new Error(message), { expected: true });
}

/** Runs to the end and collects what was written; never rejects for a failing program. */
function collect(command, args, { env = process.env, cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { env, cwd, stdio, shell: WINDOWS });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    const undo = forwardSignals(child);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      undo();
      const output = Buffer.concat(chunks).toString('utf8');
      resolve({ code: code ?? 128 + os.constants.signals[signal], output });
    });
  });
}

function forwardSignals(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}

const toSeconds = (ms) => (ms / 1000).toFixed(1);

/** Says what was done and how long it took. */
function report(title, tookMs) {
  process.stderr.write(`tollgate: ${title} ... ${toSeconds(tookMs)} s\n`);
}

/** Runs a step under one progress line with its seconds; shows the output only when it fails. */
async function progress(title, command, args, options) {
  process.stderr.write(`tollgate: ${title} ... `);
  const began = Date.now();
  const { code, output } = await collect(command, args, options);
  const seconds = toSeconds(Date.now() - began);
  if (code === 0) {
    process.stderr.write(`${seconds} s\n`);
    return;
  }
  process.stderr.write(`failed after ${seconds} s\n${output}\n`);
  throw expectedError(`${title}: exit code ${code}`);
}

const PARENT_CHECK_MS = 250;

/**
 * npm passes a signal to the shell between us, which dies of it without telling us: when that
 * parent is gone, the program has to stop as well.
 */
function stopWithParent(child) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}

/**
 * Gives the process over to another program: in place where the runtime can, otherwise as a child
 * that gets our signals and whose exit code we return.
 */
function replaceProcess(command, args, env) {
  const underNpm = process.env.npm_lifecycle_event !== undefined;
  if (!underNpm && !WINDOWS && typeof process.execve === 'function') {
    process.execve(command, [command, ...args], env);
  }
  return new Promise((resolve, reject) => {
    // The channel tells the child when we are gone, even when we were killed without a signal.
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
    const child = spawn(command, args, { env, cwd: process.cwd(), stdio });
    forwardSignals(child);
    if (underNpm) stopWithParent(child);
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  });
}

module.exports = { collect, expectedError, replaceProcess, progress, report };

import { setImmediate as untilNextTick } from 'node:timers/promises';
import { silentLogger } from '@tollgate/core';
import { CommandError } from '../errors';
import { createCommitQueue, type Outcome } from './commit-queue';
import type { Store } from './store';

/** Records what the queue does with transactions; `failing` makes the next commit fail. */
function createRecorder() {
  const log: string[] = [];
  const state = { failing: false };
  const unused = () => {
    throw new Error('not part of a transaction');
  };
  const store: Store = {
    find: unused,
    findOrCreate: unused,
    createIndex: unused,
    dropIndex: unused,
    changeExpiry: unused,
    collections: unused,
    atomically: unused,
    begin: () => log.push('begin'),
    commit() {
      if (state.failing) throw new Error('disk full');
      log.push('commit');
    },
    rollback: () => log.push('rollback'),
    close: unused,
  };
  const answer = (name: string) => (outcome: Outcome<unknown>) =>
    log.push(`${name} ${outcome.ok ? 'done' : 'failed'}`);
  return { log, state, answer, queue: createCommitQueue(store, silentLogger) };
}

it('writes of one tick share a commit and are answered after it', async () => {
  const { log, answer, queue } = createRecorder();
  queue.write(() => log.push('w1'), answer('w1'));
  queue.write(() => log.push('w2'), answer('w2'));
  expect(log).toEqual(['begin', 'w1', 'w2']);
  await untilNextTick();
  expect(log.slice(3)).toEqual(['commit', 'w1 done', 'w2 done']);
});

it('a read that may have seen unfinished writes waits for their commit, another does not', async () => {
  const { log, answer, queue } = createRecorder();
  queue.read(() => undefined, answer('r1'));
  queue.write(() => undefined, answer('w'));
  queue.read(() => undefined, answer('r2'));
  expect(log).toEqual(['r1 done', 'begin']);
  await untilNextTick();
  expect(log.slice(2)).toEqual(['commit', 'w done', 'r2 done']);
});

it('a commit that fails fails every answer that waited for it, and later work goes on', async () => {
  const { log, state, answer, queue } = createRecorder();
  state.failing = true;
  queue.write(() => undefined, answer('w'));
  queue.read(() => undefined, answer('r'));
  await untilNextTick();
  expect(log).toEqual(['begin', 'rollback', 'w failed', 'r failed']);
  state.failing = false;
  queue.write(() => undefined, answer('later'));
  await untilNextTick();
  expect(log.slice(4)).toEqual(['begin', 'commit', 'later done']);
});

it('an unforeseen failure takes its whole group back, a refused command only itself', async () => {
  const { log, answer, queue } = createRecorder();
  queue.write(() => undefined, answer('w1'));
  queue.write(() => {
    throw new CommandError('BadValue', 'refused');
  }, answer('refused'));
  await untilNextTick();
  expect(log).toEqual(['begin', 'commit', 'w1 done', 'refused failed']);
  queue.write(() => undefined, answer('w2'));
  queue.write(() => {
    throw new Error('bug');
  }, answer('broken'));
  expect(log.slice(4)).toEqual(['begin', 'rollback', 'w2 failed', 'broken failed']);
});

it('closing commits what is open and refuses what comes later', () => {
  const { log, answer, queue } = createRecorder();
  queue.write(() => undefined, answer('w'));
  queue.close();
  queue.write(() => undefined, answer('late'));
  expect(log).toEqual(['begin', 'commit', 'w done', 'late failed']);
});

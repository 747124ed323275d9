import { settlePromises } from '@tollgate/testkit';
import type { FigureStore } from '../domain/ports';

/** How one store command goes: in full, or cut by a kill before, in the middle of or after it. */
export type Fate = 'done' | 'before' | 'halfway' | 'after';

/** One command's fate, and how many turns others get before it. */
export interface CommandFate {
  readonly fate: Fate;
  readonly turns: number;
}

/**
 * The store as a consumer finds it that is killed, or loses answers, at the commands that the
 * fates name. A bulk that is cut halfway has done every other statement, as an unordered one may.
 */
export function createFaultyFigures(
  figureStore: FigureStore,
  fates: readonly CommandFate[],
): FigureStore {
  const left = [...fates];

  async function meet<Result, Item>(
    items: readonly Item[],
    command: (some: readonly Item[]) => Promise<Result>,
  ): Promise<Result> {
    const { fate, turns } = left.shift() ?? { fate: 'done', turns: 0 };
    for (let turn = 0; turn < turns; turn += 1) await settlePromises();
    if (fate === 'before') throw killed();
    const some = fate === 'halfway' ? items.filter((_, index) => index % 2 === 0) : items;
    const result = await command(some);
    if (fate !== 'done') throw killed();
    return result;
  }

  return {
    ...figureStore,
    sequences: (ids) => meet(ids, figureStore.sequences),
    add: (increments) => meet(increments, figureStore.add),
    cursors: (ids) => meet(ids, figureStore.cursors),
    setCursors: (cursors) => meet(cursors, figureStore.setCursors),
  };
}

function killed(): Error {
  return new Error('killed here');
}

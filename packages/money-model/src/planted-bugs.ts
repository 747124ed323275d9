import type { Plant } from './plant';
import { BILLING_PLANTS } from './plants-in-billing';
import { COMPLETION_PLANTS } from './plants-in-completion';
import { runSchedule } from './run-schedule';

/** Every planted bug, by what it does. */
export const PLANTS: Readonly<Record<string, () => Plant>> = {
  ...BILLING_PLANTS,
  ...COMPLETION_PLANTS,
};

/** Schedules in which a planted bug must show. */
const PLANT_SEEDS_MAX = 1_000;

/** The seed of the first schedule that finds the bug, or undefined when it survives all of them. */
export async function findPlant(createPlant: () => Plant): Promise<number | undefined> {
  for (let seed = 1; seed <= PLANT_SEEDS_MAX; seed += 1) {
    const plant = createPlant();
    const direct = plant.direct ?? ((profile) => profile);
    const { violations } = await runSchedule(seed, { plant, direct });
    if (violations.length > 0) return seed;
  }
  return undefined;
}

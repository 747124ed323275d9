import { runSchedule } from '../run-schedule';
import { BILLING_BUGS } from './bugs-in-billing';
import { COMPLETION_BUGS } from './bugs-in-completion';
import { checkSeeds, findPlantedBug, missingCoverage, RARE } from './check-seeds';

jest.setTimeout(300_000);

describe('money', () => {
  it.each([
    [1, 500],
    [501, 750],
  ])('is right to the nano-unit after each of the schedules %i to %i', async (first, last) => {
    const { failures, coverage } = await checkSeeds(first, last);
    expect(failures).toEqual([]);
    expect(missingCoverage(coverage)).toEqual([]);
  });

  it('is right also where a machine is lost, and where nobody pays what was delivered', async () => {
    const met = new Set<string>();
    for (const seed of RARE.seeds) {
      const { failures, coverage } = await checkSeeds(seed, seed);
      expect(failures).toEqual([]);
      for (const name of coverage.keys()) met.add(name);
    }
    expect(RARE.coverage.filter((name) => !met.has(name))).toEqual([]);
  });
});

describe('the money model', () => {
  it('does the same thing again for the same seed', async () => {
    const traceOf = async (seed: number) => {
      const lines: string[] = [];
      await runSchedule(seed, { trace: (line) => lines.push(line) });
      return lines;
    };
    for (const seed of [3, 17, 424_242]) expect(await traceOf(seed)).toEqual(await traceOf(seed));
  });

  it.each(Object.entries(BILLING_BUGS))('finds in billing: %s', async (_name, createBug) => {
    expect(await findPlantedBug(createBug)).toBeDefined();
  });

  it.each(Object.entries(COMPLETION_BUGS))('finds in completion: %s', async (_name, createBug) => {
    expect(await findPlantedBug(createBug)).toBeDefined();
  });
});

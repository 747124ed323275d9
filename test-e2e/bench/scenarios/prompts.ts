import { type Cost, measureCost } from '../load/cost';
import { warmUp } from '../load/warm-up';
import { count, formatTable, ratio } from '../report/table';
import { promptOf, type Scenario } from '../test-bed';

const KILOBYTES = [0.2, 40, 400];

/** What the length of a prompt costs. */
export const prompts: Scenario = {
  about: 'prompts of 0.2, 40 and 400 KB, 16 at once',
  async run(testBed) {
    const { passThrough, portkey, separate } = testBed.contenders;
    const found: { name: string; kilobytes: number; cost: Cost }[] = [];
    for (const contender of testBed.random.shuffle([passThrough, portkey, separate])) {
      const system = await contender.start();
      try {
        await warmUp(system, testBed.options.warmUpSeconds);
        for (const kilobytes of KILOBYTES) {
          const load = { bodies: [promptOf(kilobytes)], seconds: testBed.options.seconds };
          const cost = await measureCost(system, testBed.vendorUrl, load);
          testBed.progress(`${contender.name}, ${kilobytes} KB: ${count(cost.cpuUs)} µs CPU`);
          found.push({ name: contender.name, kilobytes, cost });
        }
      } finally {
        await system.stop();
      }
    }
    const rows = KILOBYTES.flatMap((kilobytes) => {
      const same = found.filter((one) => one.kilobytes === kilobytes);
      const portkeyUs = same.find(({ name }) => name === 'P')?.cost.cpuUs ?? Number.NaN;
      return same.map(({ name, cost }) => [
        `${kilobytes} KB`,
        name,
        count(cost.perSecond),
        count(cost.cpuUs),
        ratio(cost.cpuUs / portkeyUs),
        count(cost.p50Us),
        count(cost.p99Us),
      ]);
    });
    const heads = ['prompt', 'system', 'requests/s', 'CPU µs', '÷ P', 'p50 µs', 'p99 µs'];
    const how = 'Whole answers to prompts of plain sentences, 16 callers.';
    return { title: 'Length of a prompt', markdown: `${how}\n\n${formatTable(heads, rows)}` };
  },
};

import { runOnLoadCore } from '../processes';
import { count, formatTable, formatTargets } from '../report/table';
import { programOf } from '../systems/system';
import type { Scenario } from '../test-bed';

/** Microseconds of CPU. */
interface ChoiceCost {
  readonly medianUs: number;
  readonly meanUs: number;
  readonly longestUs: number;
}

/** What the choice of a channel costs in a large installation. */
export const choose: Scenario = {
  about: 'the choice of a channel among 200 with 100 models each, by strategy',
  async run() {
    const printed = await runOnLoadCore(process.execPath, [programOf('choose')]);
    const found = Object.entries(JSON.parse(printed) as Readonly<Record<string, ChoiceCost>>);
    const rows = found.map(([name, { longestUs, meanUs, medianUs }]) => [
      name,
      count(medianUs),
      count(meanUs),
      count(longestUs),
    ]);
    const how =
      'One choice at 500 a second, for answers of all sizes, without anything around it. The mean has ' +
      'the order by time in it, which is made anew once a second.';
    const heads = ['model of the request', 'median CPU µs', 'mean CPU µs', 'longest CPU µs'];
    const targets = found.map(([name, { medianUs }]) => ({
      about: 'choice' as const,
      what: `choice for ${name}, µs`,
      atMost: 20,
      value: medianUs,
    }));
    const markdown = [how, formatTable(heads, rows), formatTargets(targets)];
    return { title: 'Choosing a channel', markdown: markdown.join('\n\n') };
  },
};

import { runOnLoadCore } from '../processes';
import { count, formatTable } from '../report/table';
import type { Part } from '../stand';
import { programOf } from '../systems/system';

/** What the choice of a channel costs in a large installation. */
export const choose: Part = {
  about: 'the choice of a channel among 200 with 100 models each, by strategy',
  async run() {
    const printed = await runOnLoadCore(process.execPath, [programOf('choose')]);
    const found = JSON.parse(printed) as Readonly<Record<string, number>>;
    const rows = Object.entries(found).map(([name, us]) => [name, count(us)]);
    const how = 'Median of one choice, without anything around it.';
    const table = formatTable(['model of the request', 'CPU µs'], rows);
    return { title: 'Choosing a channel', markdown: `${how}\n\n${table}` };
  },
};

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Section } from '../test-bed';

/** Where a page is written, and what it says of the run besides what was measured. */
export interface PagePlace {
  readonly directory: string;
  /** Of the day, YYYY-MM-DD: the name of the page. */
  readonly date: string;
  readonly command: string;
  /** Programs and their versions. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Writes a section into the page of the day: in the place of the one of the same title, else at the
 * end. Answers the path of the page.
 */
export function writeSection(section: Section, place: PagePlace): string {
  mkdirSync(place.directory, { recursive: true });
  const path = join(place.directory, `${place.date}.md`);
  const page = existsSync(path) ? readFileSync(path, 'utf8') : `# Bench of ${place.date}\n`;
  const [head = '', ...sections] = page.split(/^(?=## )/m);
  const written = `## ${section.title}\n\n${describeRun(place)}\n${plotOf(section, place)}\n${section.markdown}\n`;
  const others = sections.map((one) => `${one.trimEnd()}\n`);
  const at = others.findIndex((one) => one.startsWith(`## ${section.title}\n`));
  const all = at < 0 ? [...others, written] : others.with(at, written);
  writeFileSync(path, `${[head.trimEnd(), ...all].join('\n\n').replace(/\n{3,}/g, '\n\n')}`);
  return path;
}

function describeRun({ command, versions }: PagePlace): string {
  const [first] = cpus();
  const load = loadavg().map((average) => average.toFixed(1));
  const machine = [
    `${cpus().length} cores (${first?.model.trim() ?? 'unknown'})`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `Linux ${release()}`,
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
  ];
  return (
    `\`${command}\`, finished ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC on ` +
    `${machine.join(', ')}; load average ${load.join(', ')} at its end, the bench's own included. ` +
    'Only ratios within this section mean something.\n'
  );
}

function plotOf({ plot }: Section, { date, directory }: PagePlace): string {
  if (plot === undefined) return '';
  const name = `${date}-${plot.name}.svg`;
  writeFileSync(join(directory, name), plot.svg);
  return `\n![${plot.alt}](${name})\n`;
}

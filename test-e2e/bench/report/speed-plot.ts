import type { SystemName } from '../systems/system';
import type { SpeedCase, SpeedResult, Trial } from './speed-result';
import { count, median } from './table';

/** A bar of one system: its parts from left to right, microseconds. */
interface Bar {
  readonly label: string;
  readonly parts: readonly { readonly kind: PartKind; readonly us: number }[];
}

/** How a part is coloured: what others cost, ours on the path of a request, ours behind it. */
type PartKind = 'other' | 'gateway' | 'completion' | 'behind' | 'everything';

interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** A line across the bars: the target. */
  readonly target: number;
}

const WIDTH = 860;
const LEFT = 190;
const RIGHT = 90;
const BAR = 22;
const GAP = 12;
const PANEL_HEAD = 46;
const TOP = 84;

const KINDS: Readonly<Record<PartKind, string>> = {
  other: 'others',
  gateway: 'gateway',
  completion: 'completion',
  behind: 'services behind the request',
  everything: 'all of it in one process',
};

const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 18px; font-weight: 600 }
  .panel { font-weight: 600 }
  .faint { fill: #57606a; font-size: 12px }
  .axis { stroke: #d0d7de }
  .target { stroke: #cf222e; stroke-dasharray: 5 4; stroke-width: 1.5 }
  .goal { fill: #cf222e; font-size: 12px }
  .other { fill: #8c959f } .gateway { fill: #0969da } .completion { fill: #54aeff }
  .behind { fill: #b6e3ff } .everything { fill: #1b7c83 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .faint { fill: #9198a1 } .axis { stroke: #3d444d }
    .target { stroke: #ff7b72 } .goal { fill: #ff7b72 }
    .other { fill: #6e7681 } .gateway { fill: #1f6feb } .completion { fill: #58a6ff }
    .behind { fill: #2f4f76 } .everything { fill: #3192aa }
  }`;

/** CPU time of a request as bars, whole answers above streams; readable on light and on dark. */
export function plotSpeed({ trials }: SpeedResult): string {
  const panels = [
    panelOf(trials, { kind: 'whole', connections: 16 }, 'Whole answer, 16 callers', 0.22),
    panelOf(trials, { kind: 'stream', connections: 16 }, 'Stream of 34 events, 16 callers', 0.3),
  ];
  const heights = panels.map(({ bars }) => PANEL_HEAD + bars.length * (BAR + GAP) + GAP);
  const height = TOP + heights.reduce((sum, each) => sum + each, 0);
  const tops = heights.map((_, index) => heights.slice(0, index).reduce((a, b) => a + b, TOP));
  const body = panels.map((panel, index) => drawPanel(panel, tops[index] ?? TOP));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    '<title>CPU time of a request by system and process</title>',
    `<style>${STYLE}\n</style>`,
    text(16, 30, 'CPU time of a request, microseconds: less is better', 'title'),
    drawKey(),
    ...body,
    '</svg>\n',
  ].join('\n');
}

function panelOf(trials: readonly Trial[], of: SpeedCase, title: string, share: number): Panel {
  const mine = (system: SystemName) =>
    trials.filter(
      ({ contender, of: { kind, connections } }) =>
        contender === system && kind === of.kind && connections === of.connections,
    );
  const middle = (system: SystemName, isMeant: (name: string) => boolean) =>
    median(
      mine(system).map(({ cpuUs }) =>
        [...cpuUs].reduce((sum, [name, us]) => sum + (isMeant(name) ? us : 0), 0),
      ),
    );
  const plain = (label: string, system: SystemName, kind: PartKind): Bar => ({
    label,
    parts: [{ kind, us: middle(system, () => true) }],
  });
  const isBehind = (name: string) => name !== 'gateway' && name !== 'completion';
  const bars: readonly Bar[] = [
    plain('bare pass-through', 'R', 'other'),
    plain('bare two-process hop', 'hop', 'other'),
    {
      label: 'Tollgate',
      parts: [
        { kind: 'gateway', us: middle('Tollgate', (name) => name === 'gateway') },
        { kind: 'completion', us: middle('Tollgate', (name) => name === 'completion') },
        { kind: 'behind', us: middle('Tollgate', isBehind) },
      ],
    },
    plain('Tollgate, one process', 'Tollgate, one process', 'everything'),
    plain('Portkey, features off', 'P', 'other'),
    plain('one-api, features on', 'one-api', 'other'),
  ];
  const measured = bars.filter(({ parts }) => parts.every(({ us }) => Number.isFinite(us)));
  return { title, bars: measured, target: share * middle('P', () => true) };
}

function drawKey(): string {
  let x = 16;
  return Object.entries(KINDS)
    .map(([kind, label]) => {
      const mark = `<rect class="${kind}" x="${x}" y="46" width="12" height="12" rx="2"/>`;
      const named = text(x + 18, 57, label, 'faint');
      x += 40 + label.length * 7;
      return mark + named;
    })
    .join('\n');
}

function drawPanel({ title, bars, target }: Panel, top: number): string {
  const longest = Math.max(...bars.map(totalOf), 1);
  const scale = (us: number) => (us / longest) * (WIDTH - LEFT - RIGHT);
  const bottom = top + PANEL_HEAD + bars.length * (BAR + GAP);
  const rows = bars.map((bar, index) =>
    drawBar(bar, top + PANEL_HEAD + index * (BAR + GAP), scale),
  );
  const axis = `<line class="axis" x1="${LEFT}" x2="${LEFT}" y1="${top + PANEL_HEAD - 8}" y2="${bottom}"/>`;
  const x = (LEFT + scale(target)).toFixed(1);
  const goal = Number.isFinite(target)
    ? `<line class="target" x1="${x}" x2="${x}" y1="${top + PANEL_HEAD - 8}" y2="${bottom}"/>` +
      text(Number(x) + 4, top + PANEL_HEAD - 10, 'target for gateway and completion', 'goal')
    : '';
  return [text(16, top + 16, title, 'panel'), axis, ...rows, goal].join('\n');
}

function drawBar({ label, parts }: Bar, y: number, scale: (us: number) => number): string {
  let x = LEFT;
  const drawn = parts.map(({ kind, us }) => {
    const width = scale(us);
    const rect = `<rect class="${kind}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR}"/>`;
    x += width;
    return rect;
  });
  const name = `<text x="${LEFT - 10}" y="${y + 16}" text-anchor="end">${label}</text>`;
  return [name, ...drawn, text(x + 8, y + 16, count(totalOf({ label, parts })))].join('');
}

function totalOf({ parts }: Bar): number {
  return parts.reduce((sum, { us }) => sum + us, 0);
}

function text(x: number, y: number, content: string, style?: string): string {
  const named = style === undefined ? '' : ` class="${style}"`;
  return `<text${named} x="${x.toFixed(1)}" y="${y}">${content}</text>`;
}

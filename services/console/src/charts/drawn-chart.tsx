import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { shortenBucket } from '../format/time';
import { toTicks } from './series';
import type { TimeChartProps } from './time-chart';

/** Told apart in both schemes and by the colour-blind; none of them is a status. */
const COLORS = ['toll.5', 'indigo.5', 'orange.5', 'grape.5', 'cyan.6', 'gray.5'] as const;

const AXIS = {
  tickMargin: 10,
  minTickGap: 24,
  interval: 'equidistantPreserveStart',
  tickFormatter: shortenBucket,
  padding: { left: 8, right: 16 },
} as const;

const AXIS_WIDTH_MIN = 64;
/** Of the widest digit in the type of an axis. */
const LETTER_WIDTH = 8;

/**
 * The chart is one picture with a name, and a table has its numbers: nothing to stop at. The margin
 * holds the upper half of the highest label.
 */
const WHOLE = {
  accessibilityLayer: false,
  margin: { top: 8, right: 0, bottom: 0, left: 0 },
} as const;

/** The chart itself; series get neutral keys, because a dot in a name would be taken for a path. */
export function DrawnChart(props: TimeChartProps) {
  const { names, rows } = props.series;
  const colors = props.colors ?? COLORS;
  const isStacked = props.kind === 'bars';
  const ticks = toTicks(props.series, { isStacked, isWhole: props.unit.isWhole === true });
  const data = rows.map(({ label, values }) => ({
    label,
    ...Object.fromEntries(values.map((value, index) => [keyOf(index), value])),
  }));
  const drawn = {
    h: props.height ?? 240,
    data,
    dataKey: 'label',
    series: names.map((name, index) => ({
      name: keyOf(index),
      label: name,
      color: colors[index % colors.length] ?? 'gray.5',
    })),
    valueFormatter: props.unit.value,
    xAxisProps: AXIS,
    yAxisProps: {
      tickFormatter: props.unit.tick,
      width: widthOf(ticks.map(props.unit.tick)),
      // Each stands at its line, the first and the last too.
      interval: 0,
      ticks: [...ticks],
      domain: [0, ticks.at(-1) ?? 1],
    },
    withLegend: names.length > 1 || (props.isSplit === true && names.length > 0),
    legendProps: { verticalAlign: 'bottom', height: 28 },
    tickLine: 'none',
    gridAxis: 'x',
    tooltipAnimationDuration: 0,
  } as const;
  if (props.kind === 'lines') {
    return (
      <LineChart
        {...drawn}
        dotProps={{ r: 2 }}
        strokeWidth={2}
        curveType="monotone"
        lineChartProps={WHOLE}
        lineProps={{ isAnimationActive: false }}
      />
    );
  }
  return (
    <BarChart
      {...drawn}
      type="stacked"
      maxBarWidth={36}
      barChartProps={WHOLE}
      barProps={{ isAnimationActive: false }}
      cursorFill="var(--toll-hover)"
    />
  );
}

/** In pixels, so that the longest label of an axis has its place. */
function widthOf(labels: readonly string[]): number {
  const longest = Math.max(...labels.map((label) => label.length));
  return Math.max(AXIS_WIDTH_MIN, longest * LETTER_WIDTH + AXIS.tickMargin);
}

function keyOf(index: number): string {
  return `s${index}`;
}

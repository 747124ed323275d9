import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { getThemeColor, useMantineTheme } from '@mantine/core';
import { shortenBucket } from '../format/time';
import { paint, REST_COLOR } from './colors';
import classes from './drawn-chart.module.css';
import { OTHERS, toTicks } from './series';
import type { ChartUnit, TimeChartProps } from './time-chart';

const AXIS = {
  tickMargin: 10,
  minTickGap: 24,
  interval: 'equidistantPreserveStart',
  tickFormatter: shortenBucket,
} as const;

/** Bars stand away from the ends; half of a label has its place beyond the last point of a line. */
const PADDING = { bars: { left: 8, right: 16 }, lines: { left: 8, right: 40 } } as const;
/** Colours of the two lines of a chart of times: p50, and p95. */
const LINE_COLORS = ['toll.5', 'indigo.5'];

const AXIS_WIDTH_MIN = 64;
/** Width of the widest digit in the type of an axis, in pixels. */
const LETTER_WIDTH = 8;

/**
 * The chart is one picture with a name, and a table has its numbers: nothing to stop at. The margin
 * holds the upper half of the highest label.
 */
const WHOLE = {
  accessibilityLayer: false,
  margin: { top: 8, right: 0, bottom: 0, left: 0 },
} as const;

/** A series as it is drawn. */
interface Drawn {
  /** A neutral key, because a dot in a name would be taken for a path. */
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

/** The chart itself, and below it what its colours mean. */
export function DrawnChart(props: TimeChartProps) {
  const { names, rows } = props.series;
  const isStacked = props.kind === 'bars';
  const ticks = toTicks(props.series, { isStacked, isWhole: props.unit.isWhole === true });
  const colors = props.colors ?? (isStacked ? paintSeries(names) : LINE_COLORS);
  const series = names.map(
    (label, index): Drawn => ({ name: keyOf(index), label, color: colors[index] ?? REST_COLOR }),
  );
  const data = rows.map(({ label, values }) => ({
    label,
    ...Object.fromEntries(values.map((value, index) => [keyOf(index), value])),
  }));
  const told = { series, isStacked, unit: props.unit };
  const drawn = {
    h: props.height ?? 240,
    data,
    dataKey: 'label',
    series,
    xAxisProps: { ...AXIS, padding: PADDING[props.kind] },
    yAxisProps: {
      tickFormatter: props.unit.tick,
      width: widthOf(ticks.map(props.unit.tick)),
      // Each label stands at its line, the first and the last too.
      interval: 0,
      ticks: [...ticks],
      domain: [0, ticks.at(-1) ?? 1],
    },
    tickLine: 'none',
    gridAxis: 'x',
    tooltipAnimationDuration: 0,
    tooltipProps: {
      content: ({ label, payload }: Hovered) => (
        <Tip label={label} values={payload?.[0]?.payload} {...told} />
      ),
    },
  } as const;
  const isNamed = names.length > 1 || (props.isSplit === true && names.length > 0);
  return (
    <>
      {isStacked ? (
        <BarChart
          {...drawn}
          type="stacked"
          maxBarWidth={36}
          barChartProps={WHOLE}
          barProps={{ isAnimationActive: false }}
          cursorFill="var(--toll-hover)"
        />
      ) : (
        <LineChart
          {...drawn}
          dotProps={{ r: 2 }}
          strokeWidth={2}
          curveType="linear"
          lineChartProps={WHOLE}
          lineProps={{ isAnimationActive: false }}
        />
      )}
      {isNamed && <Legend series={series} />}
    </>
  );
}

/** What recharts tells of the place that is pointed at. */
interface Hovered {
  readonly label?: string | number | undefined;
  readonly payload?:
    | readonly { readonly payload?: Readonly<Record<string, unknown>> }[]
    | undefined;
}

/** The values of one bucket, within the chart: what they add up to, then those that there are. */
function Tip(props: {
  readonly label: string | number | undefined;
  readonly values: Readonly<Record<string, unknown>> | undefined;
  readonly series: readonly Drawn[];
  readonly isStacked: boolean;
  readonly unit: ChartUnit;
}) {
  const { label, values = {}, series, isStacked, unit } = props;
  const known = series.flatMap((one) => {
    const value = values[one.name];
    return typeof value === 'number' && (value !== 0 || !isStacked) ? [{ ...one, value }] : [];
  });
  const total = known.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className={classes.tip}>
      <div className={classes.tipHead}>
        <span>{label}</span>
        {isStacked && series.length > 1 && <span>{unit.value(total)}</span>}
      </div>
      {known.map(({ name, label: text, color, value }) => (
        <div key={name} className={classes.tipLine}>
          <Swatch color={color} />
          <span className={classes.name}>{text}</span>
          <span className={classes.value}>{unit.value(value)}</span>
        </div>
      ))}
    </div>
  );
}

function Legend({ series }: { readonly series: readonly Drawn[] }) {
  return (
    <ul className={classes.legend}>
      {series.map(({ name, label, color }) => (
        <li key={name} title={label}>
          <Swatch color={color} />
          <span className={classes.name}>{label}</span>
        </li>
      ))}
    </ul>
  );
}

function Swatch({ color }: Pick<Drawn, 'color'>) {
  const theme = useMantineTheme();
  return (
    <svg className={classes.swatch} viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={getThemeColor(color, theme)} />
    </svg>
  );
}

/** The colour of a series; "Other" is grey, whatever it is. */
function paintSeries(names: readonly string[]): readonly string[] {
  const colors = paint(names.filter((name) => name !== OTHERS));
  return names.map((name, index) => (name === OTHERS ? REST_COLOR : (colors[index] ?? REST_COLOR)));
}

/** Width in pixels in which the longest label of an axis has its place. */
function widthOf(labels: readonly string[]): number {
  const longest = Math.max(...labels.map((label) => label.length));
  return Math.max(AXIS_WIDTH_MIN, longest * LETTER_WIDTH + AXIS.tickMargin);
}

function keyOf(index: number): string {
  return `s${index}`;
}

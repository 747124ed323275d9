import { Center, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { isBlank, type Series } from './series';

/** How a value reads on the axis and in the tooltip. */
export interface ChartUnit {
  /** The short form on the axis. */
  readonly tick: (value: number) => string;
  /** The full form in the tooltip. */
  readonly value: (value: number) => string;
  /** The values are whole: nothing lies between one and two. */
  readonly isWhole?: boolean;
}

export interface TimeChartProps {
  /** The chart in words, for those who cannot see it; the table beside it has the same numbers. */
  readonly label: string;
  /** Stacked bars for what adds up, lines for what does not. */
  readonly kind: 'bars' | 'lines';
  readonly series: Series;
  /** Names that have to be shown, also where there is one series alone. */
  readonly isSplit?: boolean;
  readonly unit: ChartUnit;
  readonly height?: number;
  /** Colours of the series in their order, where they are a status; otherwise any that differ. */
  readonly colors?: readonly string[];
}

const DrawnChart = lazy(async () => ({ default: (await import('./drawn-chart')).DrawnChart }));

/** Values over time. The code that draws them is fetched with the first chart. */
export function TimeChart(props: TimeChartProps) {
  const height = props.height ?? 240;
  if (isBlank(props.series)) {
    return (
      <Center h={height} c="dimmed">
        Nothing in this range
      </Center>
    );
  }
  return (
    <div role="img" aria-label={props.label} style={{ minHeight: height }}>
      <Suspense fallback={<Skeleton height={height} radius="md" />}>
        <DrawnChart {...props} height={height} />
      </Suspense>
    </div>
  );
}

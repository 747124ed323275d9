import { Center, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { isBlank, type Series } from './series';

/** How a value reads on the axis and in the tooltip. */
export interface ChartUnit {
  /** On the axis, short. */
  readonly tick: (value: number) => string;
  /** In the tooltip, in full. */
  readonly value: (value: number) => string;
  /** There is nothing between one and two of it. */
  readonly isWhole?: boolean;
}

export interface TimeChartProps {
  /** The chart in words, for those who cannot see it; the table beside it has the same numbers. */
  readonly label: string;
  /** Stacked bars for what adds up, lines for what does not. */
  readonly kind: 'bars' | 'lines';
  readonly series: Series;
  /** By names that have to be said, also where there is one alone. */
  readonly isSplit?: boolean;
  readonly unit: ChartUnit;
  readonly height?: number;
  /** Of the series in their order, where they are a status; otherwise they are told apart. */
  readonly colors?: readonly string[];
}

const DrawnChart = lazy(async () => ({ default: (await import('./drawn-chart')).DrawnChart }));

/** Values over time. What draws them is fetched with the first chart. */
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

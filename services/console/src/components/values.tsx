import { Code } from '@mantine/core';
import { Fragment, type Ref, useSyncExternalStore } from 'react';
import { useCurrency } from '../api/billing';
import { exactMoney, formatBalance, formatListed, formatMoney, formatPrice } from '../format/money';
import { partsOfAddress } from '../format/names';
import { formatCount, formatDuration, NOTHING } from '../format/quantity';
import { formatAgo, formatDateTime, formatShortTime } from '../format/time';
import classes from './values.module.css';

/** How often "3 min ago" is said anew. */
const TICK_MS = 15_000;

const subscribeToTicks = (listener: () => void) => {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
};
const currentTick = () => Math.floor(Date.now() / TICK_MS);

/** The present time in ms; renders anew every 15 seconds, so that "3 min ago" stays true. */
export function useNow(): number {
  useSyncExternalStore(subscribeToTicks, currentTick);
  return Date.now();
}

const FORMATS = { short: formatMoney, listed: formatListed, exact: formatPrice } as const;

/**
 * An amount in the currency of the deployment, on one line; the exact one on hover. `listed` gives all
 * amounts of a list the same number of decimals; `exact` shows every digit, where readers add up.
 */
export function Money(props: {
  readonly amount: string | null | undefined;
  readonly form?: keyof typeof FORMATS;
}) {
  return <Amount of={props.amount} format={FORMATS[props.form ?? 'short']} />;
}

/** The price of one thing or of a million tokens, with every digit. */
export function UnitPrice(props: { readonly of: string | null | undefined }) {
  return <Amount of={props.of} format={formatPrice} />;
}

/** The rest of a balance: rounded down, because nobody can spend a cent that is not whole. */
export function Balance(props: { readonly of: string | undefined }) {
  return <Amount of={props.of} format={formatBalance} />;
}

function Amount(props: {
  readonly of: string | null | undefined;
  readonly format: (amount: string, currency: string) => string;
}) {
  const { of, format } = props;
  const currency = useCurrency();
  if (of === null || of === undefined) return <>{NOTHING}</>;
  return (
    <span className={classes.amount} title={exactMoney(of, currency)}>
      {format(of, currency)}
    </span>
  );
}

/**
 * A moment of the past or future; the ISO form and the full time on hover. `clock` shows the time of
 * day, by which the lines of a log are told apart.
 */
export function Moment(props: {
  readonly at: string | null | undefined;
  readonly never?: string;
  readonly full?: boolean;
  readonly form?: 'clock';
}) {
  const nowMs = useNow();
  const { at, never = NOTHING, full = false } = props;
  if (at === null || at === undefined) return <>{never}</>;
  return (
    <time dateTime={at} title={`${at}\n${formatDateTime(at)}`}>
      {full
        ? formatDateTime(at)
        : props.form === 'clock'
          ? formatShortTime(at, nowMs)
          : formatAgo(at, nowMs)}
    </time>
  );
}

export function Count(props: { readonly of: number | null | undefined }) {
  return <>{props.of === null || props.of === undefined ? NOTHING : formatCount(props.of)}</>;
}

/** A limit in a list: null is none. */
export function Limit(props: { readonly of: number | null }) {
  return <>{props.of === null ? 'No limit' : formatCount(props.of)}</>;
}

export function Duration(props: { readonly ms: number | null | undefined }) {
  const { ms } = props;
  if (ms === null || ms === undefined) return <>{NOTHING}</>;
  return <span title={`${ms} ms`}>{formatDuration(ms)}</span>;
}

/** The name of a model, as a program writes it. */
export function ModelName(props: { readonly of: string }) {
  return (
    <Code className={classes.name} title={props.of}>
      {props.of}
    </Code>
  );
}

/** A name that somebody gave: on one line, and all of it on hover. */
export function Name(props: { readonly of: string; readonly ref?: Ref<HTMLSpanElement> }) {
  return (
    <span ref={props.ref} className={classes.name} title={props.of}>
      {partsOfAddress(props.of).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

/** A text of a program, all of it: a line of JSON has no words to break between. */
export function Written(props: { readonly of: string }) {
  return <span className={classes.written}>{props.of}</span>;
}

/** A sentence in a list: three lines of it, and all of it on hover. */
export function Sentence(props: {
  readonly of: string;
  /** The end of the sentence says what to do: none of it is cut. */
  readonly isWhole?: boolean;
}) {
  return (
    <span className={props.isWhole ? undefined : classes.sentence} title={props.of}>
      {props.of}
    </span>
  );
}

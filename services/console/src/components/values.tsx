import { Code } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useCurrency } from '../api/billing';
import { exactMoney, formatBalance, formatMoney, formatPrice } from '../format/money';
import { formatCount, formatDuration, NOTHING } from '../format/quantity';
import { formatAgo, formatDateTime } from '../format/time';
import classes from './values.module.css';

/** How often "3 min ago" is said anew. */
const TICK_MS = 15_000;

const subscribeToMinutes = (listener: () => void) => {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
};
const currentTick = () => Math.floor(Date.now() / TICK_MS);

/**
 * An amount in the currency of the deployment; the exact one on hover. Where amounts are added up by
 * whoever reads them, each is shown with all of its digits.
 */
export function Money(props: {
  readonly amount: string | null | undefined;
  readonly isExact?: boolean;
}) {
  const { amount, isExact = false } = props;
  const currency = useCurrency();
  if (amount === null || amount === undefined) return <>{NOTHING}</>;
  const format = isExact ? formatPrice : formatMoney;
  return <span title={exactMoney(amount, currency)}>{format(amount, currency)}</span>;
}

/** What is paid for one thing or for a million tokens, with each of its digits. */
export function UnitPrice(props: { readonly of: string | null | undefined }) {
  const currency = useCurrency();
  if (props.of === null || props.of === undefined) return <>{NOTHING}</>;
  return <span title={exactMoney(props.of, currency)}>{formatPrice(props.of, currency)}</span>;
}

/** What is left of a balance: rounded down, because nobody can spend a cent that is not whole. */
export function Balance(props: { readonly of: string | undefined }) {
  const currency = useCurrency();
  if (props.of === undefined) return <>{NOTHING}</>;
  return <span title={exactMoney(props.of, currency)}>{formatBalance(props.of, currency)}</span>;
}

/** When something was or will be; the ISO form and the full time on hover. */
export function Moment(props: {
  readonly at: string | null | undefined;
  readonly never?: string;
  readonly full?: boolean;
}) {
  useSyncExternalStore(subscribeToMinutes, currentTick);
  const { at, never = NOTHING, full = false } = props;
  if (at === null || at === undefined) return <>{never}</>;
  return (
    <time dateTime={at} title={`${at}\n${formatDateTime(at)}`}>
      {full ? formatDateTime(at) : formatAgo(at, Date.now())}
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

/** The name of a model, as a program writes it: in one piece. */
export function ModelName(props: { readonly of: string }) {
  return <Code className={classes.name}>{props.of}</Code>;
}

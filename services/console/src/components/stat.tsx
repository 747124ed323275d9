import type { ReactNode } from 'react';
import classes from './stat.module.css';

/** A figure that answers a question at a glance. */
export function Stat(props: {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** The used part of a limit, from 0 to 1. */
  readonly share?: number | undefined;
  readonly isBad?: boolean;
}) {
  return (
    <div className={classes.stat}>
      <div className={classes.label}>{props.label}</div>
      <div className={classes.value} data-bad={props.isBad}>
        {props.value}
      </div>
      {props.share !== undefined && <Meter share={props.share} />}
      {props.note !== undefined && <div className={classes.note}>{props.note}</div>}
    </div>
  );
}

/** Figures in a row. */
export function Stats(props: { readonly children: ReactNode }) {
  return <div className={classes.stats}>{props.children}</div>;
}

const WARN_FROM = 0.8;

function Meter(props: { readonly share: number }) {
  return (
    <div className={classes.meter} aria-hidden="true">
      <div
        style={{ width: `${props.share * 100}%` }}
        data-some={props.share > 0}
        data-warn={props.share >= WARN_FROM}
      />
    </div>
  );
}

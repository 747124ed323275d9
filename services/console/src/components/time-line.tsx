import type { ReactNode } from 'react';
import type { Tone } from './status';
import classes from './time-line.module.css';

/** One thing that happened. */
export interface Step {
  readonly title: string;
  readonly when?: ReactNode;
  readonly text?: ReactNode;
  readonly tone: Tone;
}

/** Events in order. */
export function TimeLine(props: { readonly steps: readonly Step[] }) {
  return (
    <ol className={classes.line}>
      {props.steps.map(({ title, when, text, tone }) => (
        <li key={title} className={classes.step} data-tone={tone}>
          <div className={classes.head}>
            <span className={classes.title}>{title}</span>
            <span className={classes.when}>{when}</span>
          </div>
          {text !== undefined && <div className={classes.text}>{text}</div>}
        </li>
      ))}
    </ol>
  );
}

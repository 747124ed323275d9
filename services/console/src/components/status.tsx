import classes from './status.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'idle';

/** A state in words, and how it is to be taken. */
export interface StatusLabel {
  readonly tone: Tone;
  readonly label: string;
}

/** A word with a dot whose colour says how it is; never the colour alone. */
export function Status(props: StatusLabel) {
  return (
    <span className={classes.status}>
      <span className={classes.dot} data-tone={props.tone} aria-hidden="true" />
      {props.label}
    </span>
  );
}

import { useAway } from '../api/reach';
import classes from './status.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'idle';

/** A state in words, and how it is to be taken. */
export interface StatusLabel {
  readonly tone: Tone;
  readonly label: string;
}

/**
 * A word with a dot whose colour says how it is; never the colour alone. While nothing answers nothing
 * is known to be well.
 */
export function Status(props: StatusLabel) {
  const isAway = useAway();
  const tone = isAway && props.tone === 'good' ? 'idle' : props.tone;
  return (
    <span className={classes.status}>
      <span className={classes.dot} data-tone={tone} aria-hidden="true" />
      {props.label}
    </span>
  );
}

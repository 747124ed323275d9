import classes from './status.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'idle';

/** A word with a dot whose colour says how it is; never the colour alone. */
export function Status(props: { readonly tone: Tone; readonly label: string }) {
  return (
    <span className={classes.status}>
      <span className={classes.dot} data-tone={props.tone} aria-hidden="true" />
      {props.label}
    </span>
  );
}

/** `auto_disabled` as `Auto disabled`. */
export function toWords(value: string): string {
  const words = value.replaceAll(/[_.]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import classes from './shell.module.css';

/** The sign of the product: a barrier that opens. */
export function Mark() {
  return (
    <svg className={classes.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <g fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round">
        <path d="M8 24V11" />
        <path d="M8 13l16-5" />
        <path d="M24 24v-7" />
      </g>
    </svg>
  );
}

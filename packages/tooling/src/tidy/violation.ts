/** One broken rule of the house style, with where and why. */
export interface Violation {
  readonly file: string;
  /** 1-based; 0 when the whole file is meant. */
  readonly line: number;
  readonly rule: string;
  readonly detail: string;
}

/** `file:line rule: detail`, as editors understand it. */
export function formatViolation(violation: Violation): string {
  const { file, line, rule, detail } = violation;
  return `${file}:${line} ${rule}: ${detail}`;
}

import type { ReactNode } from 'react';
import { CodeBlock } from './copy';
import classes from './facts.module.css';

/** A name and what it is. */
export type Fact = readonly [string, ReactNode];

/** A fact as a list of one, or of none where there is nothing to say. */
export function fact(name: string, value: ReactNode): readonly Fact[] {
  return value === null || value === undefined || value === '' ? [] : [[name, value]];
}

/** Names and values of one thing; figures that are added up stand below each other. */
export function Facts(props: { readonly facts: readonly Fact[]; readonly isNumeric?: boolean }) {
  return (
    <dl className={classes.facts} data-numeric={props.isNumeric}>
      {props.facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The thing as the API answers it. */
export function AsJson(props: { readonly value: unknown }) {
  return (
    <details className={classes.json}>
      <summary>JSON</summary>
      <CodeBlock text={JSON.stringify(props.value, null, 2)} what="JSON" maxHeight={360} />
    </details>
  );
}

import { Drawer, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from './copy';
import classes from './side-drawer.module.css';

/** One thing, beside the list that it is in. */
export function SideDrawer(props: {
  readonly isOpen: boolean;
  readonly title: string;
  /** Its first field has the focus; otherwise its title has, which is read aloud then. */
  readonly isForm?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Drawer
      opened={props.isOpen}
      onClose={props.onClose}
      position="right"
      size={600}
      title={
        <span
          tabIndex={-1}
          className={classes.start}
          data-autofocus={props.isForm !== true || undefined}
        >
          {props.title}
        </span>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ title: classes.title, header: classes.header, body: classes.body }}
    >
      {props.isOpen && props.children}
    </Drawer>
  );
}

/** A part of a drawer. */
export function DrawerSection(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={classes.section}>
      <Title order={3}>{props.title}</Title>
      {props.children}
    </section>
  );
}

/** A name and what it is. */
export type Fact = readonly [string, ReactNode];

/** Nothing where there is nothing to say. */
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

import { Button, Text, Title } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OpenThing } from '../url/url-state';
import { FailureScope } from './failure';
import classes from './page.module.css';

/** A page: what it is in a word and a sentence, what can be done, and its content. */
export function Page(props: {
  readonly title: string;
  readonly sentence: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.page}>
      <title>{`${props.title} · Tollgate`}</title>
      <header className={classes.header}>
        <div>
          <Title order={1}>{props.title}</Title>
          <Text c="dimmed" mt={4}>
            {props.sentence}
          </Text>
        </div>
        {props.action !== undefined && <div className={classes.action}>{props.action}</div>}
      </header>
      <FailureScope>{props.children}</FailureScope>
    </div>
  );
}

/** Opens the drawer in which one more thing of a list is made. */
export function CreateButton(props: { readonly open: OpenThing; readonly label: string }) {
  return (
    <Button leftSection={<Plus size={16} />} onClick={props.open.create}>
      {props.label}
    </Button>
  );
}

/** Things below each other that are no rows of a table. */
export function PlainList(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={props.label}>
      {props.children}
    </ul>
  );
}

/** A part of a page with a heading of its own. */
export function Section(props: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={classes.section} aria-label={props.title}>
      <div className={classes.sectionHead}>
        <Title order={2}>{props.title}</Title>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** A framed part of a page. */
export function Panel(props: { readonly children: ReactNode }) {
  return <div className={classes.panel}>{props.children}</div>;
}

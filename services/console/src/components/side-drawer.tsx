import { Drawer, Modal, Title } from '@mantine/core';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { CodeBlock } from './copy';
import { FailureScope } from './query-state';
import classes from './side-drawer.module.css';

interface DrawerHandle {
  /** Both until what they answer is called. */
  readonly hold: () => () => void;
  readonly rename: (title: string) => () => void;
}

const Handle = createContext<DrawerHandle>({
  hold: () => () => undefined,
  rename: () => () => undefined,
});

/**
 * While something would be lost with the drawer around it, a click beside it and the Escape key do
 * not close it: only its own buttons do.
 */
export function useHeldOpen(isHeld: boolean): void {
  const { hold } = useContext(Handle);
  // Before anything else can be pressed: what is not painted yet is not waited for.
  useLayoutEffect(() => (isHeld ? hold() : undefined), [isHeld, hold]);
}

/** While it is shown, the drawer around it is called so. */
export function useDrawerTitle(title: string): void {
  const { rename } = useContext(Handle);
  useLayoutEffect(() => rename(title), [title, rename]);
}

/** What is in a drawer or a dialog decides when it may be left, and what it is called. */
function useHandle() {
  const [holds, setHolds] = useState(0);
  const [newTitle, setNewTitle] = useState<string>();
  const handle = useMemo(
    () => ({
      hold() {
        setHolds((count) => count + 1);
        return () => setHolds((count) => count - 1);
      },
      rename(title: string) {
        setNewTitle(title);
        return () => setNewTitle(undefined);
      },
    }),
    [],
  );
  return { handle, newTitle, isFree: holds === 0 };
}

/** A question over a page or a drawer: what leaves it leaves nothing else. */
export function Dialog(props: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { isOpen } = props;
  const below = useContext(Handle);
  const { handle, isFree } = useHandle();
  useEffect(() => {
    if (!isOpen) return undefined;
    const release = below.hold();
    // The drawer below hears the key that closes this as well: it may be left by the next one.
    return () => void setTimeout(release);
  }, [isOpen, below]);
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      closeOnClickOutside={isFree}
      closeOnEscape={isFree}
      title={props.title}
      centered
    >
      <Handle value={handle}>{props.children}</Handle>
    </Modal>
  );
}

/** One thing, beside the list that it is in. */
export function SideDrawer(props: {
  readonly isOpen: boolean;
  readonly title: string;
  /** Its first field has the focus; otherwise its title has, which is read aloud then. */
  readonly isForm?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { handle, newTitle, isFree } = useHandle();
  return (
    <Drawer
      opened={props.isOpen}
      onClose={props.onClose}
      closeOnClickOutside={isFree}
      closeOnEscape={isFree}
      position="right"
      size={600}
      title={
        <span
          tabIndex={-1}
          className={classes.start}
          data-autofocus={props.isForm !== true || undefined}
        >
          {newTitle ?? props.title}
        </span>
      }
      classNames={{ title: classes.title, header: classes.header, body: classes.body }}
    >
      {props.isOpen && (
        <FailureScope>
          <Handle value={handle}>{props.children}</Handle>
        </FailureScope>
      )}
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

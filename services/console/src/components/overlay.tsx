import { Button, Drawer, Modal, Text, Title } from '@mantine/core';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import type { OpenThing } from '../url/url-state';
import { FailureScope } from './failure';
import classes from './overlay.module.css';

/** Why a drawer may not just be closed: something in it would be lost. */
interface Held {
  /** Said to whoever is about to leave it. */
  readonly words: string;
  /** Label of a button that drops it; without one only its own buttons lead away. */
  readonly verb: string | undefined;
}

interface DrawerHandle {
  /**
   * Keeps the drawer open until the returned function is called. A dialog above it calls this without
   * `held`: it has nothing to warn of, and what closes the dialog does not close the drawer.
   */
  readonly hold: (held?: Held) => () => void;
  /** Gives the drawer this title until the returned function is called. */
  readonly rename: (title: string) => () => void;
  /** Takes the warning away; the drawer stays open. */
  readonly stay: () => void;
}

const Handle = createContext<DrawerHandle>({
  hold: () => () => undefined,
  rename: () => () => undefined,
  stay: () => undefined,
});

/**
 * While something would be lost with the drawer around it, a click beside it, the Escape key and its
 * icon do not close it but say so. Returns what takes this warning away again.
 */
export function useHeldOpen(isHeld: boolean, words: string, verb?: string): () => void {
  const { hold, stay } = useContext(Handle);
  // Before anything else can be pressed: what is not painted yet is not waited for.
  useLayoutEffect(() => (isHeld ? hold({ words, verb }) : undefined), [isHeld, words, verb, hold]);
  return stay;
}

/** Gives the drawer around it this title while it is shown. */
export function useDrawerTitle(title: string): void {
  const { rename } = useContext(Handle);
  useLayoutEffect(() => rename(title), [title, rename]);
}

/** What is in a drawer or a dialog decides when it may be left, and what it is called. */
function useHandle(onClose: () => void) {
  const [holds, setHolds] = useState<readonly { readonly held: Held | undefined }[]>([]);
  const [isLeaving, setLeaving] = useState(false);
  const [newTitle, setNewTitle] = useState<string>();
  const handle = useMemo(
    () => ({
      hold(held?: Held) {
        // Two forms may say the same.
        const one = { held };
        setHolds((all) => [...all, one]);
        return () => {
          setHolds((all) => all.filter((other) => other !== one));
          setLeaving(false);
        };
      },
      rename(title: string) {
        setNewTitle(title);
        return () => setNewTitle(undefined);
      },
      stay: () => setLeaving(false),
    }),
    [],
  );
  const leave = () => {
    if (holds.length === 0) onClose();
    else setLeaving(holds.every(({ held }) => held !== undefined));
  };
  return { handle, newTitle, leave, told: isLeaving ? holds[0]?.held : undefined };
}

/** The warning stands where it is seen however far somebody has scrolled. */
function Leaving(props: { readonly told: Held | undefined; readonly onLeave: () => void }) {
  const { told, onLeave } = props;
  if (told === undefined) return null;
  return (
    <div className={classes.leaving} role="alert">
      <Text size="sm">{told.words}</Text>
      {told.verb !== undefined && (
        <Button size="xs" variant="default" onClick={onLeave}>
          {told.verb}
        </Button>
      )}
    </div>
  );
}

/** A dialog over a page or a drawer: what closes it closes nothing below it. */
export function Dialog(props: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { isOpen } = props;
  const below = useContext(Handle);
  const { handle, leave, told } = useHandle(props.onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const release = below.hold();
    // The drawer below hears the same key press: it is let go only when that is over.
    return () => void setTimeout(release);
  }, [isOpen, below]);
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      title={props.title}
      centered
      classNames={{ content: classes.content }}
    >
      <Handle value={handle}>{props.children}</Handle>
      <Leaving told={told} onLeave={props.onClose} />
    </Modal>
  );
}

/** One thing, beside the list that it is in. */
export function SideDrawer(props: {
  readonly isOpen: boolean;
  readonly title: string;
  /** The first field has the focus; otherwise the title has, which is read aloud then. */
  readonly isForm?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { handle, newTitle, leave, told } = useHandle(props.onClose);
  return (
    <Drawer
      opened={props.isOpen}
      onClose={leave}
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
      classNames={{
        title: classes.title,
        header: classes.header,
        content: classes.content,
        body: classes.body,
      }}
    >
      {props.isOpen && (
        <FailureScope>
          <Handle value={handle}>{props.children}</Handle>
        </FailureScope>
      )}
      <Leaving told={told} onLeave={props.onClose} />
    </Drawer>
  );
}

/** The drawer with the form for a new thing of a list. */
export function CreateDrawer(props: {
  readonly open: OpenThing;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const { isNew, close } = props.open;
  return (
    <SideDrawer isForm isOpen={isNew} title={props.title} onClose={close}>
      {props.children}
    </SideDrawer>
  );
}

/** The drawer of the thing of a list that the address says is open. */
export function OpenedDrawer(props: {
  readonly open: OpenThing;
  readonly title: string;
  readonly children: (id: string) => ReactNode;
}) {
  const { id, close } = props.open;
  return (
    <SideDrawer isOpen={id !== undefined} title={props.title} onClose={close}>
      {id !== undefined && props.children(id)}
    </SideDrawer>
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

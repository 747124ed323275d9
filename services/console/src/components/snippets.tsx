import { Tabs } from '@mantine/core';
import { CodeBlock } from './copy';
import classes from './facts.module.css';
import { type Call, SNIPPETS, writeApiCall } from './snippet-texts';

/** The same call for the shell and for two languages. */
export function Snippets(props: { readonly call: Call }) {
  return (
    <CodeTabs
      examples={SNIPPETS.map(({ language, write }) => ({ language, text: write(props.call) }))}
    />
  );
}

/** One program in several languages, of which the first is shown. */
export function CodeTabs(props: {
  readonly examples: readonly { readonly language: string; readonly text: string }[];
}) {
  const { examples } = props;
  return (
    <Tabs defaultValue={examples[0]?.language ?? null} keepMounted={false}>
      <Tabs.List mb="sm">
        {examples.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {examples.map(({ language, text }) => (
        <Tabs.Panel key={language} value={language}>
          <CodeBlock text={text} what={`${language} example`} maxHeight={320} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The request that a form sends, for a program to send. */
export function ApiCall(props: {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}) {
  const { method, path, body } = props;
  const text = writeApiCall(method, `${window.location.origin}${path}`, body);
  return (
    <details className={classes.json}>
      <summary>The same as an API call</summary>
      <CodeBlock text={text} what="API call" />
    </details>
  );
}

import { Tabs } from '@mantine/core';
import { CodeBlock } from './copy';
import { type Call, SNIPPETS } from './snippet-texts';

/** The same call for the shell and for two languages. */
export function Snippets(props: { readonly call: Call }) {
  return (
    <Tabs defaultValue={SNIPPETS[0].language} keepMounted={false}>
      <Tabs.List mb="sm">
        {SNIPPETS.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ language, write }) => (
        <Tabs.Panel key={language} value={language}>
          <CodeBlock text={write(props.call)} what={`${language} example`} maxHeight={320} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

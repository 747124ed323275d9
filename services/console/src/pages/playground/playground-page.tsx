import {
  Anchor,
  Button,
  FileInput,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Square } from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error';
import { COST_MAX_HEADER } from '../../api/chat';
import { useModels } from '../../api/models';
import { isAwaited, useStory } from '../../api/requests';
import { isAmount, isWholeFrom, optional } from '../../components/checks';
import { CodeBlock } from '../../components/copy';
import { Failure } from '../../components/failure';
import { AmountInput, Beside, More, useFirstFault } from '../../components/form';
import { Page, Panel, Section } from '../../components/page';
import type { Call } from '../../components/snippet-texts';
import { Snippets } from '../../components/snippets';
import { Duration, Money } from '../../components/values';
import { formatCount } from '../../format/quantity';
import { useUser } from '../../session/session';
import { areTools, type Draft, isTemperature, keptDraft, toBody, toCostMax } from './draft';
import classes from './playground.module.css';
import { RouteExplanation } from './route-explanation';
import { type Answer, type Chat, KEY_BUDGET, useChat } from './use-chat';

const TOKENS_MAX = 4_294_967_295;

/** A request to the real API, and the same call for a program. */
export function PlaygroundPage() {
  const chat = useChat();
  const { id: userId } = useUser();
  const form = useForm<Draft>({
    initialValues: keptDraft.read(userId),
    onValuesChange: (draft) => keptDraft.keep(userId, draft),
    validate: {
      prompt: (value) => (value.trim() === '' ? 'Ask something' : null),
      temperature: optional(isTemperature),
      maxTokens: optional(isWholeFrom(1, TOKENS_MAX)),
      costMax: optional(isAmount),
      tools: optional(areTools),
    },
  });
  const { element, show } = useFirstFault();
  const body = toBody(form.values);
  return (
    <Page
      title="Playground"
      sentence="Ask a model through the real API; it costs what any request costs."
    >
      <div className={classes.columns}>
        <Panel>
          <form
            ref={element}
            onSubmit={form.onSubmit(
              (draft) => void chat.send(toBody(draft), toCostMax(draft)),
              show,
            )}
            onKeyDown={(event) => {
              const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
              if (sends && !chat.isRunning) event.currentTarget.requestSubmit();
            }}
            noValidate
          >
            <Stack>
              <Fields form={form} />
              <Group justify="space-between">
                {!chat.hasKey && (
                  <Text size="sm" c="dimmed" maw={260}>
                    The first question makes an API key “Playground” that ends in an hour and may
                    spend <Money amount={KEY_BUDGET} />.
                  </Text>
                )}
                <SendOrStop chat={chat} />
              </Group>
            </Stack>
          </form>
        </Panel>
        <Panel>
          <AnswerPlace chat={chat} />
        </Panel>
      </div>
      <RouteExplanation request={body} answer={chat.answer} />
      <Section title="The same call">
        <Panel>
          <Snippets call={toCall(form.values)} />
        </Panel>
      </Section>
    </Page>
  );
}

/** One button, so that the keyboard stays where it is while an answer comes. */
function SendOrStop({ chat: { isRunning, stop } }: { readonly chat: Chat }) {
  const running = {
    type: 'button',
    variant: 'default',
    leftSection: <Square size={14} />,
    onClick(event: MouseEvent) {
      // The answer may end within this very click: the button would send the form then.
      event.preventDefault();
      stop();
    },
  } as const;
  return (
    <Button ml="auto" type="submit" {...(isRunning ? running : {})}>
      {isRunning ? 'Stop' : 'Send'}
    </Button>
  );
}

/** The answer, or why there is none; on a phone it stands below what was asked. */
function AnswerPlace({ chat: { answer, isRunning, error } }: { readonly chat: Chat }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isRunning) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isRunning]);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div ref={place} className={classes.place}>
      {error === null ? (
        <AnswerView answer={answer} isRunning={isRunning} />
      ) : (
        <Stack gap="sm">
          <Failure error={error} />
          {error instanceof ApiError && error.status >= 500 && <NextStep />}
          {error instanceof ApiError && error.status === 402 && <BillingLink />}
          {requestId !== undefined && <StoryLink requestId={requestId} />}
        </Stack>
      )}
    </div>
  );
}

/** The program that gets the answer as it comes. */
function toCall(draft: Draft): Call {
  const costMax = toCostMax(draft);
  return {
    baseUrl: `${window.location.origin}/v1`,
    // A picture is as long as a book: the example says where it goes.
    body: { ...toBody({ ...draft, image: shortenImage(draft.image) }), stream: true },
    ...(costMax === undefined ? {} : { headers: { [COST_MAX_HEADER]: costMax } }),
  };
}

function shortenImage(url: string): string {
  return url.replace(/(?<=;base64,.{12}).+$/s, '...');
}

function Fields({ form }: { readonly form: UseFormReturnType<Draft> }) {
  const models = useModels();
  return (
    <>
      <Select
        label="Model"
        data={(models.data ?? []).filter(({ available }) => available).map(({ id }) => id)}
        allowDeselect={false}
        searchable
        {...form.getInputProps('model')}
      />
      <Textarea
        label="System"
        description="How the model should behave; may be empty."
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('system')}
      />
      <Textarea
        label="Prompt"
        autosize
        minRows={5}
        maxRows={16}
        {...form.getInputProps('prompt')}
      />
      <Beside>
        <TextInput
          label="Temperature"
          placeholder="As the model"
          inputMode="decimal"
          {...form.getInputProps('temperature')}
        />
        <TextInput
          label="Max tokens"
          placeholder="As the model"
          inputMode="numeric"
          {...form.getInputProps('maxTokens')}
        />
        <AmountInput label="Max cost" placeholder="No limit" {...form.getInputProps('costMax')} />
      </Beside>
      <More label="Tools and an image">
        <ToolsAndImage form={form} />
      </More>
    </>
  );
}

const TOOLS_EXAMPLE = `[{
  "type": "function",
  "function": {
    "name": "weather",
    "parameters": {
      "type": "object",
      "properties": { "place": { "type": "string" } }
    }
  }
}]`;

function ToolsAndImage({ form }: { readonly form: UseFormReturnType<Draft> }) {
  const [file, setFile] = useState<File | null>(null);
  const latest = useRef<File>(null);
  const take = async (chosen: File | null) => {
    latest.current = chosen;
    setFile(chosen);
    form.setFieldValue('image', '');
    if (chosen === null) return;
    const image = await readAsDataUrl(chosen).catch(() => undefined);
    // A larger file that was chosen before is read later.
    if (latest.current !== chosen) return;
    if (image !== undefined) {
      form.setFieldValue('image', image);
      return;
    }
    setFile(null);
    form.setFieldError('image', 'This file could not be read.');
  };
  return (
    <>
      <Textarea
        label="Tools"
        description="What the model may ask to be called, as the API takes it; nothing is called here."
        placeholder={TOOLS_EXAMPLE}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: classes.code }}
        {...form.getInputProps('tools')}
      />
      <FileInput
        label="Image"
        description="Sent with the prompt; the model has to see images."
        placeholder="Choose a file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the image' }}
        error={form.errors.image}
        value={file}
        onChange={(chosen) => void take(chosen)}
      />
    </>
  );
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(file);
  });
}

/** Said below the part of an answer that came; the story of the request tells why it broke off. */
const BROKEN_OFF = 'The answer broke off in the middle; what was delivered is charged.';

function AnswerView(props: { readonly answer: Answer | undefined; readonly isRunning: boolean }) {
  const { answer, isRunning } = props;
  if (answer === undefined) {
    return (
      <div className={classes.quiet}>
        <Text c="dimmed">The answer comes here, word by word.</Text>
      </div>
    );
  }
  return (
    <Stack gap="sm">
      <div className={classes.answer} aria-live="polite" aria-busy={isRunning}>
        {answer.text}
        {isRunning && <span className={classes.caret} aria-hidden="true" />}
      </div>
      {answer.toolCalls.map(({ name, arguments: json }, index) => (
        // Calls are told apart by their place alone.
        <CodeBlock key={String(index)} text={`${name}(${json})`} what="call" />
      ))}
      {answer.failure !== undefined && (
        <>
          <Failure error={new Error(describeFailure(answer, answer.failure))} />
          {!answer.isCut && <NextStep />}
        </>
      )}
      {!isRunning && !answer.isComplete && answer.failure === undefined && (
        <Text c="dimmed">Stopped; what was delivered is charged.</Text>
      )}
      {!isRunning && <AnswerFacts answer={answer} />}
    </Stack>
  );
}

/** Advice after a vendor did not answer: another may. */
function NextStep() {
  return <Text c="dimmed">Send it again, or choose another model.</Text>;
}

function describeFailure({ text, isCut }: Answer, failure: string): string {
  return isCut || text === '' ? failure : BROKEN_OFF;
}

function AnswerFacts({ answer }: { readonly answer: Answer }) {
  const { usage, requestId, isCut } = answer;
  return (
    <div className={classes.facts}>
      {answer.model !== undefined && <span>{answer.model}</span>}
      {usage !== undefined && (
        <span>
          {formatCount(usage.promptTokens)} tokens in, {formatCount(usage.completionTokens)} out
        </span>
      )}
      {requestId !== undefined && !isCut && <AnswerCost requestId={requestId} />}
      {requestId !== undefined && isCut && <StoryLink requestId={requestId} />}
    </div>
  );
}

/** The charge is known a moment after the answer. */
function AnswerCost({ requestId }: { readonly requestId: string }) {
  const story = useStory('own', requestId, { awaited: true });
  const { data } = story;
  if (data === undefined || data.status === 'unknown' || data.status === 'refused') {
    if (isAwaited(story)) return <span>Charging…</span>;
    return (
      <>
        <span>Not charged yet</span>
        <StoryLink requestId={requestId} />
      </>
    );
  }
  return (
    <>
      <span>
        <Money amount={data.charge} /> in <Duration ms={data.latency_ms} />
      </span>
      <StoryLink requestId={requestId} />
    </>
  );
}

/** Where a person mends what a program is told to call. */
function BillingLink() {
  return (
    <Anchor component={Link} href="/billing" size="sm">
      Balance and thresholds
    </Anchor>
  );
}

function StoryLink({ requestId }: { readonly requestId: string }) {
  return (
    <Anchor component={Link} href={`/requests?open=${requestId}`} size="sm">
      Its story
    </Anchor>
  );
}

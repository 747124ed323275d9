import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { makeIdempotencyKey } from '../../api/client';
import { useCode, useCodes, useCreateCodes, useRevokeCodes } from '../../api/codes';
import type { CreditCode } from '../../api/schemas';
import { Identifier } from '../../components/copy';
import { DangerButton } from '../../components/danger';
import { AsJson, Facts } from '../../components/facts';
import { Filters, TYPING_MS } from '../../components/filters';
import { AmountInput, Beside, EndInput, Form } from '../../components/form';
import { ListView } from '../../components/list-view';
import { CreateDrawer, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { SecretOnce } from '../../components/secret-once';
import { ApiCall } from '../../components/snippets';
import { AccountLink } from '../../components/thing-links';
import { Moment, Money } from '../../components/values';
import { formatCount, NOTHING } from '../../format/quantity';
import { useOpenThing, useUrlState } from '../../url/url-state';
import { CODE_RULES, COUNT_MAX, EMPTY_CODES, toNewCodes, toPreview } from './code-draft';
import { CodeStatus, codeColumns } from './columns';

/** Credit to give away: each code is redeemed by one account. */
export function CodesPage() {
  const url = useUrlState();
  const batch = url.get('batch');
  const [typed] = useDebouncedValue(url.get('preview'), TYPING_MS);
  const preview = toPreview(typed);
  const codes = useCodes(batch, preview);
  const isNarrowed = batch !== undefined || preview !== undefined;
  const open = useOpenThing();
  const opened = useCode(open.id);
  const create = <CreateButton open={open} label="Create codes" />;
  return (
    <Page
      title="Codes"
      sentence="Credit to give away; each code is redeemed once, by one account."
      action={codes.data?.length === 0 && !isNarrowed ? undefined : create}
    >
      <Filters
        filters={[
          { name: 'preview', label: 'Last four characters' },
          ...(batch === undefined ? [] : [{ name: 'batch', label: 'Batch' }]),
        ]}
      />
      <ListView
        query={codes}
        label="Codes"
        columns={codeColumns}
        {...open.rows}
        empty={
          isNarrowed
            ? { title: 'None', text: 'No code fits. Take a filter away to see more.' }
            : {
                title: 'No codes yet',
                text: 'Create some for a fair, an offer or a refund. Whoever has one redeems it in Billing.',
                action: create,
              }
        }
      />
      <CreateDrawer open={open} title="Create codes">
        <CreateCodes onDone={open.close} />
      </CreateDrawer>
      <OpenedDrawer
        open={open}
        title={opened.data === undefined ? 'Code' : `Code …${opened.data.preview}`}
      >
        {() => <QueryState query={opened}>{(code) => <CodeDetails code={code} />}</QueryState>}
      </OpenedDrawer>
    </Page>
  );
}

function CreateCodes({ onDone }: { readonly onDone: () => void }) {
  const create = useCreateCodes();
  const [idempotencyKey] = useState(makeIdempotencyKey);
  const form = useForm({
    initialValues: EMPTY_CODES,
    validate: CODE_RULES,
  });
  const texts = (create.data?.codes ?? []).flatMap(({ code }) => code ?? []);
  if (texts.length > 0) {
    return (
      <SecretOnce
        secret={texts.join('\n')}
        what={texts.length === 1 ? 'code' : 'codes'}
        onDone={onDone}
      >
        <Text c="dimmed">
          {texts.length === 1 ? 'It gives' : 'Each gives'} <Money amount={form.values.amount} />.
          Customers redeem it in Billing.
        </Text>
      </SecretOnce>
    );
  }
  if (create.data !== undefined) return <ToldBefore batchId={create.data.id} />;
  return (
    <Form
      form={form}
      verb="Create codes"
      change={create}
      isRepeatable
      onCancel={onDone}
      onSubmit={(draft) => create.mutate({ ...toNewCodes(draft), idempotencyKey })}
    >
      <Beside>
        <AmountInput
          label="Amount"
          description="What each code gives, such as 5.00."
          data-autofocus
          {...form.getInputProps('amount')}
        />
        <TextInput
          label="How many"
          description={`At most ${formatCount(COUNT_MAX)} at once.`}
          inputMode="numeric"
          {...form.getInputProps('count')}
        />
      </Beside>
      <TextInput
        label="Note"
        description="What they are for; it stands in the ledger of who redeems one."
        {...form.getInputProps('note')}
      />
      <EndInput label="Expires" {...form.getInputProps('expires_at')} />
      <ApiCall method="POST" path="/v1/admin/codes" body={toNewCodes(form.values)} />
    </Form>
  );
}

/** The codes are told once: those of an answer that never arrived cannot be had again. */
function ToldBefore({ batchId }: { readonly batchId: string }) {
  const url = useUrlState();
  return (
    <Alert variant="outline" color="var(--toll-warn)" title="These codes cannot be shown any more">
      <Stack gap="sm" align="flex-start">
        <Text>
          They were made at the first press, and the answer that told them did not arrive here.
          Revoke the batch and create another.
        </Text>
        <Button
          variant="default"
          onClick={() => url.set({ batch: batchId, open: undefined }, { replace: true })}
        >
          Show the batch
        </Button>
      </Stack>
    </Alert>
  );
}

function CodeDetails(props: { readonly code: CreditCode }) {
  const { code } = props;
  const url = useUrlState();
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Button
          variant="default"
          onClick={() => url.set({ batch: code.batch_id, open: undefined })}
        >
          Show the batch
        </Button>
        {code.status === 'unused' && (
          <Revoke id={code.id} verb="Revoke code" title={`Revoke the code …${code.preview}`}>
            It gives no credit any more. Whoever has it is told that it was revoked.
          </Revoke>
        )}
        <Revoke id={code.batch_id} verb="Revoke batch" title="Revoke the whole batch">
          Every code of the batch that is unused gives no credit any more. Credit that was redeemed
          stays.
        </Revoke>
      </Group>
      <Facts
        facts={[
          ['Status', <CodeStatus key="status" status={code.status} />],
          ['Amount', <Money key="amount" amount={code.amount} />],
          ['Note', code.note || NOTHING],
          [
            'Redeemed by',
            code.account_id === null ? NOTHING : <AccountLink key="account" id={code.account_id} />,
          ],
          [code.account_id === null ? 'Revoked by' : 'By', code.ended_by ?? NOTHING],
          ['Ended', <Moment key="ended" at={code.ended_at} full />],
          ['Expires', <Moment key="expires" at={code.expires_at} never="Never" full />],
          ['Created', <Moment key="created" at={code.created_at} full />],
          ['Created by', code.created_by ?? NOTHING],
          ['Batch', <Identifier key="batch" id={code.batch_id} what="batch id" />],
        ]}
      />
      <AsJson value={code} />
    </Stack>
  );
}

function Revoke(props: {
  readonly id: string;
  readonly verb: string;
  readonly title: string;
  readonly children: string;
}) {
  const { id, ...dialog } = props;
  const revoke = useRevokeCodes();
  return (
    <DangerButton
      {...dialog}
      label={props.verb}
      isFinal
      change={revoke}
      onConfirm={(onSuccess) => revoke.mutate(id, { onSuccess })}
    />
  );
}

import { useForm } from '@mantine/form';
import { useChannels, useCreateChannel } from '../../api/channels';
import { Form } from '../../components/form';
import { ListView } from '../../components/list-view';
import { CreateDrawer, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { ApiCall } from '../../components/snippets';
import { useOpenThing } from '../../url/url-state';
import { ChannelDetails } from './channel-details';
import { CHANNEL_RULES, EMPTY_CHANNEL, toNewChannel } from './channel-draft';
import { ChannelFields } from './channel-fields';
import { orderByTrouble } from './channel-health';
import { channelColumns } from './columns';

/** The vendors' endpoints that serve the models. */
export function ChannelsPage() {
  const channels = useChannels();
  const ordered = {
    ...channels,
    data: channels.data && orderByTrouble(channels.data, Date.now()),
  } as typeof channels;
  const open = useOpenThing();
  const add = <CreateButton open={open} label="Add channel" />;
  return (
    <Page
      title="Channels"
      sentence="Vendors' endpoints with a credential; together they serve the models."
      // An empty list offers it itself.
      action={channels.data?.length === 0 ? undefined : add}
    >
      <ListView
        query={ordered}
        label="Channels"
        columns={channelColumns}
        {...open.rows}
        empty={{
          title: 'No channels yet',
          text: 'A channel is a vendor with your credential. Without one no model can be asked.',
          action: add,
        }}
      />
      <CreateDrawer open={open} title="Add channel">
        <AddChannel onAdded={open.show} onCancel={open.close} />
      </CreateDrawer>
      <OpenedDrawer open={open} title={open.find(channels.data)?.name ?? 'Channel'}>
        {(id) => <ChannelDetails id={id} onGone={open.close} />}
      </OpenedDrawer>
    </Page>
  );
}

function AddChannel(props: {
  readonly onAdded: (id: string) => void;
  readonly onCancel: () => void;
}) {
  const create = useCreateChannel();
  const form = useForm({ initialValues: EMPTY_CHANNEL, validate: CHANNEL_RULES });
  const body = toNewChannel(form.values);
  return (
    <Form
      form={form}
      verb="Add channel"
      change={create}
      onCancel={props.onCancel}
      onSubmit={(draft) =>
        create.mutate(toNewChannel(draft), { onSuccess: ({ id }) => props.onAdded(id) })
      }
    >
      <ChannelFields form={form} isNew />
      <ApiCall
        method="POST"
        path="/v1/admin/channels"
        body={body.credential === undefined ? body : { ...body, credential: '...' }}
      />
    </Form>
  );
}

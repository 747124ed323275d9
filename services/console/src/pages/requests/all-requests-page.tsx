import { useChannels } from '../../api/channels';
import { useCatalogue } from '../../api/models';
import { ACCOUNT_FILTER } from '../../components/account-select';
import { Page } from '../../components/page';
import { AccountName, ChannelName } from '../../components/thing-links';
import { toOptions } from '../../format/names';
import { NOTHING } from '../../format/quantity';
import { anyRequestColumns } from './columns';
import { RequestList } from './request-list';

/** Every account's requests, with the channel that served them. */
export function AllRequestsPage() {
  const catalogue = useCatalogue();
  const channels = useChannels();
  return (
    <Page
      title="All requests"
      sentence="What every account asked, which channel served it and what became of it."
    >
      <RequestList
        scope="all"
        columns={anyRequestColumns}
        whose={{
          header: 'Account',
          width: 'name',
          cell: ({ account_id }) => (account_id ? <AccountName id={account_id} /> : NOTHING),
        }}
        models={(catalogue.data ?? []).map(({ id }) => id)}
        more={[
          ACCOUNT_FILTER,
          {
            name: 'channel',
            label: 'Channel',
            options: toOptions(channels.data),
            Named: ChannelName,
          },
        ]}
      />
    </Page>
  );
}

import { Badge, Button, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Channel, HealthCheck, Page } from '../api/types';
import { useSession } from '../session/session';
import { PageState } from './page-state';

const COLORS: Readonly<Record<string, string>> = { enabled: 'green', auto_disabled: 'red' };

function CheckButton({ channel }: { readonly channel: Channel }) {
  const { api } = useSession();
  const queries = useQueryClient();
  const check = useMutation({
    mutationFn: () => api.post<HealthCheck>(`/v1/admin/channels/${channel.id}/health`, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['channels'] }),
  });
  const failure = check.error?.message ?? check.data?.error;
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        loading={check.isPending}
        aria-label={`Check ${channel.name}`}
        onClick={() => check.mutate()}
      >
        Check
      </Button>
      {check.data?.healthy && <Text size="sm">{check.data.latency_ms} ms</Text>}
      {failure && (
        <Text size="sm" c="red">
          {failure}
        </Text>
      )}
    </>
  );
}

/** Operators: the vendors' channels and how they are. */
export function ChannelsPage() {
  const { api } = useSession();
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: () => api.get<Page<Channel>>('/v1/admin/channels?limit=200'),
  });
  return (
    <Stack>
      <Title order={2}>Channels</Title>
      <PageState
        query={channels}
        isEmpty={(data) => data.items.length === 0}
        emptyText="No channels yet."
      >
        {(data) => (
          <Table.ScrollContainer minWidth={520}>
            <Table striped>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Type</Table.Th>
                  <Table.Th>Models</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>Health</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.items.map((channel) => (
                  <Table.Tr key={channel.id}>
                    <Table.Td>{channel.name}</Table.Td>
                    <Table.Td>{channel.type}</Table.Td>
                    <Table.Td>{channel.models.map((model) => model.name).join(', ')}</Table.Td>
                    <Table.Td>
                      <Badge color={COLORS[channel.status] ?? 'gray'}>{channel.status}</Badge>
                    </Table.Td>
                    <Table.Td>{channel.health.state}</Table.Td>
                    <Table.Td>
                      <CheckButton channel={channel} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </PageState>
    </Stack>
  );
}

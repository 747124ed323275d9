import { Alert, Button, Code, Group, Stack, Table, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, CreatedKey, Page } from '../api/types';
import { useSession } from '../session/session';
import { PageState } from './page-state';

/** The account's API keys: list, create, delete. A new key is shown once. */
export function KeysPage() {
  const { api } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: () => api.get<Page<ApiKey>>('/v1/keys?limit=200'),
  });
  const refresh = () => queries.invalidateQueries({ queryKey: ['keys'] });
  const create = useMutation({
    mutationFn: () => api.post<CreatedKey>('/v1/keys', { name }),
    onSuccess: () => {
      setName('');
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.remove(`/v1/keys/${id}`),
    onSuccess: refresh,
  });
  const failure = create.error ?? remove.error;
  return (
    <Stack>
      <Title order={2}>API keys</Title>
      {failure && <Alert color="red">{failure.message}</Alert>}
      {create.data && (
        <Alert color="green" title="Copy it now: it is not shown again.">
          <Code block>{create.data.key}</Code>
        </Alert>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Group align="end">
          <TextInput
            label="Name of a new key"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </form>
      <PageState query={keys} isEmpty={(data) => data.items.length === 0} emptyText="No keys yet.">
        {(data) => (
          <Table.ScrollContainer minWidth={520}>
            <Table striped>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Key</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>Last used</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.items.map((key) => (
                  <Table.Tr key={key.id}>
                    <Table.Td>{key.name}</Table.Td>
                    <Table.Td>
                      <Code>{key.preview}</Code>
                    </Table.Td>
                    <Table.Td>{key.status}</Table.Td>
                    <Table.Td>{key.last_used_at ?? 'never'}</Table.Td>
                    <Table.Td ta="right">
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        aria-label={`Delete ${key.name}`}
                        onClick={() => {
                          if (window.confirm(`Delete ${key.name}? It stops working at once.`)) {
                            remove.mutate(key.id);
                          }
                        }}
                      >
                        Delete
                      </Button>
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

import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { type Queue, queueQuery } from '../../api/operations.ts'
import { Loaded } from '../../shell/loaded.tsx'

const names: Readonly<Record<Queue['name'], string>> = {
  syncs: 'Syncs of sites',
  jobs: 'Jobs of the agent',
  webhooks: 'Webhooks that came in',
  'webhook-sends': 'Webhooks that go out',
}

const columns: [Column<Queue>, ...Column<Queue>[]] = [
  { title: 'Work', render: ({ name }) => names[name] },
  { title: 'Waiting', align: 'end', render: ({ waiting }) => waiting.toLocaleString() },
  { title: 'Running', align: 'end', render: ({ running }) => running.toLocaleString() },
  {
    title: 'Oldest waits since',
    align: 'end',
    render: ({ oldestAt }) => (oldestAt === null ? '–' : <TimeText time={oldestAt} />),
  },
]

export function QueueList() {
  const queue = useQuery(queueQuery)
  return (
    <Section title="Queue">
      <Loaded query={queue}>
        {(queues) => <DataTable caption="Queue" columns={columns} rows={queues} keyOf={({ name }) => name} />}
      </Loaded>
    </Section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { serviceOperations } from '../../../../src/contract/operations/service.ts'
import { queryOf, type Reply } from '../../api/call.ts'
import { refreshMs } from './refresh.ts'

type HealthPart = Reply<typeof serviceOperations.getHealth>['parts'][number]

const states: Readonly<Record<HealthPart['state'], { label: string; tone: Tone; sentence: string }>> = {
  ok: { label: 'OK', tone: 'success', sentence: 'Everything works.' },
  warning: { label: 'Warning', tone: 'warning', sentence: 'Everything works, but something needs attention.' },
  failed: { label: 'Failed', tone: 'danger', sentence: 'Something does not work. See below what to do.' },
  off: { label: 'Not in use', tone: 'neutral', sentence: 'Nothing is in use.' },
}

const names: Readonly<Record<HealthPart['name'], string>> = {
  database: 'Database',
  disk: 'Disk',
  model: 'Model',
  embedding: 'Embedding model',
  'code-hosts': 'Code host',
  index: 'Index',
  secrets: 'Stored secrets',
  queue: 'Queue',
}

const columns: [Column<HealthPart>, ...Column<HealthPart>[]] = [
  { title: 'Part', render: nameOf },
  {
    title: 'State',
    render: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
  },
  { title: 'Details', render: ({ message }) => message },
]

function nameOf({ name, subject }: HealthPart): string {
  return subject === null ? names[name] : `${names[name]} of ${subject}`
}

export function HealthList() {
  const health = useQuery({ ...queryOf(serviceOperations.getHealth), refetchInterval: refreshMs })
  return (
    <Section title="Health">
      <Loaded query={health}>
        {({ state, parts, checkedAt }) => (
          <>
            <Notice tone={states[state].tone}>
              {states[state].sentence} Checked <TimeText time={checkedAt} />.
            </Notice>
            <DataTable caption="Health" columns={columns} rows={parts} keyOf={nameOf} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

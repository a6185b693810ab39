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
import { say, sayMessages, sayParts } from '../../../words/say.ts'

type HealthPart = Reply<typeof serviceOperations.getHealth>['parts'][number]

const states: Readonly<Record<HealthPart['state'], { label: string; tone: Tone; sentence: string }>> = {
  ok: { label: say('OK'), tone: 'success', sentence: say('Everything works.') },
  warning: {
    label: say('Warning'),
    tone: 'warning',
    sentence: say('Everything works, but something needs attention.'),
  },
  failed: { label: say('Failed'), tone: 'danger', sentence: say('Something does not work. See below for what to do.') },
  off: { label: say('Not in use'), tone: 'neutral', sentence: say('Nothing is in use.') },
}

const names: Readonly<Record<HealthPart['name'], string>> = {
  database: say('Database'),
  disk: say('Disk'),
  model: say('Model'),
  embedding: say('Embedding model'),
  'code-hosts': say('Code host'),
  index: say('Index'),
  secrets: say('Stored secrets'),
  queue: say('Queue'),
}

const columns: [Column<HealthPart>, ...Column<HealthPart>[]] = [
  { title: say('Part'), render: nameOf },
  {
    title: say('State'),
    render: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
  },
  { title: say('Details'), render: ({ messages, message }) => sayMessages(messages, message) },
]

function nameOf({ name, subject }: HealthPart): string {
  return subject === null ? names[name] : say('{part} of {subject}', { part: names[name], subject })
}

export function HealthList() {
  const health = useQuery({ ...queryOf(serviceOperations.getHealth), refetchInterval: refreshMs })
  return (
    <Section title={say('Health')}>
      <Loaded query={health}>
        {({ state, parts, checkedAt }) => (
          <>
            <Notice tone={states[state].tone}>
              {sayParts('{sentence} Checked {checkedAt}.', {
                sentence: states[state].sentence,
                checkedAt: <TimeText time={checkedAt} />,
              })}
            </Notice>
            <DataTable caption={say('Health')} columns={columns} rows={parts} keyOf={nameOf} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

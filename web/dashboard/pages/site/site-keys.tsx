import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import type { KeyResource, SiteResource } from '../../../../src/contract/admin.ts'
import { Badge } from '../../../ui/badge.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { describeKeyState } from '../keys/key-state.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { listOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

const columns: [Column<KeyResource>, ...Column<KeyResource>[]] = [
  { title: say('Name'), render: ({ name }) => name },
  { title: say('Key'), render: ({ hint }) => <code>…{hint}</code> },
  {
    title: say('Last used'),
    render: ({ lastUsedAt }) => (lastUsedAt === null ? say('Never') : <TimeText time={lastUsedAt} />),
  },
  { title: say('State'), render: (key) => <KeyState apiKey={key} /> },
]

/** Assistant keys of a site. The API keys page manages them. */
export function SiteKeys({ site }: { site: SiteResource }) {
  const { organization } = useSession()
  const keys = useQuery(listOf(keyOperations.listKeys))
  const toKeys = (
    <Link to="/$organization/keys" params={{ organization: organization.id }}>
      {say('All API keys')}
    </Link>
  )
  return (
    <Section title={say('Keys')} action={toKeys}>
      <Loaded query={keys} skeleton={<Skeleton count={2} />}>
        {(keys) => {
          const own = keys.filter(({ siteId }) => siteId === site.id)
          if (own.length > 0)
            return <DataTable caption={say('Keys of the site')} columns={columns} rows={own} keyOf={({ id }) => id} />
          return (
            <EmptyState icon={<KeyRound aria-hidden />} title={say('No keys for this site')}>
              {say('With an assistant key, a front end can ask questions about it.')}
            </EmptyState>
          )
        }}
      </Loaded>
    </Section>
  )
}

function KeyState({ apiKey }: { apiKey: KeyResource }) {
  const { tone, label } = describeKeyState(apiKey, Date.now())
  return <Badge tone={tone}>{label}</Badge>
}

import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { KeyResource, SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useMay } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { ChangeKeyDialog } from './change-key-dialog.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeySamples } from './key-samples.tsx'
import { KeyTable } from './key-table.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { usageOperations } from '../../../../src/contract/operations/usage.ts'
import { usePages } from '../../api/use-pages.ts'
import { listOf } from '../../api/call.ts'
import { useQuery } from '@tanstack/react-query'
import { say } from '../../../words/say.ts'

export function KeysPage() {
  const sites = useQuery(sitesQuery)
  const isOwner = useMay('owner')
  const [isCreating, setCreating] = useState(false)
  const create = isOwner ? (
    <Button look="primary" data-command={keyOperations.createKey.id} onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden /> {say('Create key')}
    </Button>
  ) : null
  return (
    <>
      <PageHeader title={say('API keys')} action={create}>
        {say(
          'Assistant keys ask questions about one site and may be public. Admin keys start agent jobs and can change everything: use them on servers only.',
        )}
      </PageHeader>
      <Loaded query={sites}>
        {(sites) => (
          <>
            <KeyList sites={sites} onCreate={() => setCreating(true)} />
            <KeySamples sites={sites} />
            <CreateKeyDialog sites={sites} isOpen={isCreating} onClose={() => setCreating(false)} />
          </>
        )}
      </Loaded>
    </>
  )
}

function KeyList({ sites, onCreate }: { sites: readonly SiteResource[]; onCreate(): void }) {
  const list = usePages(keyOperations.listKeys, {})
  const usage = useQuery({ ...listOf(usageOperations.listKeyUsage), retry: false })
  const isOwner = useMay('owner')
  const [changed, setChanged] = useState<KeyResource | null>(null)
  const [revoked, setRevoked] = useState<KeyResource | null>(null)
  const empty = (
    <EmptyState
      icon={<KeyRound aria-hidden />}
      title={say('No keys yet')}
      action={isOwner ? <Button onClick={onCreate}>{say('Create your first key')}</Button> : null}
    >
      {say('With a key, a front end can ask questions and a script can start agent jobs.')}
    </EmptyState>
  )
  return (
    <>
      <KeyTable
        list={list}
        sites={sites}
        usage={usage.data ?? []}
        empty={empty}
        {...(isOwner && { actions: { onChange: setChanged, onRevoke: setRevoked } })}
      />
      <ChangeKeyDialog apiKey={changed} onClose={() => setChanged(null)} />
      <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(null)} />
    </>
  )
}

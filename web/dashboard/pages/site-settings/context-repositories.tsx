import { useQuery } from '@tanstack/react-query'
import { GitFork, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { nameSource } from '../site/source-names.ts'
import { AddContextDialog } from './add-context-dialog.tsx'
import { contextRepositoryOperations } from '../../../../src/contract/operations/context-repositories.ts'
import { call, queryOf } from '../../api/call.ts'
import type { ContextRepositoryResource } from '../../../../src/contract/context-repositories.ts'
import { say } from '../../../words/say.ts'

/** Repositories that the agent may read in addition to the one it edits. */
export function ContextRepositories({ site }: { site: SiteResource }) {
  const contexts = useQuery(queryOf(contextRepositoryOperations.listContextRepositories, { params: { id: site.id } }))
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<ContextRepositoryResource | null>(null)
  const add = (
    <Button data-command={contextRepositoryOperations.addContextRepository.id} onClick={() => setAdding(true)}>
      <Plus size={16} aria-hidden /> {say('Add repository')}
    </Button>
  )
  return (
    <Section
      title={say('Context repositories')}
      description={say(
        'Repositories that the agent may read in addition to the one it edits, such as the documented code. It does not write to them.',
      )}
      action={add}
    >
      <Loaded query={contexts}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<GitFork aria-hidden />} title={say('No context repositories')}>
              {say('The agent only reads the repository of the site.')}
            </EmptyState>
          ) : (
            <DataTable
              caption={say('Context repositories')}
              columns={toColumns(setRemoved)}
              rows={items}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      <AddContextDialog site={site} isOpen={isAdding} onClose={() => setAdding(false)} />
      <RemoveContext site={site} context={removed} onClose={() => setRemoved(null)} />
    </Section>
  )
}

type ContextColumn = Column<ContextRepositoryResource>

function toColumns(onRemove: (context: ContextRepositoryResource) => void): [ContextColumn, ...ContextColumn[]] {
  return [
    { title: say('Name'), render: ({ name }) => <code>@{name}</code> },
    { title: say('Source'), render: ({ source }) => `${nameSource(source.kind)}: ${source.location}` },
    { title: say('Role'), render: ({ role }) => (role === 'product' ? say('Product') : say('Reference')) },
    { title: say('Branch'), render: ({ source }) => source.ref ?? say('Main branch') },
    {
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (context) => (
        <IconButton size="small" label={say('Remove {name}', { name: context.name })} onClick={() => onRemove(context)}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      ),
    },
  ]
}

interface RemoveContextProps {
  site: SiteResource
  context: ContextRepositoryResource | null
  onClose(): void
}

function RemoveContext({ site, context, onClose }: RemoveContextProps) {
  const remove = useChange({
    send: ({ name }: ContextRepositoryResource) =>
      call(contextRepositoryOperations.removeContextRepository, { params: { id: site.id, name } }),
    stale: ['listContextRepositories'],
  })
  return (
    <ConfirmChange
      title={say('Remove {name}?', { name: context?.name ?? '' })}
      action={say('Remove')}
      change={remove}
      input={context}
      onClose={onClose}
    >
      {say('The agent can no longer read it. The repository itself is not changed.')}
    </ConfirmChange>
  )
}

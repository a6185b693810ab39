import type { RepositoryResource } from '../../../../src/contract/repositories.ts'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { say } from '../../../words/say.ts'

export function RepositoryList({ repositories }: { repositories: readonly RepositoryResource[] }) {
  if (repositories.length === 0) return null
  return (
    <Section
      title={say('Repositories')}
      description={say('Clone and push with git, using an admin key as the password.')}
    >
      <DataTable
        caption={say('Repositories')}
        columns={[
          { title: say('Repository'), render: ({ name }) => <strong>{name}</strong> },
          { title: say('Default branch'), render: ({ defaultBranch }) => <code>{defaultBranch}</code> },
          {
            title: say('Clone'),
            render: ({ name, cloneUrl }) => <CopyLine text={cloneUrl} what={say('address of {name}', { name })} />,
          },
        ]}
        rows={repositories}
        keyOf={({ id }) => id}
      />
    </Section>
  )
}

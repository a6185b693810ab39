import type { RepositoryResource } from '../../../../src/contract/repositories.ts'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'

export function RepositoryList({ repositories }: { repositories: readonly RepositoryResource[] }) {
  if (repositories.length === 0) return null
  return (
    <Section title="Repositories" description="Clone and push with git, using an admin key as the password.">
      <DataTable
        caption="Repositories"
        columns={[
          { title: 'Repository', render: ({ name }) => <strong>{name}</strong> },
          { title: 'Default branch', render: ({ defaultBranch }) => <code>{defaultBranch}</code> },
          {
            title: 'Clone',
            render: ({ name, cloneUrl }) => <CopyLine text={cloneUrl} what={`address of ${name}`} />,
          },
        ]}
        rows={repositories}
        keyOf={({ id }) => id}
      />
    </Section>
  )
}

import type { AgentProblem } from '../../../../src/contract/agent-job-event.ts'
import { Badge } from '../../../ui/badge.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { FindingText } from '../../shell/finding-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { say } from '../../../words/say.ts'

const columns: [Column<AgentProblem>, ...Column<AgentProblem>[]] = [
  {
    title: say('Location'),
    render: ({ path, line }) => (
      <code>
        <VisibleText text={line === null ? path : `${path}:${line}`} />
      </code>
    ),
  },
  { title: say('Problem'), render: FindingText },
  { title: say('Rule'), render: ({ rule }) => <code>{rule}</code> },
  {
    title: say('Severity'),
    render: ({ severity }) =>
      severity === 'block' ? (
        <Badge tone="danger">{say('Must be fixed')}</Badge>
      ) : (
        <Badge tone="warning">{say('Warning')}</Badge>
      ),
  },
]

/** New problems found by the latest check. */
export function JobChecks({ problems }: { problems: readonly AgentProblem[] | null }) {
  if (problems === null) return null
  return (
    <Section title={say('Checks')}>
      {problems.length === 0 ? (
        <Notice tone="success">
          {say('The change adds no problems to pages, links, navigation or descriptions.')}
        </Notice>
      ) : (
        <DataTable
          caption={say('Problems')}
          columns={columns}
          rows={problems}
          keyOf={({ rule, path, line, message }) => `${rule} ${path} ${line} ${message}`}
        />
      )}
    </Section>
  )
}

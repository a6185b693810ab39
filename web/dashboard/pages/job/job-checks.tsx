import type { AgentProblem } from '../../../../src/contract/agent-job-event.ts'
import { Badge } from '../../../ui/badge.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'

const columns: [Column<AgentProblem>, ...Column<AgentProblem>[]] = [
  {
    title: 'Location',
    render: ({ path, line }) => (
      <code>
        <VisibleText text={line === null ? path : `${path}:${line}`} />
      </code>
    ),
  },
  { title: 'Problem', render: ({ message }) => <VisibleText text={message} /> },
  { title: 'Rule', render: ({ rule }) => <code>{rule}</code> },
  {
    title: 'Severity',
    render: ({ severity }) =>
      severity === 'block' ? <Badge tone="danger">Must be fixed</Badge> : <Badge tone="warning">Warning</Badge>,
  },
]

/** New problems found by the latest check. */
export function JobChecks({ problems }: { problems: readonly AgentProblem[] | null }) {
  if (problems === null) return null
  return (
    <Section title="Checks">
      {problems.length === 0 ? (
        <Notice tone="success">
          The change adds no problems. Pages, links, navigation and descriptions were checked.
        </Notice>
      ) : (
        <DataTable
          caption="Problems"
          columns={columns}
          rows={problems}
          keyOf={({ rule, path, line, message }) => `${rule} ${path} ${line} ${message}`}
        />
      )}
    </Section>
  )
}

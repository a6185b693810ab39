import { countOf } from '../../../../src/contract/count-of.ts'
import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Section } from '../../../ui/section.tsx'
import { DiffView } from '../job/diff-view.tsx'
import classes from './pull-request-page.module.css'

export function FilesSection({ pullRequest: { files, filesTotal } }: { pullRequest: PullRequestViewResource }) {
  const more = filesTotal - files.length
  return (
    <Section title={`Files (${filesTotal})`}>
      <DiffView files={files} />
      {more === 0 ? null : (
        <p className={classes.muted}>
          {countOf(more, 'more file', 'more files')} not shown. Fetch the branch with git to view all changes.
        </p>
      )}
    </Section>
  )
}

import type { Column } from '../../../ui/data-table.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

interface QuestionGroup {
  unanswered: number
  unhelpful: number
  lastAskedAt: string
}

/** How the questions of a group went. */
export const outcomeColumns: readonly Column<QuestionGroup>[] = [
  {
    title: say('Unanswered'),
    sortBy: ({ unanswered }) => unanswered,
    align: 'end',
    render: ({ unanswered }) => unanswered.toLocaleString(language),
  },
  {
    title: say('Not helpful'),
    sortBy: ({ unhelpful }) => unhelpful,
    align: 'end',
    render: ({ unhelpful }) => unhelpful.toLocaleString(language),
  },
  {
    title: say('Last asked'),
    sortBy: ({ lastAskedAt }) => lastAskedAt,
    render: ({ lastAskedAt }) => <TimeText time={lastAskedAt} />,
  },
]

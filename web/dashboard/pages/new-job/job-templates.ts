import { say } from '../../../words/say.ts'

export interface JobTemplate {
  id: string
  title: string
  /** Initial prompt. The built-in model can follow all of them except the empty one, in English only. */
  prompt: string
}

export const jobTemplates: readonly JobTemplate[] = [
  {
    id: 'replace',
    title: say('Replace text everywhere'),
    prompt: 'Replace "old text" by "new text" on every page.',
  },
  {
    id: 'rename',
    title: say('Rename a page'),
    prompt: 'Rename the page guides/old to guides/new and keep its links working.',
  },
  { id: 'links', title: say('Fix broken links'), prompt: 'Fix all broken links.' },
  {
    id: 'add',
    title: say('Add a page'),
    prompt: 'Add a page guides/new titled "The title" with this content:\n```md\nThe text of the page.\n```',
  },
  { id: 'free', title: say('Something else'), prompt: '' },
]

export interface JobTemplate {
  id: string
  title: string
  /** Initial prompt. The built-in model can follow all of them except the empty one. */
  prompt: string
}

export const jobTemplates: readonly JobTemplate[] = [
  {
    id: 'replace',
    title: 'Replace text everywhere',
    prompt: 'Replace "old text" by "new text" on every page.',
  },
  {
    id: 'rename',
    title: 'Rename a page',
    prompt: 'Rename the page guides/old to guides/new and keep its links working.',
  },
  { id: 'links', title: 'Fix broken links', prompt: 'Fix all broken links.' },
  {
    id: 'add',
    title: 'Add a page',
    prompt: 'Add a page guides/new titled "The title" with this content:\n```md\nThe text of the page.\n```',
  },
  { id: 'free', title: 'Something else', prompt: '' },
]

import type { Citation } from '../generated/wire-types.ts'

interface Varied {
  number: string
  start: number
  end: number
  textId?: string
  sourceIds?: string[]
}

export function makeCitation({ number, start, end, textId = 's0-0', sourceIds = [] }: Varied): Citation {
  return {
    number,
    sourceIds,
    url: 'https://docs.example.com/keys#rotate',
    title: 'Keys',
    description: 'Keys › Rotate a key',
    quote: 'Keys expire.',
    answer: { textId, start, end },
    source: {
      path: '/keys',
      anchor: 'rotate',
      headings: ['Keys', 'Rotate a key'],
      revision: '9f3c',
      commit: '9f3c',
      file: 'docs/keys.md',
      lines: [4, 4],
      sha256: 'a'.repeat(64),
      version: null,
      language: null,
    },
    verdict: 'held',
  }
}

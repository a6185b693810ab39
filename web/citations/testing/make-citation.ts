import type { Citation } from '../../../src/contract/citations.ts'

/** A citation of the sentence that ends at an offset of text part `t`. */
export function makeCitation(number: string, end: number, part: Partial<Citation> = {}): Citation {
  return {
    number,
    sourceIds: [`p${number}`],
    url: `https://docs.example.com/guides/keys#rotate:~:text=The%20old%20key%20${number}`,
    title: 'Keys: Rotate a key',
    description: 'Keys › Rotate a key',
    quote: 'The old key keeps working until you revoke it.',
    answer: { textId: 't', start: 0, end },
    source: {
      path: '/guides/keys',
      anchor: 'rotate',
      headings: ['Keys', 'Rotate a key'],
      revision: '9f3c2ab5d0e1',
      commit: '9f3c2ab5d0e1',
      file: 'docs/guides/keys.mdx',
      lines: [41, 44],
      sha256: null,
      version: 'v2',
      language: 'en',
    },
    verdict: 'held',
    ...part,
  }
}

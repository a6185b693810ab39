import { expect, it } from 'vitest'
import { readInContext } from './search-text.ts'

const pasted = [
  'Why does this fail?',
  'Error: connect ECONNREFUSED 127.0.0.1:9100',
  '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
].join('\n')

it('reads what the reader has selected, also beside an error that was pasted into the question', () => {
  for (const question of ['Why does this fail?', pasted]) {
    const { searchText } = readInContext({ question, earlierQuestions: [], searchedFor: [] })
    const searchedFor = [`${searchText}\nprinterPort`]

    const { words } = readInContext({ question, earlierQuestions: [], searchedFor })

    expect(words.map(({ surface }) => surface)).toContain('printerPort')
  }
})

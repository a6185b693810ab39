import { expect, it } from 'vitest'
import { listFacts } from './exact-facts.ts'
import { findGrounds } from './find-grounds.ts'
import { PassageText } from './passage-text.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const contents = [
  // 1
  'Ada listens on port 8750 unless you set `ADA_PORT`. It prints its address at the start. Never share your keys with anyone.',
  // 2
  '## Limits\n\n| What | Limit | Window |\n| --- | --- | --- |\n| Questions per key | 10,000 | calendar month |\n| Uploads per address | 250 | hour |\n| Size of an upload | 1.5 MB | |',
  // 3
  'To rotate a key, run:\n\n```sh\nada key rotate --name site\nada key list\n```\n\nThe old key stays valid for 24 hours, so that\nservers can be changed one by one.',
  // 4
  '- **Backups** contain questions, answers and keys. They do not contain index files.\n- **Exports** hold only questions, as CSV or JSON.\n- `ada backup` needs a stopped server; `ada export` does not.',
  // 5
  'Webhooks are signed with HMAC-SHA256 in the header `X-Ada-Signature`. A delivery is tried 12 times over three days.',
]
const passages = contents.map(
  (content, index) =>
    new PassageText({
      path: `/p${index + 1}`,
      anchor: null,
      title: 'Page',
      headings: [],
      version: null,
      language: 'en',
      content,
    }),
)

const find = (sentence: string, claims: number[] = []) =>
  findGrounds({ sentence, facts: listFacts(sentence), passages, claims: claims.map((number) => number - 1) }).map(
    ({ text, units, facts }) => ({
      passage: passages.indexOf(text) + 1,
      quote: text.passage.content.slice(units[0]?.start, units.at(-1)?.end),
      facts: [...facts],
    }),
  )

it.each([
  ['It prints its address at the start.', 1, 'It prints its address at the start.'],
  ['Ada listens on port **8750** unless you set ADA_PORT.', 1, /^Ada listens/],
  ['By default the server listens on port 8750; set `ADA_PORT` to change it.', 1, /^Ada listens/],
  ['A key may ask 10,000 questions in a calendar month.', 2, /^\| Questions per key/],
  ['Uploads are limited to 250 per hour for each address.', 2, /^\| Uploads/],
  ['| Size of an upload | 1.5 MB | |', 2, /^\| Size/],
  ['```sh\nada key rotate --name site\nada key list\n```', 3, 'ada key rotate --name site\nada key list'],
  ['Run `ada key rotate --name site` to rotate a key.', 3, /ada key rotate/],
  ['After that, the old key stays valid for another 24 hours.', 3, /^The old key stays valid/],
  ['The old key stays valid for 24 hours, so that servers can be changed one by one.', 3, /servers can be changed/],
  ['Backups do not contain the index files.', 4, /They do not contain index files/],
  ['Exports hold only the questions, in CSV or JSON.', 4, /Exports/],
  ['Each delivery is tried 12 times, over three days.', 5, /^A delivery/],
  ['Signatures are in `X-Ada-Signature`, made with HMAC-SHA256.', 5, /^Webhooks are signed/],
])('finds the sentence that says it: %j', (sentence, passage, quote) => {
  expect(find(sentence)).toEqual([expect.objectContaining({ passage, quote: expect.stringMatching(quote) })])
})

it.each([
  'The server listens on port 875 unless you set the port.',
  'The server listens on port 87500 by default.',
  'A key may ask 1,000 questions in a calendar month.',
  'A key may ask 250 questions in a calendar month.',
  'Uploads are limited to 10,000 per hour for each address.',
  'An upload may have a size of 1 MB.',
  'An upload may have a size of 5 MB.',
  'The old key stays valid for 48 hours.',
  'The old key stays valid for 2 hours.',
  'Run `ada key rotate --all` now.',
  'Run `ada key remove --name site` to remove a key.',
  'Backups contain the index files.',
  'Share your keys with anyone.',
  'Each delivery is tried 120 times.',
  'Signatures are made with HMAC-SHA512.',
  'Here is how it works:',
  'I hope that this helps you!',
  'The documentation does not say anything about this.',
  'Yes.',
  'See the page about keys.',
  'You can also configure SAML sign-in for your whole organization.',
  'Kubernetes users should mount a persistent volume for their uploads.',
])('cites nothing for what no passage says: %j', (sentence) => {
  expect(find(sentence)).toEqual([])
  expect(find(sentence, [1, 2, 3, 4, 5])).toEqual([])
})

it('believes a claim only where the passage holds it, and looks elsewhere otherwise', () => {
  expect(find('The port is 8750.', [1])).toMatchObject([{ passage: 1 }])
  expect(find('Each delivery is tried 12 times, over three days.', [2])).toMatchObject([{ passage: 5 }])
  expect(find('Each delivery is tried 12 times, over three days.', [99, 0])).toMatchObject([{ passage: 5 }])
})

it('rests on several passages where each holds a part', () => {
  const found = find('The old key stays valid for 24 hours, and a delivery is tried 12 times over three days.')

  expect(found.map(({ passage, facts }) => [passage, facts])).toEqual([
    [5, ['12']],
    [3, ['24']],
  ])
})

it('tells a sentence of which only a part is held', () => {
  expect(find('Ada listens on port 8750 unless you set `ADA_PORT` or `ADA_HOST`.')).toMatchObject([
    { passage: 1, facts: ['ADA_PORT', '8750'] },
  ])
})

it('takes linear time over hostile passages and sentences', () => {
  const content = `${'a | b `c` '.repeat(4_000)}\n${'- x '.repeat(4_000)}`
  const text = new PassageText({
    path: '/x',
    anchor: null,
    title: '',
    headings: [],
    version: null,
    language: null,
    content,
  })
  const startedAt = threadCpuMs()

  const sentence = `\`${'a '.repeat(2_000)}\` 1 2 3 ${'word '.repeat(2_000)}`
  findGrounds({ sentence, facts: listFacts(sentence), passages: [text], claims: [] })

  expect(threadCpuMs() - startedAt).toBeLessThan(3_000)
})

it('ends with nothing for what has no words', () => {
  expect(findGrounds({ sentence: '``` ```', facts: ['``'], passages, claims: [] })).toEqual([])
})

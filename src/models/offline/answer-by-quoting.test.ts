import { describe, expect, it } from 'vitest'
import { isAnswer } from '../../contract/verdicts.ts'
import { QuotingAnswerer } from './answer-by-quoting.ts'
import { readQuestion } from './read-question.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'

interface Asked {
  isAboutPage?: boolean
  sitePassages?: number
  /** Rarity of words on the site, by the word as typed. */
  rarities?: Record<string, number>
}

function passage(content: string, fields: Partial<RetrievedPassage> = {}): RetrievedPassage {
  const path = fields.path ?? '/page'
  return { path, link: path, title: 'Page', headings: [], score: 0.6, wholePage: null, ...fields, content }
}

function ask(
  text: string,
  passages: readonly RetrievedPassage[],
  { sitePassages, rarities = {}, isAboutPage = false }: Asked = {},
) {
  const read = readQuestion(text)
  const words = read.words.map((word) => ({ ...word, rarity: rarities[word.surface] ?? word.rarity }))
  const question = { ...read, words }
  const asked = { question, passages, instructions: '', isAboutPage }
  return new QuotingAnswerer().answer({ ...asked, sitePassages: sitePassages ?? null })
}

it("quotes no list of a page's own sections", () => {
  const contents = passage(
    '- [Install on Fedora](/page#install-on-fedora)\n- [Install on Arch](https://x.example/page#arch)',
  )
  const section = passage('Run `dnf install otter` as root.', { headings: ['Install on Fedora'] })

  const { text } = ask('install on Fedora', [contents, section])

  expect(text).toContain('dnf install otter')
  expect(text).not.toContain('Arch')
})

it('quotes a list of sections of other pages', () => {
  const contents = passage('- [Install on Fedora](/other/page#fedora)\n- [Install on Arch](/other/page#arch)')

  expect(ask('install on Fedora', [contents]).text).toContain('/other/page#fedora')
})

describe('among parts with the same words', () => {
  it('words of different rows are not combined', () => {
    const table = passage(
      '| Name | Text |\n| --- | --- |\n| `a` | A backup. |\n| `b` | An archive. |\n| `c` | The night. |',
      { path: '/table', title: 'Table' },
    )
    const sentence = passage('A backup of the archive is made.', { path: '/backups', title: 'Nothing', score: 0.8 })

    const { text } = ask('backup archive night', [table, sentence])

    expect(text.indexOf('A backup of the archive')).toBeLessThan(text.indexOf('An archive.'))
  })

  it('the shorter one goes first', () => {
    const filler = 'which is told here at length with many further words that have nothing to do with any of that '
    const long = passage(`The archive, ${filler.repeat(4)}, holds the backup.`, { path: '/long', title: 'Long' })
    const short = passage('The archive holds the backup.', { path: '/short', title: 'Short' })

    const { text } = ask('archive backup', [long, short])

    expect(text).toMatch(/^The archive holds the backup/)
  })
})

it('quotes of a long list of settings the one that was asked for, with its comment, in one block of code', () => {
  const settings = Array.from(
    { length: 40 },
    (_, n) => `# The weight of layer ${n}, for pictures.\nlayer${n}: <number>`,
  )
  const asked = '# How long to wait for a reply.\n[ reply_wait: <duration> | default = 10s ]'
  const code = [...settings.slice(0, 20), asked, ...settings.slice(20)].join('\n\n')

  const { text } = ask('how long does it wait for a reply', [passage(`\`\`\`yaml\n${code}\n\`\`\``)])

  expect(text).toContain(asked)
  expect(text.match(/```/g)).toHaveLength(2)
  expect(text.length).toBeLessThan(1_500)
})

describe('asked how to do something', () => {
  const moving = passage('You move a form to the archive with `archive`. The form keeps its answers.', {
    title: 'Archive',
  })
  const rarities = { move: 0.6, form: 0.5, workspace: 0.7, archive: 0.6 }

  it('answers if the quote says everything that was asked', () => {
    expect(isAnswer(ask('How do I move a form to the archive?', [moving], { rarities }).verdict)).toBe(true)
  })

  it('only names the page if the quote lacks a telling word of a short question', () => {
    const elsewhere = passage('Each workspace has members.', { path: '/workspaces', score: 0.3 })

    const { verdict } = ask('How do I move a form to a workspace?', [moving, elsewhere], { rarities })

    expect(verdict).toBe('nearest-page')
  })
})

it('answers "which" with the whole table under the heading that asks the same', () => {
  const mentioned = passage('Answers of version 1 carry the header `Deprecation`.', {
    path: '/old',
    title: 'Old',
  })
  const table = passage(
    '| Header | Meaning |\n| --- | --- |\n| `X-Thread-Id` | The thread. |\n| `X-Request-Id` | The request. |',
    { path: '/streams', title: 'Streams', headings: ['Which headers does an answer have?'] },
  )

  const { text } = ask('Which headers come with every answer?', [table, mentioned])

  expect(text).toMatch(/^\| Header \| Meaning \|/)
  expect(text).toContain('`X-Request-Id`')
})

it('matches a word by a synonym', () => {
  const { verdict } = ask('turn off the playground', [passage('To disable the playground, set its display to none.')])

  expect(verdict).toBe('supported')
})

it('quotes what the search found first, too, when another passage has more of the words', () => {
  const first = passage('Retries are set by `maxRetries`.', { path: '/settings', title: 'Settings', score: 0.8 })
  const more = passage('The number of retries of an embedding is 2.', { path: '/embeddings', title: 'Embeddings' })

  const { text } = ask('What is the number of retries?', [first, more])

  expect(text).toContain('`maxRetries`')
})

describe('the verdict', () => {
  const keys = 'A key that nobody has used for 90 days is revoked at night.'

  it.each([
    ['Which key is revoked at night?', 'supported', /^A key that/],
    [
      'Which key opens a door at night?',
      'partial',
      /^The documentation may not answer this exactly\. No page that was found mentions “opens” or “door”\./,
    ],
    [
      'Which rooms can visitors enter or leave with a key?',
      'nearest-page',
      /^No passage was found .* Closest page: \[Rules\]/,
    ],
    ['Which paints dry within hours?', 'unanswered', /^The documentation does not say anything/],
  ])('on %s is %s, and the text says so', (question, verdict, start) => {
    const answer = ask(question, [passage(keys, { title: 'Rules' })])

    expect(answer).toEqual({ verdict, text: expect.stringMatching(start) as string })
  })
})

describe('on a large site', () => {
  const sitePassages = 3_000

  it('a page named like the question needs fewer of its words', () => {
    const content = 'Tooltips show a definition when readers hover over a word.'
    const question = 'make a tooltip for a term'

    const rarities = { make: 0.4, tooltip: 0.7, term: 0.5 }

    const named = ask(question, [passage(content, { title: 'Tooltips' })], { sitePassages, rarities })
    const other = ask(question, [passage(content, { title: 'Reading aids' })], { sitePassages, rarities })

    expect({ named: isAnswer(named.verdict), other: isAnswer(other.verdict) }).toEqual({ named: true, other: false })
  })

  it('a product that passages only mention is not what they are about', () => {
    const content = 'Import a collection, such as one that Postman generates.'
    const question = 'How do I generate a Postman collection?'
    const rarities = { Postman: 0.9 }

    const mentioned = ask(question, [passage(content)], { sitePassages, rarities })
    const headed = ask(question, [passage(content, { headings: ['Postman'] })], { sitePassages, rarities })

    expect([mentioned, headed].map(({ verdict }) => isAnswer(verdict))).toEqual([false, true])
  })
})

it('does not expect every word of a long question in the answer', () => {
  const content = 'A file that is edited in place needs the cache.'
  const question = 'Which cache do several office programs need so that a file is edited in place reliably overnight?'

  expect(isAnswer(ask(question, [passage(content, { title: 'Cache' })], { sitePassages: 800 }).verdict)).toBe(true)
})

it('answers from the page that is asked about with what comes closest, unless it says nothing of it', () => {
  const page = [passage('A key that nobody has used for 90 days is revoked at night.', { title: 'Rules' })]
  const verdictOn = (question: string) => ask(question, page, { isAboutPage: true, sitePassages: 800 }).verdict

  expect(verdictOn('which rooms are entered at night with a key')).toBe('partial')
  expect(verdictOn('kubernetes ingress')).not.toBe('partial')
  const far = page.map((found) => ({ ...found, score: 0.3 }))
  expect(ask('which night watch of XYZ', far, { isAboutPage: true, sitePassages: 800 }).verdict).not.toBe('partial')
  expect(ask('which night watch of XYZ', page, { isAboutPage: true, sitePassages: 800 }).verdict).toBe('partial')
})

it('expects less of a quote whose page has the other words in passages that were found too', () => {
  const quoted = passage('The scheduler starts a runner.', {
    path: '/runners',
    title: 'All that agents and their runner are for',
    score: 0.4,
  })
  const rest = passage('Some archives are on a volume.', {
    path: '/runners',
    title: 'All that agents and their runner are for',
    score: 0.4,
  })
  const elsewhere = { ...rest, path: '/other', link: '/other' }
  const question = 'scheduler runner archives volume invoices'

  const verdicts = [rest, elsewhere].map((second) => ask(question, [quoted, second], { sitePassages: 800 }).verdict)

  expect(verdicts.map(isAnswer)).toEqual([true, false])
})

it('is certain only if a single part of the quote holds what was asked', () => {
  const together = 'The scheduler starts a runner with a volume.'
  const apart = 'The scheduler is old.\n\nA runner is cheap.\n\nThe volume is full.'
  const verdictOf = (content: string) =>
    ask('scheduler runner volume invoices', [passage(content, { title: 'Scheduler' })]).verdict

  expect([verdictOf(together), verdictOf(apart)]).toEqual(['supported', 'partial'])
})

it('quotes a third page only where it is not certain that the first one answers', () => {
  const page = (name: string) =>
    passage(`The ${name} starts a runner.`, { path: `/${name}`, link: `/${name}`, title: name })
  const passages = ['scheduler', 'operator', 'janitor'].map(page)
  const countPages = (question: string) => ask(question, passages).text.match(/\]\(\//g)?.length

  expect(ask('what starts a runner', passages).verdict).toBe('supported')
  expect(countPages('what starts a runner')).toBe(2)
  expect(ask('what starts a runner with invoices', passages).verdict).toBe('partial')
  expect(countPages('what starts a runner with invoices')).toBe(3)
})

describe('a quote', () => {
  it('that begins with “then” includes the steps before it', () => {
    const intro = 'An identity says who the reader is and which groups the reader belongs to. '.repeat(18)
    const content = [
      intro,
      'First make the secret:',
      '```sh\nmake-secret\n```',
      'Then sign the token of the visitor on your server:',
      '```ts\nsign()\n```',
    ].join('\n\n')

    const { text } = ask('How do I sign the token of a visitor on my server?', [passage(content, { title: 'Tokens' })])

    expect(text).toContain('First make the secret:\n\n```sh\nmake-secret\n```\n\nThen sign the token')
  })

  it('is the whole of a short passage, with the names of its sections', () => {
    const content =
      '## Issue\n\nThe stream stops when it is deployed.\n\n## Solution\n\nAdd `Connection: keep-alive` to the response.'

    const { text } = ask('Why does the stream stop when deployed?', [passage(content)])

    expect(text).toContain('deployed.\n\n**Solution**\n\nAdd `Connection: keep-alive`')
  })

  it('is only the section of a short passage that asks the same', () => {
    const content =
      '## Start it\n\nRun `start`, which takes the port 4000.\n\n## Change the port\n\nSet `PORT`.\n\n## Stop it\n\nRun `stop`.'

    const { text } = ask('How do I change the port?', [passage(content)])

    expect(text).toMatch(/^Set `PORT`\.\n\n\[Page\]/)
  })

  it('begins with the section that asks the same, before one that repeats all words of the question', () => {
    const asked = passage('Give it `groups` in its frontmatter.', { headings: ['How do I make a page private?'] })
    const other = passage('Make a private key at the end of that page.', { path: '/app', headings: ['By hand'] })

    const { text } = ask('How do I make a page private?', [asked, other])

    expect(text).toMatch(/^Give it `groups`/)
  })

  it('of an operation leaves out what its other sections say', () => {
    const content =
      'Deletes a badge for good.\n\n## Authorization\n\n- `key` (bearer): A key.\n\n## Path parameters\n\n- `id` (string): The id.'

    const { text } = ask('Can a badge be deleted for good?', [passage(content, { title: 'Delete a badge' })])

    expect(text).toMatch(/^Deletes a badge for good\.\n\n\[Delete/)
  })

  it('names its section after one from another section of the page', () => {
    const set = passage('The port is set by `PORT`.', { headings: ['Port'], score: 0.8 })
    const used = passage('Another port is used for the metrics.', { headings: ['Metrics'], score: 0.7 })

    const { text } = ask('Which port is used?', [set, used])

    expect(text).toMatch(/^Another port .*\n\n\*\*Port\*\*\n\nThe port is set by `PORT`\.\n\n\[Page\]/)
  })

  it('of a long passage begins where its section begins', () => {
    const other = `## Other\n\n${'Nothing of that is said here. '.repeat(40)}`
    const content = `${other}\n\n## Tokens\n\nA visitor has one.\n\nIt is signed with the secret of the server.`

    const { text } = ask('What is a token signed with?', [passage(content)])

    expect(text).toMatch(/^A visitor has one\.\n\nIt is signed/)
  })

  it('is a whole section of up to 1,900 characters, and less of what was merely found first', () => {
    const rest = 'It goes on here at length in other words. '.repeat(40)
    const content = `## Tokens\n\nA token is signed.\n\n${rest}\n\n## Other\n\n${'Nothing. '.repeat(100)}`

    const asked = (passages: RetrievedPassage[]) => ask('What signs a token?', passages).text

    expect(asked([passage(content)])).toContain('in other words. It goes')
    expect(asked([passage(content), passage('The secret signs a token.', { path: '/b', title: 'B' })])).toContain(
      'secret',
    )
  })

  it('that announces sections includes their names and beginnings', () => {
    const filler = 'It is described here at length in other words. '.repeat(30)
    const content = `Choose how to host the archive:\n\n### On a server\n\nRun it there. ${filler}\n\n### In a cloud\n\nLet others run it. ${filler}`

    const { text } = ask('How do I choose how to host the archive?', [passage(content, { title: 'Hosting' })])

    expect(text).toContain('archive:\n\n**On a server**\n\nRun it there.')
    expect(text).toContain('**In a cloud**\n\nLet others run it.')
  })

  it('keeps the items of an item under it', () => {
    const content =
      'A redirect has these fields:\n\n- **Source**: the old path.\n- **Status**: the code.\n  - `308`: permanent.\n- **Target**: the new path.'

    const { text } = ask('Which fields does a redirect have?', [passage(content)])

    expect(text).toContain('- **Status**: the code.\n  - `308`: permanent.\n- **Target**')
  })
})

it('takes a heading that says no more than was asked for the same, whether or not it names the product', () => {
  const restored = passage('A backup replaces all data. Check the backup first.', {
    path: '/restore',
    headings: ['How do I restore a backup?'],
    score: 0.7,
  })
  const made = passage('Run the tool every night.', {
    path: '/backup',
    headings: ['How do I back up Plum?'],
    score: 0.65,
  })
  const instructions = 'You answer from the documentation "Plum".'

  const { text } = new QuotingAnswerer().answer({
    question: readQuestion('take a backup'),
    passages: [restored, made],
    instructions,
  })

  expect(text).toMatch(/^Run the tool every night/)
})

it('quotes what comes close to a pasted error, because a page rarely repeats its message', () => {
  const pasted =
    '2024/05/01 03:00:07 ERROR : backup/2023.tar: Failed to copy: object is in cold storage, restore first\n2024/05/01 03:00:09 ERROR : Attempt 3/3 failed with 1 errors'
  const content = 'Objects in cold storage cannot be read at once.'

  const { text, verdict } = ask(pasted, [passage(content, { title: 'Storage' })], { sitePassages: 800 })

  expect({ text, verdict }).toMatchObject({ verdict: 'partial', text: expect.stringContaining(content) })
})

it('answers a pasted error only where the search found about as much of it as of the errors that pages explain', () => {
  const pasted = 'Error: the worker has exited\n    at flush (/app/stream.js:79:13)'
  const ofOthers = passage('The worker has a queue. A job that has exited is started again.', { score: 0.4 })

  expect(ask(pasted, [ofOthers], { sitePassages: 800 }).verdict).toBe('nearest-page')
  expect(ask(pasted, [{ ...ofOthers, score: 0.6 }], { sitePassages: 800 }).verdict).toBe('partial')
})

it('answers what a thing is with the sentence that says so, not with another one about it', () => {
  const free = passage('Kiosk is free software under an open licence.', { path: '/cost', title: 'Cost' })
  const service = passage('Kiosk is a service that prints tickets on demand.', {
    path: '/about',
    title: 'About',
    score: 0.5,
  })

  const { text } = ask('What is Kiosk?', [free, service])

  expect(text).toMatch(/^Kiosk is a service/)
})

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { readAll } from '../../../test/models/chat-model.conformance.ts'
import type { ChatPrompt } from '../chat-model.ts'
import { createOfflineModel } from './offline-model.ts'
import type { TermCounts } from './weigh-words.ts'

const searchTool: NonNullable<LanguageModelV4CallOptions['tools']> = [
  { type: 'function', name: 'search', description: 'Searches.', inputSchema: { type: 'object', properties: {} } },
]

interface PassageFields {
  path?: string
  anchor?: string
  title?: string
  headings?: string[]
  score?: number
}

function passage(
  content: string,
  { path = '/keys', anchor = '', title = 'Keys', headings = [], score = 0.7 }: PassageFields = {},
) {
  return { path, content, metadata: { title, href: `https://docs.example.com${path}${anchor}`, headings, score } }
}

function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function searched(
  query: string,
  value: ReturnType<typeof passage>[],
  termCounts: TermCounts | null = null,
): ChatPrompt {
  const call = { toolCallId: 'c1', toolName: 'search' }
  const providerOptions = termCounts === null ? {} : { providerOptions: { docent: { termCounts } } }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { query } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value }, ...providerOptions }] },
  ]
}

async function reply(prompt: ChatPrompt, options: Partial<LanguageModelV4CallOptions> = { tools: searchTool }) {
  const parts = await readAll(createOfflineModel(), { prompt, ...options })
  const finish = parts.at(-1)
  const call = parts.find((part) => part.type === 'tool-call')
  return {
    text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    query: call === undefined ? null : (JSON.parse(call.input) as { query: string }).query,
    finishReason: finish?.type === 'finish' ? finish.finishReason.unified : null,
    answered: finish?.type === 'finish' ? finish.providerMetadata?.['docent']?.['answered'] : null,
  }
}

const ask = (question: string, ...passages: ReturnType<typeof passage>[]) =>
  reply([user(question), ...searched(question, passages)])

describe('before there are passages', () => {
  it('the question is searched for', async () => {
    const { query, finishReason } = await reply([user('How do I rotate a key?')])

    expect({ query, finishReason }).toEqual({ query: 'How do I rotate a key?', finishReason: 'tool-calls' })
  })

  it('results of an earlier question do not count', async () => {
    const earlier = [user('What is a key?'), ...searched('What is a key?', [passage('A key is a secret.')])]

    const { query } = await reply([...earlier, user('How do I rotate backups every night?')])

    expect(query).toBe('How do I rotate backups every night?')
  })

  it.each([
    ['What is a webhook secret?', 'How do I rotate it?', 'How do I rotate it? webhook secret'],
    ['How do I install on Windows?', 'and macOS?', 'and macOS? install Windows'],
  ])('a follow-up on "%s" carries its words over', async (first, second, expected) => {
    const { query } = await reply([user(first), user(second)])

    expect(query).toBe(expected)
  })

  it('a follow-up is searched for again when only its own words were searched for', async () => {
    const prompt = [user('What is a webhook secret?'), user('How do I rotate it?')]

    const { query } = await reply([...prompt, ...searched('How do I rotate it?', [passage('Rotate the log daily.')])])

    expect(query).toBe('How do I rotate it? webhook secret')
  })

  it('the answer is that nothing was found if it may not search', async () => {
    const { text, answered } = await reply([user('How do I rotate a key?')], {
      tools: searchTool,
      toolChoice: { type: 'none' },
    })

    expect({ text, answered }).toEqual({
      text: 'The documentation does not say anything that answers “How do I rotate a key?”.',
      answered: false,
    })
  })
})

describe('an answer', () => {
  it('quotes the sentences that answer, ended by the link of their page', async () => {
    const keys = passage('Keys are strings. A revoked key stops working within 30 seconds.', { anchor: '#revoke' })

    const { text, answered } = await ask('How long until a revoked key stops working?', keys)

    expect(text).toBe('Keys are strings. A revoked key stops working within 30 seconds.\n\n[Keys](/keys#revoke)')
    expect(answered).toBe(true)
  })

  it('to "how" is the whole list of steps', async () => {
    const steps = '1. Open **Settings**.\n2. Choose **New key**.\n3. Copy the key.'
    const keys = passage(`## Create a key\n\nKeys open the API.\n\n${steps}`, { headings: ['Create a key'] })

    const { text } = await ask('How do I create a key?', keys)

    expect(text).toContain(steps)
  })

  it('to "how" contains the whole code, with the sentence before it', async () => {
    const code = '```bash\nnpm install -g tool\n\ntool login\n```'
    const install = passage(`Install the tool with npm:\n\n${code}`, { path: '/install', title: 'Install' })

    const { text } = await ask('How do I install the tool?', install)

    expect(text).toBe(`Install the tool with npm:\n\n${code}\n\n[Install](/install)`)
  })

  it('to "what" prefers the defining sentence', async () => {
    const text = 'Open a workspace to see forms. It has members.\n\nA workspace is the account of a team.'

    const answer = await ask(
      'What is a workspace?',
      passage(text),
      passage('Delete a workspace under settings.', { path: '/x' }),
    )

    expect(answer.text).toContain('A workspace is the account of a team.')
  })

  it('quotes rows of a table under its head', async () => {
    const others = Array.from(
      { length: 40 },
      (_, index) => `| Kind ${index} | ${index} pence and so on, week by week |`,
    )
    const table = ['| Plan | Price |', '| --- | --- |', ...others, '| Large | 90 euros |'].join('\n')

    const { text } = await ask('What is the price of the Large plan?', passage(table, { title: 'Plans' }))

    expect(text).toContain('| Plan | Price |\n| --- | --- |\n| Large | 90 euros |')
  })

  it('includes what its last sentence announces', async () => {
    const long = 'Everything about backups stands here, and it is a long story. '.repeat(20)
    const text = `${long}\n\nTo back up the database, run:\n\n\`\`\`sh\npg_dump docs\n\`\`\``

    const answer = await ask('What about a database backup?', passage(text))

    expect(answer.text).toContain('To back up the database, run:\n\n```sh\npg_dump docs\n```')
  })

  it('contains a short section whole', async () => {
    const text = '## Permission denied\n\nYou may not write there.\n\n**Solution**: Use `sudo`.'

    const answer = await ask('permission denied', passage(text))

    expect(answer.text).toContain('You may not write there.\n\n**Solution**: Use `sudo`.')
  })

  it('begins with the page of the best quote', async () => {
    const answer = await ask(
      'How long is an export link valid?',
      passage('An export holds every link of a page.', { path: '/a', score: 0.7 }),
      passage('An export link is valid for 48 hours.', { path: '/b', score: 0.7 }),
    )

    expect(answer.text.startsWith('An export link is valid for 48 hours.')).toBe(true)
  })

  it('groups what it quotes by page', async () => {
    const { text } = await ask(
      'How large may a file and a logo be?',
      passage('A file may be 25 MB large.', { path: '/limits', title: 'Limits' }),
      passage('A logo may be 512 KB large.', { path: '/themes', title: 'Themes' }),
    )

    expect(text).toContain(
      'A file may be 25 MB large.\n\n[Limits](/limits)\n\nA logo may be 512 KB large.\n\n[Themes](/themes)',
    )
  })

  it('contains no image and no external link', async () => {
    const content =
      'Rotate a key ![shot](/a.png) under [settings](/settings), see [the blog](https://evil.example/x) or <https://evil.example>, [mail](//evil.example).'

    const { text } = await ask('How do I rotate a key?', passage(content))

    expect(text).toContain('under [settings](/settings), see the blog or `https://evil.example`, mail.')
    expect(text).not.toContain('![')
  })

  it('to a German question works by shared words', async () => {
    const content = 'Ein Schlüssel läuft nach 90 Tagen ab. Er wird einmal angezeigt.'

    const { text, answered } = await ask('Wann läuft ein Schlüssel ab?', passage(content, { title: 'Schlüssel' }))

    expect(answered).toBe(true)
    expect(text).toContain('Ein Schlüssel läuft nach 90 Tagen ab.')
  })

  it('to a Japanese question works by shared characters', async () => {
    const content = 'キーの有効期限は90日です。設定で変更できます。'

    const { text, answered } = await ask('キーの有効期限はいつですか', passage(content, { title: 'キー' }))

    expect(answered).toBe(true)
    expect(text).toContain('キーの有効期限は90日です。')
  })

  it('is cut at the token limit and says so', async () => {
    const prompt = [
      user('What is a key?'),
      ...searched('What is a key?', [passage('A key is a long secret of your own.')]),
    ]

    const { text, finishReason } = await reply(prompt, { maxOutputTokens: 3 })

    expect({ text, finishReason }).toEqual({ text: 'A key is a l', finishReason: 'length' })
  })
})

describe('when nothing fits', () => {
  it('one sentence names what was asked, the nearest pages follow', async () => {
    const near = passage('A key is a secret.', { score: 0.4 })

    const { text, answered } = await ask('Does it integrate with QuickBooks?', near)

    expect(text).toBe(
      'The documentation does not say anything that answers “Does it integrate with QuickBooks?”. No page that was found mentions “QuickBooks”. Nearest page: [Keys](/keys)',
    )
    expect(answered).toBe(false)
  })

  it('a name that no passage contains counts against an answer, even if all else fits', async () => {
    const install = passage('Install the server on Ubuntu with the package manager.', { title: 'Install the server' })

    expect((await ask('How do I install the server on Ubuntu?', install)).answered).toBe(true)
    expect((await ask('How do I install the server on OpenVMS?', install)).answered).toBe(false)
  })

  it('no page answers a question about a name that the whole site lacks', async () => {
    const question = 'Can I install the command line tool with Homebrew?'
    const passages = [passage('Install the command line tool: download it, and install it with the installer.')]
    const counts = { instal: 20, command: 20, line: 20, tool: 20, homebrew: 0 }

    const without = await reply([user(question), ...searched(question, passages)])
    const told = await reply([user(question), ...searched(question, passages, { passages: 900, counts, meant: {} })])

    expect([without.answered, told.answered]).toEqual([true, false])
    expect(told.text).toContain('“Homebrew”')
  })

  it.each([
    ['Does it work with Node 18?', false],
    ['Does it work with Node 22?', true],
  ])('a release counts only behind its name: %s', async (question, isAnswered) => {
    const answer = await ask(question, passage('It works with Node 22 or newer, and with 18 themes.'))

    expect(answer.answered).toBe(isAnswered)
  })

  it('a name of two words is not two names', async () => {
    const answer = await ask('Can it import from Google Docs?', passage('Import fonts from Google in your docs.'))

    expect(answer.answered).toBe(false)
  })

  it('a mistyped word is corrected to the one that was meant', async () => {
    const question = 'How do I rotaet a token?'
    const counts = { rotaet: 0, token: 9 }

    const answer = await reply([
      user(question),
      ...searched(question, [passage('Rotate a token under settings.')], {
        passages: 300,
        counts,
        meant: { rotaet: ['rotat'] },
      }),
    ])

    expect(answer.answered).toBe(true)
  })

  it('is marked as such from its first part', async () => {
    const question = 'What is a zebra?'
    const parts = await readAll(createOfflineModel(), { prompt: [user(question), ...searched(question, [])] })

    expect(parts.find((part) => part.type === 'text-start')).toMatchObject({
      providerMetadata: { docent: { answered: false } },
    })
  })

  it('the question is repeated without links and markup', async () => {
    const { text } = await ask('What is [this](/a) <b>`now`</b> at www.evil.example/a?')

    expect(text).toMatch(/^The documentation does not say anything that answers “What is this\/a bnow\/b at”\./)
    expect(text).not.toMatch(/www|[[\]`<>]/)
  })

  it('a failed search is reported as such', async () => {
    const failed: LanguageModelV4Message = {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: { type: 'error-text', value: 'x' } },
      ],
    }
    const prompt = [user('What is a key?'), ...searched('What is a key?', []).slice(0, 1), failed]

    expect((await reply(prompt)).text).toBe('The search of this documentation failed. Ask again in a minute.')
  })

  it('passages on other sites are not linked', async () => {
    const { text } = await ask('What is a key?', passage('A key is a secret.', { path: '//evil.example/x' }))

    expect(text).not.toContain('evil')
  })
})

it('gives each search of a conversation a unique id', async () => {
  const prompt = [
    user('What is a webhook secret?'),
    user('How do I rotate it?'),
    ...searched('How do I rotate it?', []),
  ]

  const parts = await readAll(createOfflineModel(), { prompt, tools: searchTool })

  expect(parts.find((part) => part.type === 'tool-call')?.toolCallId).toBe('offline-search-2')
})

it('says the same to a caller that does not stream', async () => {
  const prompt = [user('What is a key?'), ...searched('What is a key?', [passage('A key is a secret.')])]

  const { content, finishReason } = await createOfflineModel().doGenerate({ prompt })

  expect(content).toEqual([{ type: 'text', text: 'A key is a secret.\n\n[Keys](/keys)' }])
  expect(finishReason.unified).toBe('stop')
})

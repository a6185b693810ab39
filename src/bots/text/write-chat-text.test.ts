import fc from 'fast-check'
import { expect, it } from 'vitest'
import { discordDialect } from '../discord/discord-dialect.ts'
import { readSlackText, slackDialect } from '../slack/slack-dialect.ts'
import { packBlocks } from './pack-blocks.ts'
import { quoteText } from './quote-text.ts'
import { writeChatText } from './write-chat-text.ts'

const write = (markdown: string, dialect = slackDialect, charsMax = 3_000) =>
  packBlocks(writeChatText(markdown, dialect), charsMax)

const page = `## Set it up

Use **bold**, *soft* and \`a < b\` with [the guide](https://docs.example.com/a_b?x=1&y=2#c).

1. First
   - Inner
2. Second:

   \`\`\`sh
   echo "<hi>"
   \`\`\`

| Limit | Value | Note |
| --- | --- | --- |
| Tickets | 20 | |
| Sales | 5,000 | offline |

> Careful & slow`

it('writes Markdown in the syntax of Slack, tables as lists', () => {
  expect(write(page)).toEqual([
    `*Set it up*

Use *bold*, _soft_ and \`a &lt; b\` with <https://docs.example.com/a_b?x=1&amp;y=2#c|the guide>.

1. First
    • Inner
2. Second:
\`\`\`
echo "&lt;hi&gt;"
\`\`\`

• *Tickets*: Value: 20
• *Sales*: Value: 5,000; Note: offline

> Careful &amp; slow`.replace('the guide', 'the\u00a0guide'),
  ])
})

it('writes Markdown in the syntax of Discord', () => {
  expect(write('# A_b\n\n**c** [d [e]](https://x.example/f) `g*h`\n\n\\# i\\_j', discordDialect)).toEqual([
    '**A\\_b**\n\n**c** [d\u00a0\\[e\\]](<https://x.example/f>) `g*h`\n\n\\# i\\_j',
  ])
})

it('lets no text become a mention or a link of another kind', () => {
  const hostile = [
    'Hello <!channel> <@U0123456789> <#C1|x> <!subteam^S1> @here @everyone',
    '[<!channel>](https://x.example/<!here>|b)',
    '`<!channel>` and\n\n```\n<!channel>\n```',
    '[a](javascript:alert(1)) <javascript:alert(1)>',
    '![<@U1>](https://x.example/i.png)',
    '<b>@channel</b>',
    `| <!here> |\n| --- |\n| <@U1> |`,
  ].join('\n\n')

  const slack = write(hostile).join('\n')
  const discord = write(hostile, discordDialect).join('\n')

  expect(slack.match(/<[^>]*>/g)?.filter((link) => !link.startsWith('<https://x.example/'))).toEqual([])
  expect(slack).not.toMatch(/@(?:here|everyone|channel)/)
  expect(discord.replaceAll(/```[^]*?```|`[^`\n]*`/g, '')).not.toMatch(/@(?:here|everyone|channel)|[^\\]<[@#!]/)
  expect([slack, discord].join('')).not.toMatch(/[(<|]javascript:/)
})

it('quotes a text of a person without any formatting of it', () => {
  expect(write(quoteText('**a** <!here>\n# b\n```'))).toEqual([
    '> **a** &lt;!here&gt;\n> # b\n> ```'.replace('> ```', '> ```'),
  ])
})

it('keeps every word within the limit of a section, links and code blocks whole', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'é', '😀', '<', '&', '*', '`', '_', '|'),
    minLength: 1,
    maxLength: 30,
  })
  const paragraph = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '))
  const code = fc.array(word, { maxLength: 60 }).map((lines) => `\n\n~~~\n${lines.join('\n')}\n~~~\n\n`)
  fc.assert(
    fc.property(
      fc.array(fc.oneof(paragraph, code), { maxLength: 8 }),
      fc.constantFrom(slackDialect, discordDialect),
      (parts, dialect) => {
        const sections = write(`${parts.join('\n\n')}\n\n[one two](https://x.example/)`, dialect, 200)

        for (const section of sections) {
          expect(section.length).toBeLessThanOrEqual(200)
          expect(section.isWellFormed()).toBe(true)
        }
        const link = dialect.link('one two', 'https://x.example/')
        expect(sections.some((section) => section.includes(link))).toBe(true)
      },
    ),
  )
})

it('reads the text of a Slack message without its markup', () => {
  const text = '<@U0BOT> see <https://a.example/x|the page>, <@U1|ann> &amp; <!here> in <#C1|general>: a &lt; b'

  expect(readSlackText(text, 'U0BOT')).toBe('see the page, ann & @here in general: a < b')
})
